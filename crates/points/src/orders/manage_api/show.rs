//! `GET /v1/manage/orders/{orderId}`: an order of any user.

use http::StatusCode;
use pointbook_domain::OrderId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};

use crate::orders::view::ManagedOrderView;

/// Answers with one read.
pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = path_id(request.params, "orderId", OrderId::new)?;
    let order = request.tenant.data.order(&id).await?.ok_or(ApiError::NotFound)?;
    let body = Success::of(ManagedOrderView::from(&order));
    Ok(Answer::json(StatusCode::OK, &body).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("getManagedOrder", Tag::Management, "Get an order")
        .describe("Returns an order of any user.")
        .shows::<ManagedOrderView<'_>>("The order.")
}
