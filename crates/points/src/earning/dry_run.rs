//! What an import would do: the server decides as for the import, and saves nothing.

use pointbook_store::schema::rows::UserRow;
use std::collections::HashSet;

use pointbook_domain::UserId;
use pointbook_store::commands::{Command, CommandError, Facts, Needs, Trial};
use pointbook_store::ports::{RecordOutcome, UpsertOutcome, UserProfile};
use pointbook_store::{Context, StoreResult};

use crate::earning::record_activities::{NewActivity, RecordHistory, history};
use crate::members::put::ImportUsers;

/// What recording activities would come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedActivities {
    /// One for each activity, in order.
    pub outcomes: Vec<RecordOutcome>,
    /// The users who would be created, each once, in the order of the activities. One of them may be a mistyped id.
    pub new_users: Vec<UserId>,
}

struct TryActivities(RecordHistory);

impl Command for TryActivities {
    type Outcome = TriedActivities;

    const NAME: &'static str = "try_activities";

    fn needs(&self, needs: &mut Needs) {
        self.0.needs(needs);
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.0.further_needs(facts, needs);
    }

    fn decide(&self, facts: &mut Facts) -> Result<TriedActivities, CommandError> {
        let users = self.0.users();
        let known: HashSet<&UserId> = users
            .iter()
            .flatten()
            .copied()
            .filter(|user| facts.get::<UserRow>(*user).is_ok_and(|user| user.is_some()))
            .collect();
        let outcomes = self.0.decide(facts)?;
        let (mut noted, mut new_users) = (known, Vec::new());
        for (user, outcome) in users.into_iter().zip(&outcomes) {
            if let Some(user) = user.filter(|_| *outcome == RecordOutcome::Recorded)
                && noted.insert(user)
            {
                new_users.push(user.clone());
            }
        }
        Ok(TriedActivities { outcomes, new_users })
    }
}

/// The outcomes that [`record_activities`](crate::earning::record_activities::record_activities()) would have. Records nothing.
///
/// # Errors
/// When the store fails.
pub async fn try_activities<T>(
    context: &Context<T>,
    activities: Vec<NewActivity>,
) -> StoreResult<TriedActivities> {
    let command = Trial(TryActivities(history(context, activities).await?));
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
