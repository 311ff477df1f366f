//! `DELETE /v1/auth/token`: revokes the token of the request.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Done;
use pointbook_http::{Answer, ApiError, ApiRequest};

use crate::tokens::revoke::revoke_token;

/// A token that was revoked elsewhere meanwhile is also a success.
pub(super) async fn end_token(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    revoke_token(&request.context(), request.sender.token_hash()).await?;
    Ok(Answer::json(StatusCode::OK, &Done::success()).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("endToken", Tag::Account, "Sign out")
        .describe(
            "Revokes the token of the request. Later requests with it get 401. If you try it on the page at \
                   `/docs`, it revokes the token that you entered there.",
        )
        .body::<Done>(StatusCode::OK, "The token is revoked.", r#"{"success": true}"#)
}
