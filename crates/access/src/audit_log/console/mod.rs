//! The audit log: who changed what, the newest entry first.

mod entry;
pub(crate) mod sentence;

use maud::html;
use pointbook_domain::{AuditChain, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number, visible};

use self::sentence::{Names, of_count};
use crate::audit_log::{AuditLogFilter, audit_chain, newest_audit_entries};
use crate::console_kit::components::{empty, field};
use crate::console_kit::lists::{Bar, Chip, Column, newest_and_older, table_by_day};
use crate::console_kit::sheet::Sheet;
use crate::console_kit::{Access, PageSpec, Visit, page};

pub(crate) static PAGES: [PageSpec; 1] = [
    page!("console.audit_log", GET "/audit-log", Access::Scope(Scope::AuditRead), ["manage.audit-log.list"], show),
];

pub(super) const SECTION: &str = "/audit-log";

const COLUMNS: [Column; 2] = [Column::text("audit-what"), Column::number("audit-time")];

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
    let names = Names::of(visit, &entries).await?;
    let is_full = entries.len() == ENTRIES_PER_PAGE as usize;
    let oldest = entries.last().map(|entry| entry.seq).filter(|seq| is_full && *seq > chain.sealed_seq + 1);
    let rows = entries.chunk_by(entry::are_alike).filter_map(|run| match run {
        [newest, older @ ..] => Some((newest.new.at, entry::row(visit, newest, older, &names))),
        [] => None,
    });
    let address = |before| address(visit, &asked.filter, asked.after, before);
    let newest = asked.before.is_some().then(|| (address(None), "audit-newest"));
    let older = oldest.is_some().then(|| (address(oldest), "audit-older"));
    let none = if asked.is_filtered() || asked.before.is_some() { "audit-none-found" } else { "audit-none" };
    let content = html! {
        (bar(visit, &asked, &chain).markup(visit))
        div #results {
            @if entries.is_empty() { (empty(visit, none)) }
            @else { (table_by_day(visit, &words.say("audit-log"), &COLUMNS, rows)) }
            (newest_and_older(visit, newest, older))
            @if let Some(sealed_at) = chain.sealed_at.filter(|_| oldest.is_none()) {
                p .quiet {
                    (words.with(&of_count("audit-sealed", chain.sealed_seq.cast_signed()), "count", number(chain.sealed_seq.cast_signed(), words)))
                    " " (moment(sealed_at, &visit.served, words))
                }
            }
        }
    };
    let sheet = Sheet::new(visit, SECTION, words.say("audit-log")).line(html! { (words.say("audit-hint")) });
    Ok(sheet.respond(&content))
}

/// What restricts the list, each with the way to the list without it, and the fields of all restrictions.
fn bar<'b>(visit: &'b Visit<'_>, asked: &EntryQuery, chain: &AuditChain) -> Bar<'b> {
    let (words, AuditLogFilter { actor, object }) = (visit.words, &asked.filter);
    let after = (asked.after > 0).then(|| asked.after.to_string());
    let chip = |name: &str, value: &Option<String>, without: (&AuditLogFilter, u64)| {
        let text = format!("{}: {}", words.say(name), visible(value.as_deref()?));
        Some(Chip { text, without: address(visit, without.0, without.1, None) })
    };
    let without = |actor: &Option<String>, object: &Option<String>| AuditLogFilter {
        actor: actor.clone(),
        object: object.clone(),
    };
    let chips = [
        chip("audit-actor", actor, (&without(&None, object), asked.after)),
        chip("audit-object", object, (&without(actor, &None), asked.after)),
        chip("audit-after", &after, (&asked.filter, 0)),
    ];
    let filters = html! {
        (field(visit, "audit-actor", html! { input name="actor" value=[actor] placeholder="key:… operator:… job:… command-line"; }))
        (field(visit, "audit-object", html! { input name="object" value=[object] placeholder="product:mug"; }))
        (field(visit, "audit-after", html! { input name="after" value=[&after] inputmode="numeric"; }))
    };
    let kept = chain.last_seq.saturating_sub(chain.sealed_seq).cast_signed();
    let found = html! { @if !asked.is_filtered() { (words.with(&of_count("audit-count", kept), "count", number(kept, words))) } };
    let (chips, hidden) = (chips.into_iter().flatten().collect(), html! {});
    Bar { action: visit.path(SECTION), search: None, chips, filters, hidden, found }
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
