//! `POST /v1/manage/orders/{orderId}/fulfil`: marks an order as delivered.

use http::StatusCode;
use pointbook_domain::OrderId;
use pointbook_http::answer::finish;
use pointbook_http::body::EmptyBody;
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest, path_id};

use crate::orders::step::fulfil_order;
use crate::orders::step_answer::for_back_office;
use crate::orders::view::ManagedOrderView;

/// Closes a placed order.
pub(super) async fn fulfil(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = EmptyBody::of(&request).await?;
    let id = path_id(request.params, "orderId", OrderId::new)?;
    finish(fulfil_order(&request.once(body.key, for_back_office), id).await?, for_back_office)
}

pub(super) fn documentation() -> Operation {
    Operation::ours("fulfilOrder", Tag::Management, "Fulfil an order")
        .describe("Marks a placed order as fulfilled. An order that is fulfilled or cancelled gets 409.")
        .reading(BodyDoc::Empty)
        .success_with_points::<ManagedOrderView<'_>>(
            StatusCode::OK,
            "The order, and the balance of the user.",
            EXAMPLE,
        )
}

const EXAMPLE: &str = include_str!("fulfil.json");
