//! `GET /v1/manage/users/{user_id}`: one user.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};
use pointbook_domain::UserId;

use crate::answer::Answer;
use crate::routes::path_id;
use crate::wire::success::Success;
use crate::wire::user::UserView;
use crate::{ApiError, RequestContext};

/// Answers with one read.
pub(super) async fn show(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let id = path_id(&uri, UserId::new).ok_or(ApiError::NotFound)?;
    let user = context.tenant.data.user(&id).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(UserView::from(&user))).into_response())
}
