//! Webhooks: the list, one webhook with its last attempts, and its changes.

mod add;
mod change;
mod cursor;
mod form;
mod one;

use maud::{Markup, html};
use pointbook_deliveries::{WebhookStatus, list_webhooks, show_webhook};
use pointbook_domain::{Scope, Webhook};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, moment, number};

use crate::components::{empty, respond, table};
use crate::page_spec::{Access, PageSpec, page};
use crate::visit::{Visit, encoded};

const ACCESS: Access = Access::Scope(Scope::WebhooksWrite);

pub(super) static PAGES: [PageSpec; 11] = [
    page!("console.webhooks", GET "/webhooks", ACCESS, ["manage.webhooks.list"], list),
    page!("console.webhooks.new", GET "/webhooks/new", ACCESS, ["manage.webhooks.add"], add::show),
    page!("console.webhooks.add", POST "/webhooks/new", ACCESS, ["manage.webhooks.add"], add::add),
    page!("console.webhooks.show", GET "/webhooks/{id}", ACCESS, ["manage.webhooks.show", "manage.webhooks.attempts"], one::show),
    page!("console.webhooks.put", POST "/webhooks/{id}/change", ACCESS, ["manage.webhooks.put"], change::put),
    page!("console.webhooks.enable", POST "/webhooks/{id}/enable", ACCESS, ["manage.webhooks.put"], change::enable),
    page!("console.webhooks.rotate", POST "/webhooks/{id}/rotate", ACCESS, ["manage.webhooks.rotate"], add::rotate),
    page!("console.webhooks.test", POST "/webhooks/{id}/test", ACCESS, ["manage.webhooks.test"], change::test),
    page!("console.webhooks.rewind", POST "/webhooks/{id}/rewind", ACCESS, ["manage.webhooks.rewind"], cursor::rewind),
    page!("console.webhooks.skip", POST "/webhooks/{id}/skip", ACCESS, ["manage.webhooks.skip"], cursor::skip),
    page!("console.webhooks.remove", POST "/webhooks/{id}/remove", ACCESS, ["manage.webhooks.remove"], change::remove),
];

const SECTION: &str = "/webhooks";

async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let webhooks = list_webhooks(&*visit.served.data).await?;
    let rows: Vec<_> = webhooks.iter().map(|status| row(visit, status)).collect();
    let headings = ["webhook-url", "webhook-state", "webhook-cursor", "webhook-lag", "webhook-failures"];
    let content = html! {
        p { (words.say("webhooks-hint")) }
        p { a .button href=(visit.path("/webhooks/new")) { (words.say("webhook-new")) } }
        @if rows.is_empty() { (empty(visit, "webhooks-none")) } @else { (table(visit, &headings, &rows)) }
    };
    Ok(respond(visit, SECTION, &words.say("webhooks"), &content))
}

fn row(visit: &Visit<'_>, status: &WebhookStatus) -> Vec<Markup> {
    let words = visit.words;
    let failures = status.progress.as_ref().map_or(0, |progress| progress.failures);
    vec![
        html! { a href=(address(visit, &status.webhook.id)) { (status.webhook.url) } },
        state(visit, &status.webhook),
        html! { code { (status.cursor()) } },
        html! { (number(status.lag().cast_signed(), words)) },
        html! { (number(failures.into(), words)) },
    ]
}

/// The state, why it is so, and since when.
pub(super) fn state(visit: &Visit<'_>, webhook: &Webhook) -> Markup {
    let words = visit.words;
    html! {
        strong .state data-state=(webhook.state.as_str()) { (words.say(&format!("webhook-state-{}", webhook.state.as_str()))) }
        @if let Some(because) = webhook.disabled_because { br; (words.say(&format!("webhook-because-{}", because.as_str().replace('_', "-")))) }
        br; span .quiet { (words.say("webhook-since")) " " (moment(webhook.state_since, &visit.served, words)) }
    }
}

/// The address of the page of a webhook.
pub(super) fn address(visit: &Visit<'_>, id: &str) -> String {
    visit.path(&format!("{SECTION}/{}", encoded(id)))
}

/// The webhook of the path.
async fn of_path(visit: &Visit<'_>) -> Result<WebhookStatus, PageError> {
    let id = visit.param("id")?;
    show_webhook(&*visit.served.data, &id).await?.ok_or(PageError::NotFound)
}
