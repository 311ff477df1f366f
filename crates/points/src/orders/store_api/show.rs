//! `GET /v1/store/orders/{orderId}`: one of the user's own orders.

use http::StatusCode;
use pointbook_domain::OrderId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};

use crate::orders::own::show_own_order;
use crate::orders::view::OrderView;

/// An order of another user counts as missing.
pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = path_id(request.params, "orderId", OrderId::new)?;
    let order = show_own_order(&request.context(), &id).await?;
    let order = order.ok_or(ApiError::NotFound)?;
    let body = Success::of(OrderView::from(&order));
    Ok(Answer::json(StatusCode::OK, &body).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("getOrder", Tag::Store, "Get one of the customer's own orders")
        .describe("Returns an order of the signed-in customer. An order of another user gets 404.")
        .shows::<OrderView<'_>>("The order.")
}
