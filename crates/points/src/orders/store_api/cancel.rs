//! `POST /v1/store/orders/{orderId}/cancel`: the customer takes a placed order back.

use http::StatusCode;
use pointbook_domain::OrderId;
use pointbook_http::answer::finish;
use pointbook_http::body::EmptyBody;
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest, path_id};

use crate::orders::own::cancel_own_order;
use crate::orders::step_answer::for_customer;
use crate::orders::view::OrderView;

/// Returns the points and pieces of a placed order, once.
pub(super) async fn cancel(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = EmptyBody::of(&request).await?;
    let id = path_id(request.params, "orderId", OrderId::new)?;
    finish(cancel_own_order(&request.once(body.key, for_customer), id).await?, for_customer)
}

pub(super) fn documentation() -> Operation {
    Operation::ours("cancelOwnOrder", Tag::Store, "Cancel one of the customer's own orders")
        .describe(
            "Returns the points and pieces of a placed order exactly once, as a transaction of type `order` with positive \
             points. An order that is fulfilled or cancelled gets 409 with `order_fulfilled` or `order_cancelled`. \
             Tenants decide whether customers may cancel: otherwise 409 with `cancelling_is_off`. An order of another user \
             gets 404.",
        )
        .reading(BodyDoc::Empty)
        .success_with_points::<OrderView<'_>>(StatusCode::OK, "The order, and the balance after it.", EXAMPLE)
}

const EXAMPLE: &str = include_str!("cancel.json");
