//! `POST /v1/manage/webhooks/{webhookId}/rewind` and `/skip`: move the cursor of a webhook.

use http::StatusCode;
use pointbook_domain::Cursor;
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, choice, integer_in, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::FieldErrors;
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest};

use super::fields::webhook_id;
use super::put::{EXAMPLE, show};
use crate::webhooks::view::WebhookView;
use crate::webhooks::{WebhookChange, change_webhook, rewind_webhook};

pub(super) async fn rewind(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let after = read_rewind(body.fields())?;
    let id = webhook_id(request.params)?;
    let context = request.once(body.key, show);
    finish(rewind_webhook(&context, &id, after).await?, show)
}

pub(super) async fn skip(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let position = read_skip(body.fields())?.unsigned_abs();
    let id = webhook_id(request.params)?;
    let context = request.once(body.key, show);
    finish(change_webhook(&context, &id, WebhookChange::Skip(position)).await?, show)
}

fn read_rewind(mut fields: BodyFields<'_>) -> Result<Cursor, FieldErrors> {
    let after = fields.required("after", choice(Cursor::parse).about("A cursor of the feed."));
    fields.finish(|| after)
}

fn read_skip(mut fields: BodyFields<'_>) -> Result<i64, FieldErrors> {
    let position = fields.required("position", integer_in(1..=i64::MAX));
    fields.finish(|| position)
}

pub(super) fn rewind_documentation() -> Operation {
    Operation::ours("rewindWebhook", Tag::Management, "Deliver events again")
        .describe(
            "Sets the cursor of the webhook, back or forward. The next delivery is the first event after it. Repeated events have \
             the `webhook-id` that they had before.",
        )
        .defining("WebhookRewind", || schema_of(read_rewind))
        .reading(BodyDoc::Json("WebhookRewind", r#"{"after": "1-41"}"#))
        .with_cursor()
        .success::<WebhookView<'_>>(StatusCode::OK, "The webhook.", EXAMPLE)
}

pub(super) fn skip_documentation() -> Operation {
    Operation::ours("skipWebhookEvent", Tag::Management, "Skip an event that the receiver cannot take")
        .describe(
            "Passes the event whose delivery failed last: `delivery.failed_position` of the webhook. The feed keeps the event. \
             Another position gets 409 `not_blocked`.",
        )
        .defining("WebhookSkip", || schema_of(read_skip))
        .reading(BodyDoc::Json("WebhookSkip", r#"{"position": 42}"#))
        .success::<WebhookView<'_>>(StatusCode::OK, "The webhook.", EXAMPLE)
}
