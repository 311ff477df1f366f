//! Recording activities as they happened, many at a time: what an import does.

use std::fmt;

use pointbook_domain::{Activity, ActivityType, Timestamp, Transaction, UserId};

use crate::ports::{NewTransaction, RecordOutcome};
use crate::{IdSource, ServedTenant, StoreResult};

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

/// Records each activity on its own merits, in one commit. One result per activity, in order.
///
/// # Errors
/// When the store fails; then nothing was recorded.
pub async fn record_activities(
    tenant: &ServedTenant,
    activities: Vec<NewActivity>,
    ids: &dyn IdSource,
    now: Timestamp,
) -> StoreResult<Vec<Result<Recorded, RecordError>>> {
    let settings = &tenant.tenant.settings;
    let mut results = Vec::with_capacity(activities.len());
    let mut accepted = Vec::with_capacity(activities.len());
    for NewActivity { user_id, activity } in activities {
        if settings.knows_activity_type(&activity.kind) {
            results.push(Ok(Recorded::Now));
            let transaction = Transaction { id: ids.transaction_id(), activity };
            accepted.push(NewTransaction { user_id, transaction });
        } else {
            results.push(Err(RecordError::UnknownType(activity.kind)));
        }
    }
    let outcomes = tenant.data.record_history(&accepted, now).await?;
    let pending = results.iter_mut().filter(|result| result.is_ok());
    for (result, outcome) in pending.zip(outcomes) {
        *result = match outcome {
            RecordOutcome::Recorded => Ok(Recorded::Now),
            RecordOutcome::AlreadyRecorded => Ok(Recorded::Before),
            RecordOutcome::Conflict => Err(RecordError::Conflict),
            RecordOutcome::OutOfRange => Err(RecordError::OutOfRange),
        };
    }
    Ok(results)
}
