//! What an import would do: the server decides as for the import, and saves nothing.

use pointbook_app::commands::Trial;
use pointbook_app::ports::{RecordOutcome, UpsertOutcome, UserProfile};
use pointbook_app::{Context, ImportUsers, StoreResult};

use crate::NewActivity;
use crate::record_activities::history;

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
