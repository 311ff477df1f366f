//! `PUT` and `DELETE /v1/manage/webhooks/{webhookId}`.

use http::StatusCode;
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::{Done, Success};
use pointbook_http::{Answer, ApiError, ApiRequest};

use super::fields::{judge, read_fields, receiver_permit, refused, webhook_id};
use crate::webhooks::view::WebhookView;
use crate::webhooks::{Outbox, WebhookFields, WebhookOutcome, put_webhook, remove_webhook};

pub(super) async fn put(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let outbox = request.state.parts.get::<Outbox>()?;
    let body = JsonBody::of(&request).await?;
    let webhook = read_change(body.fields(), judge(outbox))?;
    // Only then it resolves the host.
    let _permit = webhook.is_enabled.then(|| receiver_permit(outbox, &request)).transpose()?;
    let id = webhook_id(request.params)?;
    let execution = put_webhook(&request.context(), outbox, &id, webhook).await?;
    finish(execution, show)
}

fn read_change(
    mut fields: BodyFields<'_>,
    check: impl Fn(&str) -> Result<(), Rule>,
) -> Result<WebhookFields, FieldErrors> {
    let webhook = read_fields(&mut fields, check, true);
    fields.finish(|| webhook)
}

pub(super) async fn remove(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = webhook_id(request.params)?;
    let answer = match remove_webhook(&request.context(), &id).await? {
        WebhookOutcome::Removed => Answer::json(StatusCode::OK, &Done::success()),
        other => refused(&other),
    };
    Ok(answer.into_response())
}

/// The webhook after a change.
pub(super) fn show(outcome: &WebhookOutcome) -> Answer {
    match outcome {
        WebhookOutcome::Stored(webhook) => {
            Answer::json(StatusCode::OK, &Success::of(WebhookView::from(&**webhook)))
        }
        other => refused(other),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("putWebhook", Tag::Management, "Change a webhook")
        .describe(
            "Replaces all fields. A field that is left out gets its default. The secret and the cursor stay. A disabled webhook \
             that is enabled again continues where it stopped.",
        )
        .defining("WebhookChange", || schema_of(|fields| read_change(fields, |_| Ok(()))))
        .reading(BodyDoc::Json("WebhookChange", BODY))
        .success::<WebhookView<'_>>(StatusCode::OK, "The webhook.", EXAMPLE)
}

pub(super) fn remove_documentation() -> Operation {
    Operation::ours("removeWebhook", Tag::Management, "Remove a webhook")
        .describe("Removes the webhook with its attempts. Requests of a delivery in progress may still arrive for half a minute.")
        .body::<Done>(StatusCode::OK, "The webhook is removed.", r#"{"success": true}"#)
}

const BODY: &str = r#"{"url": "https://shop.example.com/hooks/points", "mode": "nudge", "enabled": true}"#;

pub(super) const EXAMPLE: &str = r#"{
    "success": true,
    "data": {
        "id": "wh_a0a1a2a3a4a5a6a7a8a9",
        "url": "https://shop.example.com/hooks/points",
        "event_types": [],
        "mode": "nudge",
        "parallel": 1,
        "state": "active",
        "disabled_because": null,
        "state_since": "2026-05-04T08:00:00.000000Z",
        "previous_secret_until": null,
        "created_at": "2026-05-04T08:00:00.000000Z"
    }
}"#;
