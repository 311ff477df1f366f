//! Fulfilling and cancelling orders.

use pointbook_domain::{OrderId, Timestamp};

use crate::ports::{Execution, Once, OrderStep, OrderStepOutcome};
use crate::{IdSource, ServedTenant, StoreError, StoreResult};

/// Notes that the pieces of a placed order went out.
///
/// # Errors
/// When the store fails.
pub async fn fulfil_order(
    tenant: &ServedTenant,
    id: &OrderId,
    now: Timestamp,
    once: Option<Once<OrderStepOutcome>>,
) -> StoreResult<Execution<OrderStepOutcome>> {
    tenant.data.step_order(id, &OrderStep::Fulfil, now, once).await
}

/// Gives back what a placed order took, once.
///
/// # Errors
/// When the store fails; then nothing was given back, or the request's key tells.
pub async fn cancel_order(
    tenant: &ServedTenant,
    id: &OrderId,
    ids: &dyn IdSource,
    now: Timestamp,
    once: Option<Once<OrderStepOutcome>>,
) -> StoreResult<Execution<OrderStepOutcome>> {
    let step = OrderStep::Cancel { transaction_id: ids.transaction_id() };
    let change = tenant.changing_catalogue(now);
    let execution = tenant.data.step_order(id, &step, now, once).await;
    if is_same_to_clients(&execution) {
        change.dismiss();
    }
    execution
}

/// Whether clients surely see the catalogue as before. A replay says nothing of it: the request that was
/// executed may have been cut before it could tell. Nor does a wrong step: it may be the right one again.
fn is_same_to_clients(execution: &StoreResult<Execution<OrderStepOutcome>>) -> bool {
    match execution {
        Ok(Execution::Executed(OrderStepOutcome::Done(written))) => !written.changes_catalogue,
        Ok(
            Execution::Executed(
                OrderStepOutcome::Unknown | OrderStepOutcome::OutOfRange | OrderStepOutcome::RefundRecorded,
            )
            | Execution::KeyTaken
            | Execution::TooManyKeys,
        )
        | Err(StoreError::Overloaded) => true,
        // What became of a write that failed nobody knows.
        Ok(Execution::Executed(OrderStepOutcome::AlreadyClosed(_)) | Execution::Replayed(_)) | Err(_) => {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_write_that_was_not_begun_surely_changed_nothing() {
        assert!(is_same_to_clients(&Err(StoreError::Overloaded)));
        assert!(!is_same_to_clients(&Err(StoreError::Unavailable("an answer that was lost".into()))));
    }
}
