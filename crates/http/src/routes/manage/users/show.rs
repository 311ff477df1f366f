//! `GET /v1/manage/users/{user_id}`: one user.

use http::StatusCode;
use pointbook_domain::UserId;

use crate::answer::Answer;
use crate::response::Response;
use crate::routes::path_id;
use crate::wire::success::Success;
use crate::wire::user::UserView;
use crate::{ApiError, Asked};

/// Answers with one read.
pub(super) async fn show(asked: Asked<'_>) -> Result<Response, ApiError> {
    let id = path_id(asked.path, UserId::new).ok_or(ApiError::NotFound)?;
    let user = asked.tenant.data.user(&id).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(UserView::from(&user))).into_response())
}
