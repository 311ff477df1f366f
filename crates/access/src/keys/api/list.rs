//! `GET /v1/manage/keys`: the active keys, the oldest first.

use http::StatusCode;
use pointbook_domain::TokenKind;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::{ApiError, ApiRequest};
use pointbook_store::ports::TokenFilter;

use crate::keys::view::{KeyListView, KeyView};
use crate::tokens::issue::list_tokens;

pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let filter = TokenFilter::Of(TokenKind::SuperUser);
    let keys = list_tokens(&*request.tenant.data, &filter).await?;
    let data = keys.iter().filter(|key| key.is_good_at(request.now)).map(KeyView::from).collect();
    let body = serde_json::to_vec(&KeyListView { data }).map_err(|_| ApiError::Internal)?;
    Ok(json(StatusCode::OK, body))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listApiKeys", Tag::Management, "List API keys")
        .describe("The keys that are neither revoked nor expired, the oldest first. A tenant has at most 50.")
        .body::<KeyListView<'_>>(StatusCode::OK, "The active keys.", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "data": [
        {
            "id": "a0a1a2a3a4a5a6a7a8a9",
            "label": "Warehouse",
            "scopes": ["orders:read", "orders:write"],
            "networks": ["203.0.113.0/24"],
            "created_at": "2026-05-04T08:00:00.000000Z",
            "created_by": "command-line",
            "expires_at": "2027-05-04T08:00:00.000000Z",
            "last_used_at": "2026-05-05T07:00:00.000000Z"
        }
    ]
}"#;
