//! The audit log: who changed what, the newest entry first.

mod entry;
pub(crate) mod sentence;

use std::borrow::Cow;

use maud::html;
use pointbook_domain::{AuditChain, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number, visible};

use self::sentence::{Names, of_count};
use crate::audit_log::{AuditLogFilter, NewestEntries, audit_chain, newest_audit_entries};
use crate::console_kit::components::{empty, field};
use crate::console_kit::lists::{Bar, Chip, Column, newest_and_older, table_by_day};
use crate::console_kit::sheet::Sheet;
use crate::console_kit::{Access, PageSpec, Visit, assets, page};

pub(crate) static PAGES: [PageSpec; 1] = [
    page!("console.audit_log", GET "/audit-log", Access::Scope(Scope::AuditRead), ["manage.audit-log.list"], show),
];

pub(super) const SECTION: &str = "/audit-log";

const COLUMNS: [Column; 2] = [Column::text("audit-what"), Column::number("audit-time")];

/// An entry has a kilobyte or two, and a page of the console at most 60.
const ENTRIES_PER_PAGE: u32 = 25;

/// The kinds of objects, each with the id of its name.
const KINDS: [(&str, &str); 11] = [
    ("product", "products"),
    ("categories", "categories"),
    ("picture", "pictures"),
    ("order", "orders"),
    ("campaign", "campaigns"),
    ("user", "members"),
    ("transaction", "column-transactions"),
    ("operator", "operators"),
    ("key", "keys"),
    ("webhook", "webhooks"),
    ("tenant", "settings"),
];

/// What can be asked for in words: the end of the id of a text, and the operations.
const ACTIONS: [(&str, &[&str]); 10] = [
    (
        "added",
        &[
            "product.create",
            "user.create",
            "user.note",
            "operator.add",
            "key.add",
            "webhook.add",
            "picture.add",
            "tenant.add",
        ],
    ),
    (
        "changed",
        &[
            "product.change",
            "categories.replace",
            "campaign.put",
            "user.change",
            "operator.change",
            "webhook.change",
            "webhook.rotate_secret",
            "webhook.rewind",
            "webhook.skip",
            "webhook.state",
            "tenant.change",
            "clock.set",
            "feed.restart",
            "data_key.seal",
        ],
    ),
    (
        "removed",
        &[
            "product.retire",
            "operator.remove",
            "key.revoke",
            "token.revoke",
            "user.sign_out",
            "session.end",
            "webhook.remove",
            "picture.remove",
        ],
    ),
    ("sent", &["order.fulfil"]),
    ("cancelled", &["order.cancel"]),
    ("awarded", &["transaction.record"]),
    ("taken-back", &["transaction.reverse", "activity.void"]),
    ("imported", &["activities.import"]),
    (
        "stepped",
        &[
            "campaign.schedule",
            "campaign.pause",
            "campaign.resume",
            "campaign.end",
            "campaign.archive",
            "campaign.back_test",
            "campaign.cancel_back_test",
            "campaign.back_fill",
            "campaign.cancel_back_fill",
        ],
    ),
    ("signed-in", &["session.begin", "user.link", "operator.link", "operator.link_ask", "token.issue"]),
];

