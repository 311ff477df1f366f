//! `GET /v1/store/orders/{order_id}`: one of the user's own orders.

use http::StatusCode;
use pointbook_app::show_own_order;
use pointbook_domain::OrderId;

use crate::answer::Answer;
use crate::response::Response;
use crate::routes::path_id;
use crate::wire::order::OrderView;
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Another user's order is one that does not exist.
pub(super) async fn show(asked: Asked<'_>) -> Result<Response, ApiError> {
    let customer = asked.customer()?;
    let id = path_id(asked.path, OrderId::new).ok_or(ApiError::NotFound)?;
    let order = show_own_order(asked.tenant, customer, &id).await?;
    let order = order.ok_or(ApiError::NotFound)?;
    let body = Success::of(OrderView::for_customer(&order));
    Ok(Answer::json(StatusCode::OK, &body).into_response())
}
