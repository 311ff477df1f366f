//! `DELETE /v1/manage/users/{userId}/tokens`: revokes all tokens of a user.

use http::StatusCode;
use pointbook_access::tokens::revoke::revoke_user_tokens;
use pointbook_domain::UserId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::{Success, success_named};
use pointbook_http::{Answer, ApiError, ApiRequest, path_id, view};

view! {
    struct RevokedView {
        revoked: usize,
    }
}

/// Revokes them at once in this process, and within the age of the caches in other instances.
pub(super) async fn revoke_tokens(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = path_id(request.params, "userId", UserId::new)?;
    let revoked = revoke_user_tokens(&request.context(), &id).await?;
    let revoked = revoked.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(RevokedView { revoked })).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("revokeUserTokens", Tag::Management, "Revoke all tokens of a user")
        .describe("Later requests with these tokens get 401; other instances follow after some seconds.")
        .answering(
            StatusCode::OK,
            "The number of revoked tokens.",
            success_named::<RevokedView>("TokensRevoked"),
            r#"{"success": true, "data": {"revoked": 2}}"#,
        )
}
