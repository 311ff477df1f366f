//! `GET /v1/store/orders/{order_id}`: one of the user's own orders.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};
use pointbook_app::show_own_order;
use pointbook_domain::OrderId;

use crate::answer::Answer;
use crate::auth::Customer;
use crate::routes::path_id;
use crate::wire::order::OrderView;
use crate::wire::success::Success;
use crate::{ApiError, RequestContext};

/// Another user's order is one that does not exist.
pub(super) async fn show(
    context: RequestContext,
    customer: Customer,
    uri: Uri,
) -> Result<Response, ApiError> {
    let id = path_id(&uri, OrderId::new).ok_or(ApiError::NotFound)?;
    let order = show_own_order(&context.tenant, &customer.user_id, &id).await?;
    let order = order.ok_or(ApiError::NotFound)?;
    let body = Success::of(OrderView::for_customer(&order));
    Ok(Answer::json(StatusCode::OK, &body).into_response())
}
