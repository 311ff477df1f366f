//! `POST /v1/manage/orders/{orderId}/cancel`: returns points and pieces.

use http::StatusCode;
use pointbook_app::cancel_order;
use pointbook_describe::{BodyDoc, Operation};
use pointbook_domain::OrderId;
use pointbook_http_kernel::Response;
use pointbook_requests::body::EmptyBody;

use crate::answer::finish;
use crate::answer::order_step::for_back_office;
use crate::openapi::Tag;
use crate::routes::path_id;
use crate::{ApiError, ApiRequest};

/// Returns the points and pieces of a placed order, once.
pub(super) async fn cancel(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = EmptyBody::of(&request).await?;
    let id = path_id(request.params(), "orderId", OrderId::new)?;
    finish(cancel_order(&request.once(body.key, for_back_office)?, id).await?, for_back_office)
}

pub(super) fn documentation() -> Operation {
    Operation::ours("cancelOrder", Tag::Management, "Cancel an order")
        .describe(
            "Returns the points and pieces of the order exactly once, as a transaction of type `order` with \
                   positive points. An order that is fulfilled or cancelled gets 409.",
        )
        .reading(BodyDoc::Empty)
        .answering(StatusCode::OK, "The order, and the balance of the user.", "ManagedOrderWritten", EXAMPLE)
}

const EXAMPLE: &str = include_str!("cancel.json");
