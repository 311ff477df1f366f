//! `GET /v1/manage/orders/{order_id}`: one order, whoever's it is.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};
use pointbook_domain::OrderId;

use crate::answer::Answer;
use crate::routes::path_id;
use crate::wire::order::OrderView;
use crate::wire::success::Success;
use crate::{ApiError, RequestContext};

/// Answers with one read.
pub(super) async fn show(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let id = path_id(&uri, OrderId::new).ok_or(ApiError::NotFound)?;
    let order = context.tenant.data.order(&id).await?.ok_or(ApiError::NotFound)?;
    let body = Success::of(OrderView::for_back_office(&order));
    Ok(Answer::json(StatusCode::OK, &body).into_response())
}
