//! Recording one activity for a back office: awarded once, for ever, whatever is retried.

use pointbook_domain::{Timestamp, Transaction};

use crate::ports::{ActivityToRecord, Execution, NewTransaction, Once, RecordActivityOutcome};
use crate::{IdSource, NewActivity, ServedTenant, StoreResult};

/// Records an activity of a type that the tenant has. `has_own_time` says whether the request told when
/// it happened; a repeat without it is the same activity whenever it comes.
///
/// # Errors
/// When the store fails; then nothing was recorded, or the request's key tells.
pub async fn record_activity(
    tenant: &ServedTenant,
    new: NewActivity,
    has_own_time: bool,
    ids: &dyn IdSource,
    now: Timestamp,
    once: Option<Once<RecordActivityOutcome>>,
) -> StoreResult<Execution<RecordActivityOutcome>> {
    let NewActivity { user_id, activity } = new;
    let transaction = Transaction { id: ids.transaction_id(), activity };
    let activity = ActivityToRecord { new: NewTransaction { user_id, transaction }, has_own_time };
    tenant.data.record_activity(activity, now, once).await
}
