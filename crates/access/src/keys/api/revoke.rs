//! `DELETE /v1/manage/keys/{keyId}`: revokes a key.

use http::StatusCode;
use pointbook_domain::TokenId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Done;
use pointbook_http::{Answer, ApiError, ApiRequest};

use crate::tokens::revoke::{RevokeKeyOutcome, revoke_key};

pub(super) async fn revoke(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = request.params.text("keyId").and_then(|text| TokenId::parse(&text).ok());
    match revoke_key(&request.context(), id.ok_or(ApiError::NotFound)?).await? {
        RevokeKeyOutcome::Revoked => Ok(Answer::json(StatusCode::OK, &Done::success()).into_response()),
        RevokeKeyOutcome::Unknown => Err(ApiError::NotFound),
        RevokeKeyOutcome::OfMaker => Err(ApiError::Forbidden),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("revokeApiKey", Tag::Management, "Revoke an API key")
        .describe(
            "Later requests with the key get 401; other instances follow after some seconds. A key may revoke itself. \
             It cannot revoke the key that added it, nor the maker of that key: 403 `forbidden`. A revoked or expired key \
             gets 404.",
        )
        .body::<Done>(StatusCode::OK, "The key is revoked.", r#"{"success": true}"#)
}
