//! `POST /v1/manage/webhooks/{webhookId}/test`: sends one request now.

use http::StatusCode;
use pointbook_http::body::EmptyBody;
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use super::fields::{receiver_permit, webhook_id};
use crate::webhooks::view::WebhookTestView;
use crate::webhooks::{Outbox, TestResult, show_webhook};

pub(super) async fn test(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    EmptyBody::of(&request).await?;
    let status = show_webhook(&*request.tenant.data, &webhook_id(request.params)?).await?;
    let webhook = status.ok_or(ApiError::NotFound)?.webhook;
    let outbox = request.state.parts.get::<Outbox>()?;
    let _permit = receiver_permit(outbox, &request)?;
    let id = format!("test_{}", request.context::<()>().ids.transaction_id());
    let real_now = request.service.clock.now();
    let TestResult { status, duration_ms, error } = outbox.test(&webhook, &id, real_now, request.now).await?;
    let view = WebhookTestView { status: status.map(u32::from), duration_ms, error };
    Ok(Answer::json(StatusCode::OK, &Success::of(view)).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("testWebhook", Tag::Management, "Send a test to a webhook")
        .describe(
            "Sends an event of type `webhook.test`, which is not in the feed, also to a disabled webhook. The response says what \
             the receiver responded within 8 seconds. A repeated request sends another test.",
        )
        .reading(BodyDoc::Empty)
        .success::<WebhookTestView<'_>>(StatusCode::OK, "The result.", EXAMPLE)
}

const EXAMPLE: &str = r#"{"success": true, "data": {"status": 204, "duration_ms": 38, "error": null}}"#;
