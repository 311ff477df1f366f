//! What an import would do: the server decides as for the import, and saves nothing.

use pointbook_app::commands::{Command, CommandError, Facts, Needs};
use pointbook_app::ports::{RecordOutcome, UpsertOutcome, UserProfile};
use pointbook_app::{Context, ImportUsers, ProductDraft, StoreResult, UpsertProducts, cleaned};
use pointbook_domain::CategoryTree;

use crate::NewActivity;
use crate::import_categories::{ImportCategories, TreeChange};
use crate::record_activities::history;

/// Decides a command and saves nothing of it. It waits with the back office, whose commands have facts that no other command shares.
struct Trial<C>(C);

impl<C: Command> Command for Trial<C> {
    type Outcome = C::Outcome;

    const NAME: &'static str = "trial";

    fn needs(&self, needs: &mut Needs) {
        self.0.needs(needs);
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.0.further_needs(facts, needs);
    }

    fn decide(&self, facts: &mut Facts) -> Result<C::Outcome, CommandError> {
        let outcome = self.0.decide(facts);
        *facts = Facts::default();
        outcome
    }
}

/// The outcomes that [`record_activities`](crate::record_activities()) would have. Records nothing.
///
/// # Errors
/// When the store fails.
pub async fn try_activities<T>(
    context: &Context<T>,
    activities: Vec<NewActivity>,
) -> StoreResult<Vec<RecordOutcome>> {
    let command = Trial(history(context, activities).await?);
    context.tenant.data.execute(command, None).await?.without_key()
}

/// The outcomes that [`put_products`](pointbook_app::put_products) would have. Stores nothing. The cleaning of the descriptions holds the
/// permit until it ends.
///
/// # Errors
/// When the store fails.
pub async fn try_products<T>(
    context: &Context<T>,
    drafts: Vec<ProductDraft>,
    permit: impl Send + 'static,
) -> StoreResult<Vec<UpsertOutcome>> {
    let products = cleaned(drafts, context.now, permit).await?;
    context.tenant.data.execute(Trial(UpsertProducts(products)), None).await?.without_key()
}

/// The outcomes that [`ImportUsers`] would have. Stores nothing.
///
/// # Errors
/// When the store fails.
pub async fn try_users<T>(
    context: &Context<T>,
    profiles: Vec<UserProfile>,
) -> StoreResult<Vec<UpsertOutcome>> {
    let command = Trial(ImportUsers { profiles, now: context.now });
    context.tenant.data.execute(command, None).await?.without_key()
}

/// What [`import_categories`](crate::import_categories()) would change. Stores nothing.
///
/// # Errors
/// When the store fails.
pub async fn try_categories<T>(context: &Context<T>, tree: CategoryTree) -> StoreResult<TreeChange> {
    context.tenant.data.execute(Trial(ImportCategories::new(tree)), None).await?.without_key()
}
