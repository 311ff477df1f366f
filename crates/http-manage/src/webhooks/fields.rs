//! The fields of a webhook in a body.

use std::borrow::Cow;

use pointbook_deliveries::{WebhookFields, WebhookOutcome, WebhookRefusal};
use pointbook_describe::{Field, Schema, optional, required};
use pointbook_domain::webhook::{MAX_LANES, MAX_WEBHOOK_URL_BYTES};
use pointbook_domain::{EventType, EventTypes, WebhookMode};
use pointbook_endpoint_kit::answer::Answer;
use pointbook_endpoint_kit::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_endpoint_kit::{ApiError, PathParams};
use pointbook_requests::body::{BodyFields, boolean, choice, integer_in, list, text};
use pointbook_wire::webhook::{event_types_schema, mode_schema, parallel_schema, url_schema};

/// The id in the path. It may name no webhook.
pub(super) fn webhook_id(params: PathParams<'_>) -> Result<String, ApiError> {
    params.text("webhookId").map(Cow::into_owned).ok_or(ApiError::NotFound)
}

/// Reads the fields that both writes have. `None` when one is refused.
pub(super) fn read_fields(fields: &mut BodyFields<'_>) -> Option<WebhookFields> {
    let url = fields.required("url", text(MAX_WEBHOOK_URL_BYTES));
    let types = fields.optional("event_types", list(EventType::ALL.len(), choice(EventType::parse)));
    let mode = fields.not_null("mode", choice(WebhookMode::parse));
    let lanes = fields.optional("parallel", integer_in(1..=MAX_LANES));
    let is_enabled = fields.optional("enabled", boolean);
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
            let message = format!("The url cannot be used: {refusal}.");
            FieldErrors::one("url", Rule::sentence(FieldCode::NotAReceiver, message)).into()
        }
        WebhookOutcome::Stored(_) | WebhookOutcome::Removed => ApiError::Internal,
    };
    error.into()
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
