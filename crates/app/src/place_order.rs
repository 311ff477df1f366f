//! `POST /v1/store/orders`: points for pieces of a product.

use pointbook_domain::{ProductId, Quantity, Timestamp, UserId};

use crate::ports::{Execution, NewOrder, Once, PlaceOrderOutcome};
use crate::{IdSource, ServedTenant, StoreError, StoreResult};

/// Takes points and stock at the price of this moment, or does nothing. Where clients see another
/// catalogue then, the next request sees it.
///
/// # Errors
/// When the store fails; then nothing was taken, or the request's key tells.
pub async fn place_order(
    tenant: &ServedTenant,
    user_id: &UserId,
    product_id: ProductId,
    quantity: Quantity,
    ids: &dyn IdSource,
    now: Timestamp,
    once: Option<Once<PlaceOrderOutcome>>,
) -> StoreResult<Execution<PlaceOrderOutcome>> {
    let order = NewOrder {
        id: ids.order_id(),
        number: ids.order_number(),
        transaction_id: ids.transaction_id(),
        user_id: user_id.clone(),
        product_id,
        quantity,
        at: now,
    };
    let change = tenant.changing_catalogue(now);
    let execution = tenant.data.place_order(order, once).await;
    if is_same_to_clients(&execution) {
        change.dismiss();
    }
    execution
}

/// Whether clients surely see the catalogue as before. A replay says nothing of it: the request that was
/// executed may have been cut before it could tell.
fn is_same_to_clients(execution: &StoreResult<Execution<PlaceOrderOutcome>>) -> bool {
    match execution {
        Ok(Execution::Executed(PlaceOrderOutcome::Placed(written))) => !written.changes_catalogue,
        Ok(
            Execution::Executed(PlaceOrderOutcome::Refused(_)) | Execution::KeyTaken | Execution::TooManyKeys,
        )
        | Err(StoreError::Overloaded) => true,
        // What became of a write that failed nobody knows.
        Ok(Execution::Replayed(_)) | Err(_) => false,
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
