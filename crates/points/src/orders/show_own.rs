//! `GET /v1/store/orders/{orderId}`: an order of the customer.

use pointbook_domain::{Order, OrderId};
use pointbook_store::context::Context;
use pointbook_store::ports::StoreResult;

/// The order. `None` when it does not exist or belongs to another user: the caller cannot tell which.
pub async fn show_own_order(context: &Context, id: &OrderId) -> StoreResult<Option<Order>> {
    let (order, user_id) = (context.tenant.data.order(id).await?, context.customer()?);
    Ok(order.filter(|order| order.user_id == *user_id))
}
