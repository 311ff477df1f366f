//! `GET /v1/manage/orders/{order_id}`: one order, whoever's it is.

use http::StatusCode;
use pointbook_domain::OrderId;

use crate::answer::Answer;
use crate::response::Response;
use crate::routes::path_id;
use crate::wire::order::OrderView;
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Answers with one read.
pub(super) async fn show(asked: Asked<'_>) -> Result<Response, ApiError> {
    let id = path_id(asked.path, OrderId::new).ok_or(ApiError::NotFound)?;
    let order = asked.tenant.data.order(&id).await?.ok_or(ApiError::NotFound)?;
    let body = Success::of(OrderView::for_back_office(&order));
    Ok(Answer::json(StatusCode::OK, &body).into_response())
}
