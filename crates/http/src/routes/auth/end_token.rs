//! `DELETE /v1/auth/token`: ends the token that the request came with.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use pointbook_app::revoke_token;

use crate::answer::Answer;
use crate::auth::Sender;
use crate::wire::success::Done;
use crate::{ApiError, RequestContext};

/// A token that was ended elsewhere meanwhile is as ended as it should be.
pub(super) async fn end_token(context: RequestContext, sender: Sender) -> Result<Response, ApiError> {
    revoke_token(&context.tenant, &sender.token_hash(), context.now).await?;
    Ok(Answer::json(StatusCode::OK, &Done::new()).into_response())
}
