//! The fields of a webhook in a body.

use std::borrow::Cow;
use std::fmt::Display;

use pointbook_domain::webhook::{MAX_LANES, MAX_WEBHOOK_URL_BYTES};
use pointbook_domain::{EventType, EventTypes, WebhookMode};
use pointbook_http::body::{BodyFields, boolean, choice, integer_in, list, text};
use pointbook_http::describe::{Field, Schema, optional, required};
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::{Answer, ApiError, ApiRequest, PathParams};

use crate::webhooks::view::{event_types_schema, mode_schema, parallel_schema, url_schema};
use crate::webhooks::{Outbox, ReceiverPermit, WebhookFields, WebhookOutcome, WebhookRefusal};

/// The id in the path. It may name no webhook.
pub(super) fn webhook_id(params: PathParams<'_>) -> Result<String, ApiError> {
    params.text("webhookId").map(Cow::into_owned).ok_or(ApiError::NotFound)
}

/// Reads the fields that both writes have. `None` when one is refused. `outbox` judges the URL as far as no resolver is needed, so that
/// all faults come at once. A webhook whose host is gone can be disabled, so a change that disables has no judge.
pub(super) fn read_fields(
    fields: &mut BodyFields<'_>,
    outbox: &Outbox,
    may_be_gone: bool,
) -> Option<WebhookFields> {
    let url = fields.required("url", text(MAX_WEBHOOK_URL_BYTES));
    let types = fields.optional("event_types", list(EventType::ALL.len(), choice(EventType::parse)));
    let mode = fields.not_null("mode", choice(WebhookMode::parse));
    let lanes = fields.optional("parallel", integer_in(1..=MAX_LANES));
    let is_enabled = fields.optional("enabled", boolean);
    let is_gone = may_be_gone && is_enabled == Some(false);
    if let Some(Err(refusal)) = url.as_deref().filter(|_| !is_gone).map(|url| outbox.check_text(url)) {
        fields.refuse("url", url_rule(&refusal));
    }
    Some(WebhookFields {
        url: url?,
        types: EventTypes(types.unwrap_or_default()),
        mode: mode.unwrap_or(WebhookMode::Each),
        lanes: lanes.unwrap_or(1),
        is_enabled: is_enabled.unwrap_or(true),
    })
}

/// The response to a refused change.
pub(super) fn refused(outcome: &WebhookOutcome) -> Answer {
    let error = match outcome {
        WebhookOutcome::NotFound => ApiError::NotFound,
        WebhookOutcome::TooMany => Conflict::TooManyWebhooks.into(),
        WebhookOutcome::NotBlocked => Conflict::NotBlocked.into(),
        WebhookOutcome::Refused(WebhookRefusal::CursorGone(feed)) => ApiError::CursorGone(*feed),
        WebhookOutcome::Refused(WebhookRefusal::Url(refusal)) => {
            FieldErrors::one("url", url_rule(refusal)).into()
        }
        WebhookOutcome::Stored(_) | WebhookOutcome::Removed => ApiError::Internal,
    };
    error.into()
}

fn url_rule(refusal: &impl Display) -> Rule {
    Rule::sentence(FieldCode::NotAReceiver, format!("The url cannot be used: {refusal}."))
}

pub(super) fn field_schemas() -> impl Iterator<Item = Field> {
    let enabled = "False to send no requests. The cursor stays. Enabling a webhook again tries at once.";
    [
        required("url", url_schema()),
        optional("event_types", event_types_schema().or_null()),
        optional("mode", mode_schema()),
        optional("parallel", parallel_schema().or_null()),
        optional("enabled", Schema::boolean().or_null().describe(enabled)),
    ]
    .into_iter()
}

/// The permit to test a webhook or to resolve its host, because either may be slow.
///
/// # Errors
/// 503 without a free permit.
pub(super) fn receiver_permit(outbox: &Outbox, request: &ApiRequest<'_>) -> Result<ReceiverPermit, ApiError> {
    outbox.permit(&request.tenant.tenant.id).map_err(|_| ApiError::Unavailable)
}
