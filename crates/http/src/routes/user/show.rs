//! `GET /v1/user`: the signed-in user.

use http::StatusCode;

use crate::answer::Answer;
use crate::response::Response;
use crate::wire::success::Success;
use crate::wire::user::UserView;
use crate::{ApiError, Asked};

/// Answers with one read.
pub(in crate::routes) async fn show(asked: Asked<'_>) -> Result<Response, ApiError> {
    let customer = asked.customer()?;
    let user = asked.tenant.data.user(customer).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(UserView::from(&user))).into_response())
}
