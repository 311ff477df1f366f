//! `GET /v1/store/orders/{orderId}`: an order, to the user whose it is.

use pointbook_domain::{Order, OrderId, UserId};

use crate::{ServedTenant, StoreResult};

/// The order; none when there is no such order, or when it is another user's, which nobody can tell
/// apart.
///
/// # Errors
/// When the store fails.
pub async fn show_own_order(
    tenant: &ServedTenant,
    user_id: &UserId,
    id: &OrderId,
) -> StoreResult<Option<Order>> {
    let order = tenant.data.order(id).await?;
    Ok(order.filter(|order| order.user_id == *user_id))
}
