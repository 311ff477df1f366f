//! Recording many activities of a back office at once, as they happened.

use pointbook_domain::{Timestamp, Transaction};

use crate::ports::{Execution, NewTransaction, Once, RecordOutcome};
use crate::{IdSource, NewActivity, ServedTenant, StoreResult};

/// Records each activity on its own merits, in one commit; all of types that the tenant has. One
/// outcome per activity, in order.
///
/// # Errors
/// When the store fails; then nothing was recorded, or the request's key tells.
pub async fn import_activities(
    tenant: &ServedTenant,
    activities: Vec<NewActivity>,
    ids: &dyn IdSource,
    now: Timestamp,
    once: Option<Once<Vec<RecordOutcome>>>,
) -> StoreResult<Execution<Vec<RecordOutcome>>> {
    let new = |NewActivity { user_id, activity }| NewTransaction {
        user_id,
        transaction: Transaction { id: ids.transaction_id(), activity },
    };
    let transactions: Vec<_> = activities.into_iter().map(new).collect();
    tenant.data.record_history_once(&transactions, now, once).await
}
