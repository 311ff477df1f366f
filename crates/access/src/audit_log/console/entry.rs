//! Entries that are alike as a row: its sentence, its reason, and the details behind a summary.

use maud::{Markup, html};
use pointbook_domain::{AuditEntry, NewAuditEntry};
use pointbook_http::pages::{clock_time, number, visible};

use super::address;
use super::sentence::{Names, changed, fields, of_count, sentence, value};
use crate::console_kit::Visit;
use crate::console_kit::components::facts;

/// Moments of one minute look the same.
const MICROS_OF_MINUTE: i64 = 60_000_000;

/// Whether one row tells of both, such as of two rows of a file: in one minute the same person did the same with two objects.
pub(super) fn are_alike(newer: &AuditEntry, older: &AuditEntry) -> bool {
    let (newer, older) = (&newer.new, &older.new);
    let minute = |entry: &NewAuditEntry| entry.at.as_micros().div_euclid(MICROS_OF_MINUTE);
    newer.object != older.object
        && (&newer.actor, &newer.operation, &newer.reason) == (&older.actor, &older.operation, &older.reason)
        && minute(newer) == minute(older)
        && have_same_fields(newer, older)
}

fn have_same_fields(one: &NewAuditEntry, other: &NewAuditEntry) -> bool {
    let [before, after] = [&one.before, &one.after].map(|json| fields(json.as_deref()));
    let [other_before, other_after] = [&other.before, &other.after].map(|json| fields(json.as_deref()));
    changed(&before, &after) == changed(&other_before, &other_after)
}

/// Entries that are alike, the newest first.
pub(super) fn row(
    visit: &Visit<'_>,
    newest: &AuditEntry,
    older: &[AuditEntry],
    names: &Names,
) -> Vec<Markup> {
    let (words, new) = (visit.words, &newest.new);
    let more = i64::try_from(older.len()).unwrap_or(i64::MAX);
    vec![
        html! {
            (sentence(visit, new, names))
            @if more > 0 { " " span .quiet { (words.with(&of_count("audit-more", more), "count", number(more, words))) } }
            @if let Some(reason) = &new.reason { " " q { (reason) } }
            details .told {
                summary .quiet { (words.say("audit-details")) }
                div {
                    (details(visit, newest))
                    @for entry in older {
                        p { (sentence(visit, &entry.new, names)) }
                        (details(visit, entry))
                    }
                }
            }
        },
        clock_time(new.at, &visit.served),
    ]
}

/// What the sentence of an entry leaves out.
fn details(visit: &Visit<'_>, entry: &AuditEntry) -> Markup {
    let AuditEntry { seq, new, hash: _ } = entry;
    let filtered =
        |name, text: &str| html! { a href=(address(visit, [(name, text)])) { code { (visible(text)) } } };
    let known = [
        ("audit-action", html! { code { (new.operation) } }),
        ("audit-object", filtered("object", &new.object)),
        ("audit-actor", filtered("actor", &new.actor)),
        ("audit-entry", html! { (seq) }),
    ];
    let origin = [("audit-request", &new.request_id), ("audit-address", &new.address)];
    let origin =
        origin.into_iter().filter_map(|(name, text)| Some((name, html! { code { (text.as_ref()?) } })));
    html! {
        (facts(visit, known.into_iter().chain(origin)))
        (changes(visit, *seq, new))
    }
}

fn changes(visit: &Visit<'_>, seq: u64, new: &NewAuditEntry) -> Markup {
    let [before, after] = [&new.before, &new.after].map(|json| fields(json.as_deref()));
    let (names, has_before, has_after) = (changed(&before, &after), !before.is_empty(), !after.is_empty());
    let words = visit.words;
    html! {
        @if !names.is_empty() {
            div .scroll tabindex="0" role="region" aria-label={ (words.say("audit-changes")) " " (seq) } {
                table {
                    thead { tr {
                        th scope="col" { (words.say("audit-field")) }
                        @if has_before { th scope="col" { (words.say("audit-before")) } }
                        @if has_after { th scope="col" { (words.say("audit-after-value")) } }
                    } }
                    tbody { @for name in names { tr {
                        th scope="row" { code { (name) } }
                        @if has_before { td { (value(visit, before.get(name))) } }
                        @if has_after { td { (value(visit, after.get(name))) } }
                    } } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;
    use pointbook_domain::ledger::CHAIN_START;

    use super::*;

    fn entry(second: i64, object: &str, after: &str) -> AuditEntry {
        let new = NewAuditEntry {
            at: Timestamp::from_micros(second * 1_000_000).unwrap(),
            actor: "operator:ada".to_owned(),
            actor_label: None,
            operation: "product.put".to_owned(),
            object: object.to_owned(),
            before: None,
            after: Some(after.to_owned()),
            reason: None,
            request_id: None,
            address: None,
        };
        AuditEntry { seq: 1, new, hash: CHAIN_START }
    }

    #[test]
    fn one_row_tells_of_several_objects_in_one_minute_and_of_no_other_field() {
        let older = entry(61, "product:mug", r#"{"stock":1}"#);
        assert!(are_alike(&entry(119, "product:cup", r#"{"stock":9}"#), &older));
        assert!(!are_alike(&entry(119, "product:mug", r#"{"stock":9}"#), &older), "one object changed twice");
        assert!(!are_alike(&entry(120, "product:cup", r#"{"stock":9}"#), &older), "the next minute");
        assert!(!are_alike(&entry(119, "product:cup", r#"{"price":9}"#), &older), "another field");
    }
}
