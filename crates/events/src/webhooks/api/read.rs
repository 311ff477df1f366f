//! Reads webhooks and their attempts.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use super::fields::webhook_id;
use crate::webhooks::query::attempt_list;
use crate::webhooks::view::{WebhookAttemptListView, WebhookAttemptView, WebhookListView, WebhookStatusView};
use crate::webhooks::{WebhookStatus, list_attempts, list_webhooks, show_webhook};

pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let webhooks = list_webhooks(&*request.tenant.data).await?;
    let body = serde_json::to_vec(&WebhookListView { data: webhooks.iter().map(view).collect() });
    Ok(json(StatusCode::OK, body.map_err(|_| ApiError::Internal)?))
}

pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let status = show_webhook(&*request.tenant.data, &webhook_id(request.params)?).await?;
    let status = status.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(view(&status))).into_response())
}

pub(super) async fn attempts(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let limit = request.query_string.read(attempt_list)?;
    let (id, now) = (webhook_id(request.params)?, request.service.clock.now());
    let attempts = list_attempts(&*request.tenant.data, &id, limit, now).await?;
    let attempts = attempts.ok_or(ApiError::NotFound)?;
    let data = attempts.iter().map(WebhookAttemptView::from).collect();
    let body = serde_json::to_vec(&WebhookAttemptListView { data }).map_err(|_| ApiError::Internal)?;
    Ok(json(StatusCode::OK, body))
}

fn view(status: &WebhookStatus) -> WebhookStatusView<'_> {
    WebhookStatusView::new(&status.webhook, status.progress.as_ref(), &status.feed)
}

pub(super) fn list_documentation() -> Operation {
    Operation::ours("listWebhooks", Tag::Management, "List webhooks")
        .describe("All webhooks of the tenant, by id, each with how far its deliveries are. A tenant has at most 20.")
        .body::<WebhookListView<'_>>(StatusCode::OK, "The webhooks.", LIST)
}

pub(super) fn show_documentation() -> Operation {
    Operation::ours("showWebhook", Tag::Management, "Show a webhook")
        .describe("The webhook, and how far its deliveries are. The secret is not shown again.")
        .success::<WebhookStatusView<'_>>(StatusCode::OK, "The webhook.", SHOW)
}

pub(super) fn attempts_documentation() -> Operation {
    Operation::ours("listWebhookAttempts", Tag::Management, "List attempts of a webhook")
        .describe(
            "The attempts of the last three days, the newest first: at most the last 1,000 that the receiver accepted and the \
             last 1,000 that failed. The server keeps nothing of a receiver's response but its status.",
        )
        .taking(describe(attempt_list))
        .body::<WebhookAttemptListView<'_>>(StatusCode::OK, "The attempts, perhaps none.", ATTEMPTS)
}

macro_rules! status {
    () => {
        r#"{
        "id": "wh_a0a1a2a3a4a5a6a7a8a9",
        "url": "https://shop.example.com/hooks/points",
        "event_types": ["transaction.recorded", "order.placed"],
        "mode": "each",
        "parallel": 4,
        "state": "active",
        "disabled_because": null,
        "state_since": "2026-05-04T08:00:00.000000Z",
        "previous_secret_until": null,
        "created_at": "2026-05-04T08:00:00.000000Z",
        "delivery": {
            "cursor": "1-41",
            "lag": 1,
            "delivered_count": 40,
            "failed_count": 1,
            "failures_in_row": 1,
            "failing_since": "2026-05-04T08:16:00.000000Z",
            "failed_position": 42,
            "retry_at": "2026-05-04T08:16:05.000000Z"
        }
    }"#
    };
}

const SHOW: &str = concat!(r#"{"success": true, "data": "#, status!(), "}");
const LIST: &str = concat!(r#"{"data": ["#, status!(), "]}");

const ATTEMPTS: &str = r#"{
    "data": [
        {"at": "2026-05-04T08:16:00.000000Z", "position": 42, "status": 500, "duration_ms": 31, "error": "status"},
        {"at": "2026-05-04T08:15:31.000000Z", "position": 41, "status": 204, "duration_ms": 12, "error": null}
    ]
}"#;
