//! Webhooks: the list, one webhook with its last attempts, and its changes.

mod add;
mod change;
mod cursor;
mod form;
mod one;
mod shared;

use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty_with, quiet_number};
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_access::console_kit::navigation::{Counting, due};
use pointbook_access::console_kit::sheet::{Sheet, primary};
use pointbook_access::console_kit::{Access, PageSpec, Visit, page};
use pointbook_domain::{Scope, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_store::ServedTenant;

pub(crate) use crate::webhooks::shown::{SECTION, address, state};
use crate::webhooks::{WebhookStatus, list_failing_webhooks, list_webhooks};

const ACCESS: Access = Access::Scope(Scope::WebhooksWrite);

pub(crate) static PAGES: [PageSpec; 11] = [
    page!("console.webhooks", GET "/webhooks", ACCESS, ["manage.webhooks.list"], list).counting(failing),
    page!("console.webhooks.new", GET "/webhooks/new", ACCESS, ["manage.webhooks.add"], add::show),
    page!("console.webhooks.add", POST "/webhooks/new", ACCESS, ["manage.webhooks.add"], add::add).asking_again(),
    page!("console.webhooks.show", GET "/webhooks/{id}", ACCESS, ["manage.webhooks.show", "manage.webhooks.attempts"], one::show),
    page!("console.webhooks.put", POST "/webhooks/{id}/change", ACCESS, ["manage.webhooks.put"], change::put),
    page!("console.webhooks.enable", POST "/webhooks/{id}/enable", ACCESS, ["manage.webhooks.put"], change::enable),
    page!("console.webhooks.rotate", POST "/webhooks/{id}/rotate", ACCESS, ["manage.webhooks.rotate"], add::rotate)
        .asking_again(),
    page!("console.webhooks.test", POST "/webhooks/{id}/test", ACCESS, ["manage.webhooks.test"], change::test),
    page!("console.webhooks.rewind", POST "/webhooks/{id}/rewind", ACCESS, ["manage.webhooks.rewind"], cursor::rewind),
    page!("console.webhooks.skip", POST "/webhooks/{id}/skip", ACCESS, ["manage.webhooks.skip"], cursor::skip),
    page!("console.webhooks.remove", POST "/webhooks/{id}/remove", ACCESS, ["manage.webhooks.remove"], change::remove),
];

/// How many webhooks fail.
fn failing(served: &ServedTenant, _: Timestamp) -> Counting<'_> {
    Box::pin(async { Ok(due(list_failing_webhooks(&*served.data).await?.len() as u64, "count-fail")) })
}

async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let webhooks = list_webhooks(&*visit.served.data).await?;
    let rows: Vec<_> = webhooks.iter().map(|status| row(visit, status)).collect();
    let columns = [
        Column::text("webhook-url"),
        Column::text("webhook-state"),
        Column::number("webhook-cursor").rank(3),
        Column::number("webhook-lag").rank(2),
        Column::number("webhook-failures").rank(2),
    ];
    let content = html! {
        @if rows.is_empty() { (empty_with(visit, "webhooks-none", Some(("/webhooks/new", "webhook-new")))) } @else { (list_table(visit, &words.say("webhooks"), &columns, &rows)) }
    };
    let sheet = Sheet::new(visit, SECTION, words.say("webhooks"))
        .line(html! { (words.say("webhooks-hint")) })
        .actions(primary(visit, &visit.path("/webhooks/new"), "webhook-new"));
    Ok(sheet.respond(&content))
}

fn row(visit: &Visit<'_>, status: &WebhookStatus) -> Vec<Markup> {
    let words = visit.words;
    let failures = status.progress.as_ref().map_or(0, |progress| progress.failures);
    vec![
        html! { a href=(address(visit, &status.webhook.id)) { (status.webhook.url) } },
        state(visit, &status.webhook),
        html! { code { (status.cursor()) } },
        quiet_number(status.lag().cast_signed(), words),
        quiet_number(failures.into(), words),
    ]
}
