//! The audit log: who changed what, the newest entry first.

pub(crate) mod entry;

use maud::{Markup, html};
use pointbook_domain::Scope;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, number};

use crate::audit_log::{AuditLogFilter, audit_chain, newest_audit_entries};
use crate::console_kit::authors::Authors;
use crate::console_kit::components::{empty, field};
use crate::console_kit::sheet::Sheet;
use crate::console_kit::{Access, PageSpec, Visit, page};

pub(crate) static PAGES: [PageSpec; 1] = [
    page!("console.audit_log", GET "/audit-log", Access::Scope(Scope::AuditRead), ["manage.audit-log.list"], show),
];

pub(super) const SECTION: &str = "/audit-log";

/// An entry has a kilobyte or two, and a page of the console at most 60.
const ENTRIES_PER_PAGE: u32 = 25;

/// What the address asks for.
struct EntryQuery {
    filter: AuditLogFilter,
    after: u64,
    /// Only older entries than the one at this position.
    before: Option<u64>,
}

impl EntryQuery {
    fn of(visit: &Visit<'_>) -> Self {
        let text = |name| Some(visit.query(name).trim().to_owned()).filter(|text| !text.is_empty());
        let seq =
            |name| visit.query(name).trim().parse::<u64>().ok().filter(|seq| i64::try_from(*seq).is_ok());
        let filter = AuditLogFilter { actor: text("actor"), object: text("object") };
        Self { filter, after: seq("after").unwrap_or(0), before: seq("before") }
    }

    fn is_filtered(&self) -> bool {
        self.filter != AuditLogFilter::default() || self.after > 0
    }
}

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (asked, data, words) = (EntryQuery::of(visit), &*visit.served.data, visit.words);
    let chain = audit_chain(data).await?;
    let range = (asked.after, asked.before);
    let entries = newest_audit_entries(data, &asked.filter, range, ENTRIES_PER_PAGE).await?;
    let authors = Authors::of(visit).await?;
    let is_full = entries.len() == ENTRIES_PER_PAGE as usize;
    let oldest = entries.last().map(|entry| entry.seq).filter(|seq| is_full && *seq > chain.sealed_seq + 1);
    let content = html! {
        (filters(visit, &asked))
        @if entries.is_empty() {
            (empty(visit, if asked.is_filtered() || asked.before.is_some() { "audit-none-found" } else { "audit-none" }))
        }
        @for entry in &entries { (entry::show(visit, entry, &authors)) }
        (turns(visit, &asked, oldest))
        @if let Some(sealed_at) = chain.sealed_at.filter(|_| oldest.is_none()) {
            p .quiet {
                (words.with("audit-sealed", "count", number(chain.sealed_seq.cast_signed(), words)))
                " " (pointbook_http::pages::moment(sealed_at, &visit.served, words))
            }
        }
    };
    let sheet = Sheet::new(visit, SECTION, words.say("audit-log")).line(html! { (words.say("audit-hint")) });
    Ok(sheet.respond(&content))
}

fn filters(visit: &Visit<'_>, asked: &EntryQuery) -> Markup {
    let AuditLogFilter { actor, object } = &asked.filter;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let after = if asked.after > 0 { asked.after.to_string() } else { String::new() };
    html! {
        form .filters method="get" action=(visit.path(SECTION)) {
            (field(visit, "audit-actor", html! { input name="actor" value=(text(actor)) placeholder="key:… operator:… job:… command-line"; }))
            (field(visit, "audit-object", html! { input name="object" value=(text(object)) placeholder="product:mug"; }))
            (field(visit, "audit-after", html! { input name="after" value=(after) inputmode="numeric"; }))
            button { (visit.words.say("audit-filter")) }
            @if asked.is_filtered() { a href=(visit.path(SECTION)) { (visit.words.say("audit-all")) } }
        }
    }
}

/// Links to the newest entries and to older ones.
fn turns(visit: &Visit<'_>, asked: &EntryQuery, oldest: Option<u64>) -> Markup {
    let words = visit.words;
    html! {
        @if asked.before.is_some() || oldest.is_some() {
            nav .pager aria-label=(words.say("pages")) {
                @if asked.before.is_some() { a href=(address(visit, &asked.filter, asked.after, None)) { (words.say("audit-newest")) } }
                @if oldest.is_some() { a rel="next" href=(address(visit, &asked.filter, asked.after, oldest)) { (words.say("audit-older")) } }
            }
        }
    }
}

/// The address of the entries of a filter.
fn address(visit: &Visit<'_>, filter: &AuditLogFilter, after: u64, before: Option<u64>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let AuditLogFilter { actor, object } = filter;
    let numbers = [("after", Some(after).filter(|after| *after > 0)), ("before", before)];
    let texts = [("actor", actor), ("object", object)];
    query.extend_pairs(texts.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))));
    query.extend_pairs(numbers.into_iter().filter_map(|(name, value)| Some((name, value?.to_string()))));
    format!("{}?{}", visit.path(SECTION), query.finish())
}
