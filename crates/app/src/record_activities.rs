//! Recording activities as they happened, many at a time: what an import does, of a file or of a request.

use std::fmt;
use std::sync::Arc;

use pointbook_domain::{Activity, ActivityType, Timestamp, Transaction, UserId};

use crate::commands::{Addition, Command, CommandError, Facts, Lane, Needs, Overdraft, Reported};
use crate::ports::{Execution, NewTransaction, Once, RecordOutcome};
use crate::{IdSource, ServedTenant, StoreResult};

/// Records transactions in order, each on its own merits: one that is refused does not keep the others out.
/// Unknown users are created. A negative balance is not refused: history is taken as it happened. What
/// [`record_activity`](crate::record_activity()) says of orders holds. One outcome per transaction, in order.
///
/// User by user in the order of ids, so that rows that are read together are stored together; among a user's
/// transactions the given order holds.
pub(crate) struct RecordHistory {
    /// With the place of each in the given order.
    reported: Vec<(usize, Reported)>,
    recorded_at: Timestamp,
}

impl RecordHistory {
    pub(crate) fn new(transactions: Vec<NewTransaction>, recorded_at: Timestamp) -> Self {
        let mut reported: Vec<_> = transactions.into_iter().map(Reported::from).enumerate().collect();
        reported.sort_by(|(_, a), (_, b)| a.user_id.cmp(&b.user_id));
        Self { reported, recorded_at }
    }
}

impl Command for RecordHistory {
    type Outcome = Vec<RecordOutcome>;

    const NAME: &'static str = "record_history";

    fn lane(&self) -> Lane {
        Lane::BackOffice
    }

    fn needs(&self, _facts: &Facts, needs: &mut Needs) {
        for (_, reported) in &self.reported {
            needs.reported(reported);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<RecordOutcome>, CommandError> {
        let mut outcomes = Vec::with_capacity(self.reported.len());
        for (place, reported) in &self.reported {
            let addition = facts.record_reported(reported, self.recorded_at, Overdraft::Allowed)?;
            outcomes.push((*place, outcome(addition, &reported.transaction)));
        }
        outcomes.sort_unstable_by_key(|(place, _)| *place);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }
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

/// Something a user did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewActivity {
    /// The user, who is created when unknown.
    pub user_id: UserId,
    /// What they did.
    pub activity: Activity,
}

/// Why an activity was not recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordError {
    /// The tenant does not have this activity type.
    UnknownType(ActivityType),
    /// The same (user, type, source id) stands in the ledger with other content.
    Conflict,
    /// The amount or the balance would leave the bounds.
    OutOfRange,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType(kind) => write!(f, "type: the tenant has no activity type {:?}", kind.as_str()),
            Self::Conflict => f.write_str("source_id: recorded before with other content"),
            Self::OutOfRange => f.write_str("points: the balance would leave its bounds"),
        }
    }
}

impl std::error::Error for RecordError {}

/// Whether an activity was new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It was recorded now.
    Now,
    /// It was recorded before, with the same content.
    Before,
}

/// What became of one activity.
pub type RecordResult = Result<Recorded, RecordError>;

/// Records each activity on its own merits, in one commit. One result per activity, in order.
///
/// # Errors
/// When the store fails; then nothing was recorded, or the request's key tells.
pub async fn record_activities(
    tenant: &ServedTenant,
    activities: Vec<NewActivity>,
    ids: &dyn IdSource,
    now: Timestamp,
    once: Option<Once<Vec<RecordResult>>>,
) -> StoreResult<Execution<Vec<RecordResult>>> {
    let settings = &tenant.tenant.settings;
    let mut accepted = Vec::with_capacity(activities.len());
    let mut unknown = Vec::new();
    for (place, NewActivity { user_id, activity }) in activities.into_iter().enumerate() {
        if settings.knows_activity_type(&activity.kind) {
            let transaction = Transaction { id: ids.transaction_id(), activity };
            accepted.push(NewTransaction { user_id, transaction });
        } else {
            unknown.push((place, activity.kind));
        }
    }
    let results = Arc::new(move |outcomes: &[RecordOutcome]| results(outcomes, &unknown));
    let once = once.map(|once| answering(once, results.clone()));
    let execution = tenant.data.record_history_once(accepted, now, once).await?;
    Ok(execution.map(|outcomes| results(&outcomes)))
}

/// The same request, answered with the results of all its activities, and not only with what the
/// store was asked to record.
fn answering(
    once: Once<Vec<RecordResult>>,
    results: Arc<impl Fn(&[RecordOutcome]) -> Vec<RecordResult> + Send + Sync + 'static>,
) -> Once<Vec<RecordOutcome>> {
    let Once { key, now, answer } = once;
    Once { key, now, answer: Box::new(move |outcomes| answer(&results(outcomes))) }
}

/// The outcomes, with the activities of unknown types at their places, which ascend.
fn results(outcomes: &[RecordOutcome], unknown: &[(usize, ActivityType)]) -> Vec<RecordResult> {
    let refused = |(_, kind): &(usize, ActivityType)| Err(RecordError::UnknownType(kind.clone()));
    let mut unknown = unknown.iter().peekable();
    let mut results = Vec::with_capacity(outcomes.len() + unknown.len());
    for outcome in outcomes {
        while let Some(next) = unknown.next_if(|(place, _)| *place == results.len()) {
            results.push(refused(next));
        }
        results.push(result(*outcome));
    }
    results.extend(unknown.map(refused));
    results
}

fn result(outcome: RecordOutcome) -> RecordResult {
    match outcome {
        RecordOutcome::Recorded => Ok(Recorded::Now),
        RecordOutcome::AlreadyRecorded => Ok(Recorded::Before),
        RecordOutcome::Conflict => Err(RecordError::Conflict),
        RecordOutcome::OutOfRange => Err(RecordError::OutOfRange),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_stands_at_the_place_of_its_activity() {
        let kind = ActivityType::new("dance").unwrap();
        let unknown =
            |places: &[usize]| places.iter().map(|place| (*place, kind.clone())).collect::<Vec<_>>();
        let told = |outcomes: &[RecordOutcome], places: &[usize]| {
            let letter = |result| match result {
                Ok(Recorded::Now) => 'n',
                Ok(Recorded::Before) => 'b',
                Err(RecordError::Conflict) => 'c',
                Err(RecordError::OutOfRange) => 'r',
                Err(RecordError::UnknownType(_)) => '?',
            };
            results(outcomes, &unknown(places)).into_iter().map(letter).collect::<String>()
        };
        let outcomes = [
            RecordOutcome::Recorded,
            RecordOutcome::AlreadyRecorded,
            RecordOutcome::Conflict,
            RecordOutcome::OutOfRange,
        ];
        assert_eq!(told(&outcomes, &[]), "nbcr");
        assert_eq!(told(&outcomes, &[0, 1, 4, 7, 8]), "??nb?cr??");
        assert_eq!(told(&[], &[0, 1]), "??");
    }
}
