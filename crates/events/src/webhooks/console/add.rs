//! A new webhook, and a new secret. The page that follows shows the secret once.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{form, shown_once};
use pointbook_access::console_kit::once::{once_context, once_field};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::tokens::issue::token_text;
use pointbook_domain::Webhook;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_store::ports::Execution;

use super::form::{Typed, url_mistake};
use super::shared::{is_refusal, of_path, permit};
use crate::webhooks::shown::{SECTION, address};
use crate::webhooks::{
    NewWebhook, Outbox, WebhookChange, WebhookOutcome, add_webhook, change_webhook, webhook_id_of,
    webhook_secret_of,
};

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let line = html! { (visit.words.say("webhook-new-hint")) };
    let sheet = Sheet::new(visit, SECTION, visit.words.say("webhook-new")).line(line);
    Ok(sheet.respond(&fields(visit, &Typed::default())?))
}

pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let mut typed = Typed::of(&sent)?;
    let Some(fields) = typed.read(visit, true).await? else { return again(visit, &typed) };
    let context = once_context(visit, &sent, &typed.request(), is_refusal)?;
    let _permit = permit(visit)?;
    let text = token_text(&visit.shared.secrets.secret());
    let new = NewWebhook { id: webhook_id_of(&text), fields, secret: webhook_secret_of(&text), start: None };
    match add_webhook(&context, visit.shared.parts.get::<Outbox>()?, new).await? {
        Execution::Executed(WebhookOutcome::Stored(webhook)) => Ok(made(visit, &webhook, "webhook-made")),
        Execution::Executed(other) => {
            typed.url_mistake = Some(url_mistake(visit, &other)?);
            again(visit, &typed)
        }
        Execution::Replayed(_) => Ok(sent_before(visit)),
        Execution::KeyTaken | Execution::TooManyKeys => Err(PageError::BadRequest),
    }
}

/// The secret before signs too for a day, so that the receiver can learn the new one.
pub(super) async fn rotate(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let id = of_path(visit).await?.webhook.id;
    let context = once_context(visit, &sent, &format!("rotate\n{id}"), is_refusal)?;
    let text = token_text(&visit.shared.secrets.secret());
    let change = WebhookChange::Rotate(webhook_secret_of(&text));
    match change_webhook(&context, &id, change).await? {
        Execution::Executed(WebhookOutcome::Stored(webhook)) => Ok(made(visit, &webhook, "webhook-rotated")),
        Execution::Executed(_) => Err(PageError::NotFound),
        Execution::Replayed(_) => Ok(sent_before(visit)),
        Execution::KeyTaken | Execution::TooManyKeys => Err(PageError::BadRequest),
    }
}

fn made(visit: &Visit<'_>, webhook: &Webhook, text: &str) -> Response {
    let words = visit.words;
    let content = html! {
        p { (words.with(text, "name", webhook.url.as_str())) }
        (shown_once(visit, ["webhook-once", "once-hint"], webhook.secret.reveal()))
        p { a .button href=(address(visit, &webhook.id)) { (words.say("webhook-back")) } }
    };
    Sheet::new(visit, SECTION, words.say("webhook-secret")).respond(&content)
}

fn sent_before(visit: &Visit<'_>) -> Response {
    let content = html! {
        p .notice role="status" { (visit.words.say("webhook-sent-before")) }
        p { a .button href=(visit.path(SECTION)) { (visit.words.say("webhooks-back")) } }
    };
    Sheet::new(visit, SECTION, visit.words.say("webhook-secret")).respond(&content)
}

fn again(visit: &Visit<'_>, typed: &Typed) -> Result<Response, PageError> {
    let (content, title) = (fields(visit, typed)?, visit.words.say("webhook-new"));
    Ok(Sheet::new(visit, SECTION, title).respond_mistaken(&content))
}

fn fields(visit: &Visit<'_>, typed: &Typed) -> Result<Markup, PageError> {
    let fields = html! { (once_field(visit)) (typed.fields(visit)) };
    form(visit, &visit.path("/webhooks/new"), "webhook-add", fields)
}
