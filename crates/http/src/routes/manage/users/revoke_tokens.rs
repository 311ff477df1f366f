//! `DELETE /v1/manage/users/{user_id}/tokens`: ends all tokens of a user.

use http::StatusCode;
use pointbook_app::revoke_user_tokens;
use pointbook_domain::UserId;
use serde::Serialize;

use crate::answer::Answer;
use crate::response::Response;
use crate::routes::path_id;
use crate::wire::success::Success;
use crate::{ApiError, Asked};

#[derive(Serialize)]
struct RevokedView {
    revoked: usize,
}

/// Ends them at once in this process, within the cache's age in others.
pub(super) async fn revoke_tokens(asked: Asked<'_>) -> Result<Response, ApiError> {
    let id = path_id(asked.path, UserId::new).ok_or(ApiError::NotFound)?;
    let revoked = revoke_user_tokens(asked.tenant, &id, asked.now).await?;
    let revoked = revoked.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(RevokedView { revoked })).into_response())
}
