//! Records one activity for a back office, once for ever: repeats change nothing.

use pointbook_domain::{Activity, Points, Timestamp, Transaction};

use crate::commands::{
    Addition, Command, CommandError, Facts, Lane, Needs, Overdraft, Refusal, Reported, StoredEntry,
};
use crate::ports::{ActivityToRecord, Execution, NewTransaction, RecordActivityOutcome, RecordedActivity};
use crate::{Context, NewActivity, StoreResult};

/// Records an activity. It creates an unknown user, unless the activity is refused. The balance may fall to 0 but not below.
/// Only an order moves its own points. So under the type `order` and a source id of an order, an activity either is in the
/// ledger already or is a conflict.
pub struct RecordActivity {
    reported: Reported,
    has_own_time: bool,
    recorded_at: Timestamp,
}

impl Command for RecordActivity {
    type Outcome = RecordActivityOutcome;

    const NAME: &'static str = "record_activity";

    fn lane(&self) -> Lane {
        Lane::User(self.reported.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        needs.reported(&self.reported);
    }

    fn decide(&self, facts: &mut Facts) -> Result<RecordActivityOutcome, CommandError> {
        let addition = facts.record_reported(&self.reported, self.recorded_at, Overdraft::Refused)?;
        let user_points = facts.balance(&self.reported.user_id)?;
        Ok(addition.map_or(RecordActivityOutcome::Conflict, |addition| self.outcome(addition, user_points)))
    }
}

impl RecordActivity {
    pub fn new(activity: ActivityToRecord, recorded_at: Timestamp) -> Self {
        let ActivityToRecord { new, has_own_time } = activity;
        Self { reported: new.into(), has_own_time, recorded_at }
    }

    fn outcome(&self, addition: Addition, user_points: Points) -> RecordActivityOutcome {
        let transaction = &self.reported.transaction;
        let recorded = |transaction, seq| RecordedActivity { transaction, seq, user_points };
        match addition {
            Addition::Added { seq } => RecordActivityOutcome::Recorded(recorded(transaction.clone(), seq)),
            Addition::StoodThere(StoredEntry { seq, transaction: stored }) => {
                if is_same(&stored.activity, &transaction.activity, self.has_own_time) {
                    RecordActivityOutcome::AlreadyRecorded(recorded(stored, seq))
                } else {
                    RecordActivityOutcome::Conflict
                }
            }
            Addition::Refused(Refusal::TooFewPoints) => RecordActivityOutcome::TooFewPoints,
            Addition::Refused(Refusal::OutOfRange) => RecordActivityOutcome::OutOfRange,
        }
    }
}

/// Whether a repeat has the content of the first. If the request gave no time, the time does not count.
fn is_same(first: &Activity, repeat: &Activity, has_own_time: bool) -> bool {
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at } = repeat;
    let is_same_time = !has_own_time || first.created_at == *created_at;
    is_same_time
        && (&first.kind, &first.source_id, first.points) == (kind, source_id, *points)
        && (&first.bonuses, &first.title, &first.subtitle) == (bonuses, title, subtitle)
}

/// Records an activity of a type that the tenant has. `has_own_time` says whether the request gave a time. Without one, a repeat
/// at any time is the same activity.
///
/// # Errors
/// When the store fails: nothing was recorded, or the key of the request tells.
pub async fn record_activity(
    context: &Context<RecordActivityOutcome>,
    new: NewActivity,
    has_own_time: bool,
) -> StoreResult<Execution<RecordActivityOutcome>> {
    let NewActivity { user_id, activity } = new;
    let transaction = Transaction { id: context.ids.transaction_id(), activity };
    let activity = ActivityToRecord { new: NewTransaction { user_id, transaction }, has_own_time };
    context.execute(RecordActivity::new(activity, context.now)).await
}
