//! Recording activities as they happened, many at a time: what an import does, of a file or of a request.

use pointbook_domain::{Activity, ActivityType, Timestamp, Transaction, UserId};

use crate::commands::{Addition, Command, CommandError, Facts, Needs, Overdraft, Reported};
use crate::ports::{Execution, NewTransaction, RecordOutcome};
use crate::{Context, StoreResult};

/// Records transactions in order, each on its own merits: one that is refused does not keep the others out.
/// Unknown users are created. A negative balance is not refused: history is taken as it happened. What
/// [`record_activity`](crate::record_activity()) says of orders holds. One outcome per transaction, in order.
///
/// User by user in the order of ids, so that rows that are read together are stored together; among a user's
/// transactions the given order holds.
pub struct RecordHistory {
    /// With the place of each in the given order. Those of types that the tenant lacks are only their types.
    reported: Vec<(usize, Result<Reported, ActivityType>)>,
    recorded_at: Timestamp,
}

impl RecordHistory {
    /// Of transactions whose types the tenant has.
    pub fn new(transactions: Vec<NewTransaction>, recorded_at: Timestamp) -> Self {
        Self::of(transactions.into_iter().map(|new| Ok(new.into())), recorded_at)
    }

    fn of(reported: impl Iterator<Item = Result<Reported, ActivityType>>, recorded_at: Timestamp) -> Self {
        let mut reported: Vec<_> = reported.enumerate().collect();
        reported.sort_by(|(_, a), (_, b)| user_of(a).cmp(&user_of(b)));
        Self { reported, recorded_at }
    }
}

impl Command for RecordHistory {
    type Outcome = Vec<RecordOutcome>;

    const NAME: &'static str = "record_history";

    fn needs(&self, needs: &mut Needs) {
        for reported in self.reported.iter().filter_map(|(_, reported)| reported.as_ref().ok()) {
            needs.reported(reported);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<RecordOutcome>, CommandError> {
        let mut outcomes = Vec::with_capacity(self.reported.len());
        for (place, reported) in &self.reported {
            let outcome = match reported {
                Ok(reported) => {
                    let addition = facts.record_reported(reported, self.recorded_at, Overdraft::Allowed)?;
                    outcome(addition, &reported.transaction)
                }
                Err(kind) => RecordOutcome::UnknownType(kind.clone()),
            };
            outcomes.push((*place, outcome));
        }
        outcomes.sort_unstable_by_key(|(place, _)| *place);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }
}

fn user_of(reported: &Result<Reported, ActivityType>) -> Option<&UserId> {
    reported.as_ref().ok().map(|reported| &reported.user_id)
}

fn outcome(addition: Option<Addition>, given: &Transaction) -> RecordOutcome {
    match addition {
        Some(Addition::Added { .. }) => RecordOutcome::Recorded,
        Some(Addition::StoodThere(stored)) if stored.transaction.activity == given.activity => {
            RecordOutcome::AlreadyRecorded
        }
        Some(Addition::StoodThere(_)) | None => RecordOutcome::Conflict,
        // No overdraft is refused in a history, so only the bounds are left.
        Some(Addition::Refused(_)) => RecordOutcome::OutOfRange,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewActivity {
    /// The user, who is created when unknown.
    pub user_id: UserId,
    pub activity: Activity,
}

/// Records each activity on its own merits, in one commit. One outcome per activity, in order.
///
/// # Errors
/// When the store fails; then nothing was recorded, or the request's key tells.
pub async fn record_activities(
    context: &Context<Vec<RecordOutcome>>,
    activities: Vec<NewActivity>,
) -> StoreResult<Execution<Vec<RecordOutcome>>> {
    let settings = &context.tenant.tenant.settings;
    let report = |NewActivity { user_id, activity }| {
        if !settings.knows_activity_type(&activity.kind) {
            return Err(activity.kind);
        }
        let transaction = Transaction { id: context.ids.transaction_id(), activity };
        Ok(NewTransaction { user_id, transaction }.into())
    };
    context.execute(RecordHistory::of(activities.into_iter().map(report), context.now)).await
}
