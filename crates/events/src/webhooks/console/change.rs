//! Changes of a webhook: its fields, whether it gets requests, its removal; and a test.

use pointbook_access::console_kit::Visit;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};
use pointbook_store::ports::Execution;

use super::form::{Typed, fields_of, is_enabled, url_mistake};
use super::one::{Extra, page};
use super::shared::{of_path, permit};
use crate::webhooks::shown::address;
use crate::webhooks::{Outbox, TestResult, WebhookFields, WebhookOutcome, put_webhook, remove_webhook};

pub(super) async fn put(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let status = of_path(visit).await?;
    let mut typed = Typed::of(&sent)?;
    let Some(fields) = typed.read(visit, is_enabled(&status.webhook)).await? else {
        return page(visit, &status, Extra::Typed(typed)).await;
    };
    match change(visit, &status.webhook.id, fields).await? {
        WebhookOutcome::Stored(webhook) => {
            Ok(see_other(&format!("{}?said=webhook-changed", address(visit, &webhook.id))))
        }
        other => {
            typed.url_mistake = Some(url_mistake(visit, &other)?);
            page(visit, &status, Extra::Typed(typed)).await
        }
    }
}

/// Begins or ends requests. The field `enabled` says which.
pub(super) async fn enable(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let status = of_path(visit).await?;
    let (is_enabled, said) = match sent.field("enabled")? {
        "yes" => (true, "webhook-enabled"),
        "no" => (false, "webhook-paused"),
        _ => return Err(PageError::BadRequest),
    };
    match change(visit, &status.webhook.id, fields_of(&status.webhook, is_enabled)).await? {
        WebhookOutcome::Stored(webhook) => {
            Ok(see_other(&format!("{}?said={said}", address(visit, &webhook.id))))
        }
        other => {
            let mut typed = Typed::from(&status.webhook);
            typed.url_mistake = Some(url_mistake(visit, &other)?);
            page(visit, &status, Extra::Typed(typed)).await
        }
    }
}

/// Without a key: the last of several forms counts.
async fn change(visit: &Visit<'_>, id: &str, fields: WebhookFields) -> Result<WebhookOutcome, PageError> {
    let _permit = fields.is_enabled.then(|| permit(visit)).transpose()?;
    match put_webhook(&visit.context()?, visit.shared.parts.get::<Outbox>()?, id, fields).await? {
        Execution::Executed(outcome) => Ok(outcome),
        Execution::Replayed(_) | Execution::KeyTaken | Execution::TooManyKeys => Err(PageError::BadRequest),
    }
}

pub(super) async fn test(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let status = of_path(visit).await?;
    let permit = permit(visit)?;
    let id = format!("test_{}", visit.shared.ids.transaction_id());
    let real_now = visit.shared.service.clock.now();
    let result: TestResult =
        visit.shared.parts.get::<Outbox>()?.test(&status.webhook, &id, real_now, visit.now).await?;
    drop(permit);
    page(visit, &status, Extra::Tested(result)).await
}

pub(super) async fn remove(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = visit.param("id")?;
    match remove_webhook(&visit.context()?, &id).await? {
        WebhookOutcome::Removed => Ok(see_other(&visit.path("/webhooks?said=webhook-removed"))),
        _ => Err(PageError::NotFound),
    }
}
