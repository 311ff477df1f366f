//! `GET /v1/store/orders/{orderId}`: an order, to the user whose it is.

use pointbook_domain::{Order, OrderId};

use crate::{Context, StoreResult};

/// The order; none when there is no such order, or when it is another user's, which nobody can tell
/// apart.
pub async fn show_own_order(context: &Context, id: &OrderId) -> StoreResult<Option<Order>> {
    let (order, user_id) = (context.tenant.data.order(id).await?, context.customer()?);
    Ok(order.filter(|order| order.user_id == *user_id))
}
