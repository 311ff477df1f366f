//! Records many past activities: the use case of imports from files and requests.

use pointbook_domain::{Activity, ActivityType, Timestamp, Transaction, UserId};

use serde_json::json;

use crate::commands::{Addition, Command, CommandError, Facts, Needs, Overdraft, Reported};
use crate::ports::{Execution, NewTransaction, RecordOutcome};
use crate::{Context, StoreResult};
use pointbook_audit_log::ChangeNote;

/// Records transactions in order. A refused transaction does not stop the others. Unknown users are created. A negative balance
/// is allowed, because the history happened. The rule of [`record_activity`](crate::record_activity()) about orders holds.
/// Returns one outcome per transaction, in order.
///
/// The users come in the order of their ids, so that the store keeps rows together that are read together. The transactions of
/// one user stay in the given order.
pub struct RecordHistory {
    /// With the position of each in the given order. An activity whose type the tenant lacks is only its type.
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
        if outcomes.iter().any(|(_, outcome)| *outcome == RecordOutcome::Recorded) {
            facts.note(|| note(&outcomes));
        }
        outcomes.sort_unstable_by_key(|(place, _)| *place);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }
}

/// The audit log counts the rows. The ledger has the rows themselves.
fn note(outcomes: &[(usize, RecordOutcome)]) -> ChangeNote {
    let count = |counted: RecordOutcome| outcomes.iter().filter(|(_, outcome)| *outcome == counted).count();
    let (recorded, known) = (count(RecordOutcome::Recorded), count(RecordOutcome::AlreadyRecorded));
    let refused = outcomes.len() - recorded - known;
    let facts = json!({ "recorded": recorded, "already_recorded": known, "refused": refused });
    ChangeNote::of_event("activities.import", "activities", facts)
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
        // A history may overdraw, so only the bounds remain.
        Some(Addition::Refused(_)) => RecordOutcome::OutOfRange,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewActivity {
    /// The user, who is created if unknown.
    pub user_id: UserId,
    pub activity: Activity,
}

/// Records each activity in one commit. A refused activity does not stop the others. Returns one outcome per activity, in order.
///
/// # Errors
/// When the store fails: nothing was recorded, or the key of the request tells.
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
