//! Where the deliveries go on: another cursor, or after an event that the receiver cannot take.

use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::once::{once_context, was_refused};
use pointbook_domain::Cursor;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};
use pointbook_store::ports::Execution;

use super::one::{Extra, page};
use super::shared::{is_refusal, of_path};
use crate::webhooks::shown::address;
use crate::webhooks::{WebhookChange, WebhookOutcome, WebhookRefusal, change_webhook, rewind_webhook};

/// A form that is sent again delivers nothing again.
pub(super) async fn rewind(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let status = of_path(visit).await?;
    let (id, text) = (&status.webhook.id, sent.field("cursor")?.trim());
    let mistake = |mistake| Extra::Cursor { typed: text.to_owned(), mistake };
    let Some(cursor) = Cursor::parse(text) else {
        return page(visit, &status, mistake("webhook-cursor-mistake")).await;
    };
    let context = once_context(visit, &sent, &format!("rewind\n{id}\n{cursor}"), is_refusal)?;
    match rewind_webhook(&context, id, cursor).await? {
        Execution::Replayed(answer) if was_refused(&answer) => Ok(see_other(&address(visit, id))),
        Execution::Executed(WebhookOutcome::Stored(_)) | Execution::Replayed(_) => {
            Ok(see_other(&format!("{}?said=webhook-cursor-set", address(visit, id))))
        }
        Execution::Executed(WebhookOutcome::Refused(WebhookRefusal::CursorGone(_))) => {
            page(visit, &status, mistake("webhook-cursor-gone")).await
        }
        Execution::Executed(_) => Err(PageError::NotFound),
        Execution::KeyTaken | Execution::TooManyKeys => Err(PageError::BadRequest),
    }
}

/// A form that is sent again names an event that does not fail any more, and skips nothing.
pub(super) async fn skip(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let id = of_path(visit).await?.webhook.id;
    let position = sent.field("position")?.parse().map_err(|_| PageError::BadRequest)?;
    let said = match change_webhook(&visit.context()?, &id, WebhookChange::Skip(position)).await? {
        Execution::Executed(WebhookOutcome::Stored(_)) => "webhook-skipped",
        Execution::Executed(WebhookOutcome::NotBlocked) => "webhook-not-blocked",
        Execution::Executed(_) => return Err(PageError::NotFound),
        Execution::Replayed(_) | Execution::KeyTaken | Execution::TooManyKeys => {
            return Err(PageError::BadRequest);
        }
    };
    Ok(see_other(&format!("{}?said={said}", address(visit, &id))))
}
