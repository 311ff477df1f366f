//! `POST /v1/manage/orders/{orderId}/cancel`: returns points and pieces.

use http::StatusCode;
use pointbook_domain::OrderId;
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, schema_of, title};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::FieldErrors;
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest, path_id};
use pointbook_store::limits::MAX_TITLE_CHARS;

use crate::orders::step::cancel_order;
use crate::orders::step_answer::for_back_office;
use crate::orders::view::ManagedOrderView;

/// Returns the points and pieces of a placed order, once.
pub(super) async fn cancel(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::or_empty(&request).await?;
    let reason = read_cancellation(body.fields())?;
    let id = path_id(request.params, "orderId", OrderId::new)?;
    finish(cancel_order(&request.once(body.key, for_back_office), id, reason).await?, for_back_office)
}

fn read_cancellation(mut fields: BodyFields<'_>) -> Result<Option<String>, FieldErrors> {
    let about = "The reason. The audit log keeps it.";
    let reason = fields.optional("reason", title(MAX_TITLE_CHARS).about(about));
    fields.finish(|| Some(reason))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("cancelOrder", Tag::Management, "Cancel an order")
        .describe(
            "Returns the points and pieces of the order exactly once, as a transaction of type `order` with \
                   positive points. An order that is fulfilled or cancelled gets 409.",
        )
        .defining("Cancellation", || schema_of(read_cancellation))
        .reading(BodyDoc::OptionalJson("Cancellation", r#"{"reason": "Damaged in the store"}"#))
        .success_with_points::<ManagedOrderView<'_>>(
            StatusCode::OK,
            "The order, and the balance of the user.",
            EXAMPLE,
        )
}

const EXAMPLE: &str = include_str!("cancel.json");
