//! The page of one webhook.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{checked_field, danger, empty, facts, form};
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_access::console_kit::once::once_field;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_domain::{WebhookAttempt, WebhookProgress};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number};

use super::form::{Typed, is_enabled};
use super::shared::of_path;
use crate::webhooks::shown::{SECTION, address, state};
use crate::webhooks::{TestResult, WebhookStatus, list_attempts};

/// How many attempts the page shows.
const ATTEMPTS: u32 = 50;

/// What a form that came back adds to the page.
pub(super) enum Extra {
    Nothing,
    /// The fields with their mistakes.
    Typed(Typed),
    Cursor {
        typed: String,
        /// The id of its text.
        mistake: &'static str,
    },
    Tested(TestResult),
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &of_path(visit).await?, Extra::Nothing).await
}

pub(super) async fn page(
    visit: &Visit<'_>,
    status: &WebhookStatus,
    extra: Extra,
) -> Result<Response, PageError> {
    let (words, webhook) = (visit.words, &status.webhook);
    let path = address(visit, &webhook.id);
    let real_now = visit.shared.service.clock.now();
    let attempts = list_attempts(&*visit.served.data, &webhook.id, ATTEMPTS, real_now).await?;
    let typed = if let Extra::Typed(typed) = &extra { typed } else { &Typed::from(webhook) };
    let content = html! {
        @if let Extra::Tested(result) = &extra { (tested(visit, result)) }
        (overview(visit, status))
        div .actions {
            (form(visit, &format!("{path}/test"), "webhook-test", html! {})?)
            @let (value, button) = if is_enabled(webhook) { ("no", "webhook-pause") } else { ("yes", "webhook-enable") };
            (form(visit, &format!("{path}/enable"), button, html! { input type="hidden" name="enabled" value=(value); })?)
        }
        p .quiet { (words.say("webhook-test-hint")) }
        (blocked(visit, status.progress.as_ref(), &path)?)
        h2 { (words.say("webhook-attempts")) }
        (attempt_table(visit, &attempts.unwrap_or_default()))
        h2 { (words.say("webhook-change")) }
        (form(visit, &format!("{path}/change"), "webhook-save", typed.fields(visit))?)
        (cursor(visit, status, &path, &extra)?)
        h2 { (words.say("webhook-secret")) }
        (danger(visit, &format!("{path}/rotate"), "webhook-rotate", html! { (once_field(visit)) p { (words.say("webhook-rotate-hint")) } })?)
        (danger(visit, &format!("{path}/remove"), "webhook-remove", html! { p { (words.say("webhook-remove-hint")) } })?)
    };
    let sheet = Sheet::new(visit, SECTION, words.say("webhook")).beside(state(visit, &status.webhook));
    let is_mistaken = matches!(extra, Extra::Typed(_) | Extra::Cursor { .. });
    Ok(if is_mistaken { sheet.respond_mistaken(&content) } else { sheet.respond(&content) })
}

fn overview(visit: &Visit<'_>, status: &WebhookStatus) -> Markup {
    let (words, webhook, served) = (visit.words, &status.webhook, &visit.served);
    let progress = status.progress.as_ref();
    let count = |of: fn(&WebhookProgress) -> u64| number(progress.map_or(0, of).cast_signed(), words);
    let time = |at: Option<_>| html! { @if let Some(at) = at { (moment(at, served, words)) } @else { "–" } };
    facts(
        visit,
        [
            ("webhook-url", html! { (webhook.url) }),
            ("webhook-cursor", html! { code { (status.cursor()) } }),
            ("webhook-lag", html! { (number(status.lag().cast_signed(), words)) }),
            ("webhook-delivered", html! { (count(|progress| progress.delivered_count)) }),
            ("webhook-failed", html! { (count(|progress| progress.failed_count)) }),
            ("webhook-failures", html! { (count(|progress| progress.failures.into())) }),
            ("webhook-failing-since", time(progress.and_then(|progress| progress.failing_since))),
            ("webhook-retry", time(progress.and_then(|progress| progress.retry_at))),
            ("webhook-id", html! { code { (webhook.id) } }),
            ("webhook-created", time(Some(webhook.created_at))),
            (
                "webhook-previous-secret",
                time(webhook.previous_secret_until.filter(|until| visit.now < *until)),
            ),
        ],
    )
}

/// The event that the receiver refuses, with a form to pass it.
fn blocked(visit: &Visit<'_>, progress: Option<&WebhookProgress>, path: &str) -> Result<Markup, PageError> {
    let Some(position) = progress.and_then(|progress| progress.failed_position) else { return Ok(html! {}) };
    let fields = html! {
        input type="hidden" name="position" value=(position);
        p { (visit.words.say("webhook-skip-hint")) }
    };
    let shown = number(position.cast_signed(), visit.words);
    Ok(html! {
        p .notice { (visit.words.with("webhook-blocked", "number", shown)) }
        (danger(visit, &format!("{path}/skip"), "webhook-skip", fields)?)
    })
}

fn attempt_table(visit: &Visit<'_>, attempts: &[WebhookAttempt]) -> Markup {
    if attempts.is_empty() {
        return empty(visit, "webhook-no-attempts");
    }
    let row = |attempt: &WebhookAttempt| {
        let WebhookAttempt { webhook_id: _, slot: _, at, duration_ms, position, status, error } = attempt;
        vec![
            moment(*at, &visit.served, visit.words),
            html! { (position) },
            result(visit, *status, error.as_deref()),
            html! { (number((*duration_ms).into(), visit.words)) " ms" },
        ]
    };
    let rows: Vec<_> = attempts.iter().map(row).collect();
    let columns = [
        Column::text("webhook-at"),
        Column::number("webhook-position").rank(2),
        Column::text("webhook-result"),
        Column::number("webhook-duration").rank(2),
    ];
    list_table(visit, &visit.words.say("webhook-attempts"), &columns, &rows)
}

/// The status of the response, and why the attempt failed.
fn result(visit: &Visit<'_>, status: Option<u32>, error: Option<&str>) -> Markup {
    html! {
        @if error.is_none() { (visit.words.say("webhook-accepted")) } @else { (visit.words.say("webhook-not-accepted")) }
        @if let Some(status) = status { " " (status) }
        @if let Some(error) = error { " " code { (error) } }
    }
}

fn tested(visit: &Visit<'_>, test: &TestResult) -> Markup {
    let TestResult { status, duration_ms, error } = *test;
    html! {
        p .notice role="status" {
            (visit.words.say("webhook-tested")) " " (result(visit, status.map(Into::into), error))
            ", " (number(duration_ms.into(), visit.words)) " ms"
        }
    }
}

fn cursor(visit: &Visit<'_>, status: &WebhookStatus, path: &str, extra: &Extra) -> Result<Markup, PageError> {
    let words = visit.words;
    let (typed, mistake) = match extra {
        Extra::Cursor { typed, mistake } => (typed.clone(), Some(words.say(mistake))),
        Extra::Nothing | Extra::Typed(_) | Extra::Tested(_) => (status.cursor().to_string(), None),
    };
    let fields = html! {
        (once_field(visit))
        (checked_field(visit, "webhook-cursor-field", mistake.as_deref(), html! { input name="cursor" value=(typed) required; }))
    };
    let ends = [("first", status.feed.begin().to_string()), ("last", status.feed.end().to_string())];
    Ok(html! {
        h2 { (words.say("webhook-redeliver")) }
        p { (words.with_all("webhook-redeliver-hint", ends)) }
        (form(visit, &format!("{path}/rewind"), "webhook-cursor-save", fields)?)
    })
}