/// What restricts the list, by the names of the address.
struct Asked([(&'static str, String); 5]);

impl Asked {
    fn of(visit: &Visit<'_>) -> Self {
        let read = |name| match (name, visit.query(name).trim()) {
            ("after", text) if seq(text).is_none_or(|seq| seq == 0) => String::new(),
            ("kind", text) if !KINDS.iter().any(|(kind, _)| *kind == text) => String::new(),
            ("action", text) if !ACTIONS.iter().any(|(action, _)| *action == text) => String::new(),
            (_, text) => text.to_owned(),
        };
        Self(["kind", "action", "actor", "object", "after"].map(|name| (name, read(name))))
    }

    fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn is_filtered(&self) -> bool {
        self.0.iter().any(|(_, value)| !value.is_empty())
    }

    /// The address of the list with another value of one of them.
    fn with(&self, visit: &Visit<'_>, name: &'static str, value: &str) -> String {
        let kept = self.0.iter().filter(|(known, _)| *known != name).map(|(name, value)| (*name, &**value));
        address(visit, kept.chain([(name, value)]))
    }

    fn entries(&self, before: Option<u64>) -> NewestEntries {
        let text = |name| Some(self.get(name).to_owned()).filter(|text| !text.is_empty());
        let kind = KINDS.into_iter().find(|(kind, _)| *kind == self.get("kind"));
        let action = ACTIONS.into_iter().find(|(action, _)| *action == self.get("action"));
        NewestEntries {
            filter: AuditLogFilter { actor: text("actor"), object: text("object") },
            kind: kind.map(|(kind, _)| kind),
            operations: action.map_or(&[], |(_, operations)| operations),
            after: seq(self.get("after")).unwrap_or_default(),
            before,
        }
    }
}

fn seq(text: &str) -> Option<u64> {
    text.parse::<u64>().ok().filter(|seq| i64::try_from(*seq).is_ok())
}

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (asked, data, words) = (Asked::of(visit), &*visit.served.data, visit.words);
    let before = seq(visit.query("before").trim());
    let chain = audit_chain(data).await?;
    let entries = newest_audit_entries(data, &asked.entries(before), ENTRIES_PER_PAGE).await?;
    let names = Names::of(visit, &entries).await?;
    let is_full = entries.len() == ENTRIES_PER_PAGE as usize;
    let oldest = entries.last().map(|entry| entry.seq).filter(|seq| is_full && *seq > chain.sealed_seq + 1);
    let rows = entries.chunk_by(entry::are_alike).filter_map(|run| match run {
        [newest, older @ ..] => Some((newest.new.at, entry::row(visit, newest, older, &names))),
        [] => None,
    });
    let newest = before.is_some().then(|| (asked.with(visit, "before", ""), "audit-newest"));
    let older = oldest.map(|oldest| (asked.with(visit, "before", &oldest.to_string()), "audit-older"));
    let none = if asked.is_filtered() || before.is_some() { "audit-none-found" } else { "audit-none" };
    let content = html! {
        (bar(visit, &asked, &names, &chain).markup(visit))
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
    let sheet = Sheet::new(visit, SECTION, words.say("audit-log"))
        .styled(&[assets::LISTS])
        .line(html! { (words.say("audit-hint")) });
    Ok(sheet.respond(&content))
}

/// The name of a parameter, the id of its label, and its values with their words.
type Choice<'c> = (&'static str, &'static str, Vec<(&'c str, Cow<'c, str>)>);

/// What restricts the list, each with the way to the list without it, and the choices.
fn bar<'b>(visit: &'b Visit<'_>, asked: &Asked, names: &'b Names, chain: &AuditChain) -> Bar<'b> {
    let words = visit.words;
    let kinds = KINDS.map(|(kind, name)| (kind, words.say(name)));
    let actions = ACTIONS.map(|(action, _)| (action, words.say(&format!("audit-did-{action}"))));
    let actors = names.authors.all().into_iter().map(|(actor, name)| (actor, name.into())).collect();
    let choices: [Choice<'_>; 3] = [
        ("kind", "audit-object", kinds.into()),
        ("action", "audit-action", actions.into()),
        ("actor", "audit-actor", actors),
    ];
    let in_words = |name: &str, value: &str| {
        let (_, _, options) = choices.iter().find(|(known, ..)| *known == name)?;
        options.iter().find(|(option, _)| *option == value).map(|(_, text)| text.to_string())
    };
    let chip = |(name, value): &(&'static str, String)| {
        let label = if *name == "kind" { "object" } else { name };
        let text = in_words(name, value).unwrap_or_else(|| visible(value).into_owned());
        let text = format!("{}: {text}", words.say(&format!("audit-{label}")));
        Chip { text, without: asked.with(visit, name, "") }
    };
    let select = |(name, _, options): &Choice<'_>| {
        let value = asked.get(name);
        html! {
            select name=(name) {
                option value="" { (words.say("members-all")) }
                @for (option, text) in options { option value=(option) selected[*option == value] { (text) } }
                // An actor that a link in the details names, such as a key.
                @if !value.is_empty() && in_words(name, value).is_none() { option value=(value) selected { (visible(value)) } }
            }
        }
    };
    let filters = html! { @for choice in &choices { (field(visit, choice.1, select(choice))) } };
    let hidden = html! {
        @for name in ["object", "after"] {
            @if !asked.get(name).is_empty() { input type="hidden" name=(name) value=(asked.get(name)); }
        }
    };
    let kept = chain.last_seq.saturating_sub(chain.sealed_seq).cast_signed();
    let found = html! { @if !asked.is_filtered() { (words.with(&of_count("audit-count", kept), "count", number(kept, words))) } };
    let chips = asked.0.iter().filter(|(_, value)| !value.is_empty()).map(chip).collect();
    Bar { action: visit.path(SECTION), search: None, chips, filters, hidden, found }
}

/// The address of the entries that these parameters ask for.
fn address<'p>(visit: &Visit<'_>, parameters: impl IntoIterator<Item = (&'p str, &'p str)>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters.into_iter().filter(|(_, value)| !value.is_empty()));
    format!("{}?{}", visit.path(SECTION), query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations of the table in `docs/operating/audit-log.md`.
    fn documented() -> impl Iterator<Item = &'static str> {
        let page = include_str!("../../../../../docs/operating/audit-log.md");
        let rows = page.lines().skip_while(|line| !line.starts_with("| operation |")).skip(2);
        let named = rows.take_while(|line| line.starts_with('|')).filter_map(|row| row.split('|').nth(1));
        named.flat_map(|cell| cell.split('`').skip(1).step_by(2))
    }

    #[test]
    fn each_documented_operation_can_be_chosen_once() {
        assert!(documented().count() > 40);
        for operation in documented() {
            let actions = ACTIONS.iter().filter(|(_, operations)| operations.contains(&operation));
            assert_eq!(actions.count(), 1, "{operation}");
        }
        for operation in ACTIONS.iter().flat_map(|(_, operations)| *operations) {
            assert!(documented().any(|known| known == *operation), "{operation} does not exist");
        }
    }
}
