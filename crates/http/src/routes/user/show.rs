//! `GET /v1/user`: the signed-in user.

use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::answer::Answer;
use crate::auth::Customer;
use crate::wire::success::Success;
use crate::wire::user::UserView;
use crate::{ApiError, RequestContext};

/// Answers with one read.
pub(in crate::routes) async fn show(
    context: RequestContext,
    customer: Customer,
) -> Result<Response, ApiError> {
    let user = context.tenant.data.user(&customer.user_id).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(UserView::from(&user))).into_response())
}
