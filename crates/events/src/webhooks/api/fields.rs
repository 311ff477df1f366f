//! The fields of a webhook in a body.

use std::borrow::Cow;
use std::fmt::Display;

use pointbook_domain::webhook::{MAX_LANES, MAX_WEBHOOK_URL_BYTES};
use pointbook_domain::{EventType, EventTypes, WebhookMode};
use pointbook_http::body::{BodyFields, Reader, boolean, choice, integer_in, list, text};
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::{Answer, ApiError, ApiRequest, PathParams};

use crate::webhooks::view::{event_types_schema, mode_schema, parallel_schema, url_schema};
use crate::webhooks::{Outbox, ReceiverPermit, WebhookFields, WebhookOutcome, WebhookRefusal};

/// The id in the path. It may name no webhook.
pub(super) fn webhook_id(params: PathParams<'_>) -> Result<String, ApiError> {
    params.text("webhookId").map(Cow::into_owned).ok_or(ApiError::NotFound)
}

/// Reads the fields that both writes have. `None` when one is refused. `check` judges the URL as far as no resolver is needed, so that
/// all faults come at once. A webhook whose host is gone can be disabled, so a change that disables has no judge.
pub(super) fn read_fields(
    fields: &mut BodyFields<'_>,
    check: impl Fn(&str) -> Result<(), Rule>,
    may_be_gone: bool,
) -> Option<WebhookFields> {
    let types = list(EventType::ALL.len(), choice(EventType::parse)).with_schema(event_types_schema);
    let enabled = boolean()
        .about("False to send no requests. The cursor stays. Enabling a webhook again tries at once.");
    let url = fields.required("url", text(MAX_WEBHOOK_URL_BYTES).with_schema(url_schema));
    let types = fields.optional("event_types", types);
    let mode = fields.not_null("mode", choice(WebhookMode::parse).with_schema(mode_schema));
    let lanes = fields.optional("parallel", integer_in(1..=MAX_LANES).with_schema(parallel_schema));
    let is_enabled = fields.optional("enabled", enabled);
    let is_gone = may_be_gone && is_enabled == Some(false);
    if let Some(Err(rule)) = url.as_deref().filter(|_| !is_gone).map(check) {
        fields.refuse("url", rule);
    }
    Some(WebhookFields {
        url: url?,
        types: EventTypes(types.unwrap_or_default()),
        mode: mode.unwrap_or(WebhookMode::Each),
        lanes: lanes.unwrap_or(1),
        is_enabled: is_enabled.unwrap_or(true),
    })
}

/// Judges a URL by what the program may send to.
pub(super) fn judge(outbox: &Outbox) -> impl Fn(&str) -> Result<(), Rule> {
    move |url| outbox.check_text(url).map_err(|refusal| url_rule(&refusal))
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

/// The permit to test a webhook or to resolve its host, because either may be slow.
///
/// # Errors
/// 503 without a free permit.
pub(super) fn receiver_permit(outbox: &Outbox, request: &ApiRequest<'_>) -> Result<ReceiverPermit, ApiError> {
    outbox.permit(&request.tenant.tenant.id).map_err(|_| ApiError::Unavailable)
}
