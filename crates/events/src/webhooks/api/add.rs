//! `POST /v1/manage/webhooks` and its `/rotate`: both make a secret, which only their responses show.

use http::StatusCode;
use pointbook_access::tokens::secret_text::{SecretText, kept_issue};
use pointbook_domain::{Cursor, Timestamp};
use pointbook_http::answer::answer;
use pointbook_http::body::{BodyFields, EmptyBody, JsonBody, Reader, choice, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use super::fields::{judge, read_fields, receiver_permit, refused, webhook_id};
use crate::webhooks::view::WebhookSecretView;
use crate::webhooks::{
    NewWebhook, Outbox, WebhookChange, WebhookFields, WebhookOutcome, add_webhook, change_webhook,
    webhook_id_of, webhook_secret_of,
};

pub(super) async fn add(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let outbox = request.state.parts.get::<Outbox>()?;
    let (fields, after) = read_webhook(body.fields(), judge(outbox))?;
    let _permit = receiver_permit(outbox, &request)?;
    let (key, now) = (body.key, request.now);
    let text = SecretText::of(&request, key.clone()).await?;
    let first = text.new_text(now);
    let context = request.once(key, move |outcome| kept(outcome, now));
    let new =
        NewWebhook { id: webhook_id_of(&first), fields, secret: webhook_secret_of(&first), start: after };
    let execution = add_webhook(&context, outbox, new).await?;
    let (kept, is_repeated) = answer(execution, |outcome| kept(outcome, now))?;
    text.respond(kept, is_repeated, |text, _| show(&webhook_id_of(text), text))
}

pub(super) async fn rotate(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let EmptyBody { key } = EmptyBody::of(&request).await?;
    let (id, now) = (webhook_id(request.params)?, request.now);
    let text = SecretText::of(&request, key.clone()).await?;
    let context = request.once(key, move |outcome| kept(outcome, now));
    let change = WebhookChange::Rotate(webhook_secret_of(&text.new_text(now)));
    let execution = change_webhook(&context, &id, change).await?;
    let (kept, is_repeated) = answer(execution, |outcome| kept(outcome, now))?;
    text.respond(kept, is_repeated, |text, _| show(&id, text))
}

fn read_webhook(
    mut fields: BodyFields<'_>,
    check: impl Fn(&str) -> Result<(), Rule>,
) -> Result<(WebhookFields, Option<Cursor>), FieldErrors> {
    let webhook = read_fields(&mut fields, check, false);
    let after = "The cursor after which the deliveries begin, such as `meta.cursor` of a list of events.";
    let after = fields.optional("after", choice(Cursor::parse).about(after));
    fields.finish(|| Some((webhook?, after)))
}

/// The kept response: the time in place of the secret.
fn kept(outcome: &WebhookOutcome, now: Timestamp) -> Answer {
    match outcome {
        WebhookOutcome::Stored(_) => kept_issue(now),
        other => refused(other),
    }
}

fn show(id: &str, text: &str) -> Answer {
    let secret = webhook_secret_of(text);
    let view = WebhookSecretView { id, secret: secret.reveal() };
    Answer::json(StatusCode::CREATED, &Success::of(view))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("addWebhook", Tag::Management, "Add a webhook")
        .describe(
            "The server delivers the events of the feed to the URL, signed as [Standard Webhooks](https://www.standardwebhooks.com) \
             says. It shows the secret only in this response, and again when the request is repeated with its \
             `Idempotency-Key`. The webhook begins after the newest event, or after the cursor `after`. The host must have \
             global addresses. A tenant has at most 20 webhooks: 409 `too_many_webhooks`.",
        )
        .defining("NewWebhook", || schema_of(|fields| read_webhook(fields, |_| Ok(()))))
        .reading(BodyDoc::Json("NewWebhook", BODY))
        .with_cursor()
        .success::<WebhookSecretView<'_>>(StatusCode::CREATED, "The webhook, with its secret.", EXAMPLE)
}

pub(super) fn rotate_documentation() -> Operation {
    Operation::ours("rotateWebhookSecret", Tag::Management, "Replace the secret of a webhook")
        .describe(
            "Makes a new secret. For 24 hours each request has two signatures: of the new secret and of the one before. Give the \
             new one to the receiver within that time.",
        )
        .reading(BodyDoc::Empty)
        .success::<WebhookSecretView<'_>>(StatusCode::CREATED, "The new secret.", EXAMPLE)
}

const BODY: &str = r#"{
    "url": "https://shop.example.com/hooks/points",
    "event_types": ["transaction.recorded", "order.placed"],
    "parallel": 4
}"#;

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {
        "id": "wh_a0a1a2a3a4a5a6a7a8a9",
        "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs="
    }
}"#;
