//! One entry as a row: its sentence, its reason, and the details behind a summary.

use maud::{Markup, html};
use pointbook_domain::{AuditEntry, NewAuditEntry};
use pointbook_http::pages::{clock_time, visible};

use super::address;
use super::sentence::{Names, changed, fields, sentence, value};
use crate::audit_log::AuditLogFilter;
use crate::console_kit::Visit;
use crate::console_kit::components::facts;

pub(super) fn row(visit: &Visit<'_>, entry: &AuditEntry, names: &Names) -> Vec<Markup> {
    let AuditEntry { seq, new, hash: _ } = entry;
    let words = visit.words;
    let filtered = |filter: AuditLogFilter, text: &str| html! { a href=(address(visit, &filter, 0, None)) { code { (visible(text)) } } };
    let of_actor = AuditLogFilter { actor: Some(new.actor.clone()), ..AuditLogFilter::default() };
    let of_object = AuditLogFilter { object: Some(new.object.clone()), ..AuditLogFilter::default() };
    let known = [
        ("audit-action", html! { code { (new.operation) } }),
        ("audit-object", filtered(of_object, &new.object)),
        ("audit-actor", filtered(of_actor, &new.actor)),
        ("audit-entry", html! { (seq) }),
    ];
    let origin = [("audit-request", &new.request_id), ("audit-address", &new.address)];
    let origin =
        origin.into_iter().filter_map(|(name, text)| Some((name, html! { code { (text.as_ref()?) } })));
    vec![
        html! {
            (sentence(visit, new, names))
            @if let Some(reason) = &new.reason { " " q { (reason) } }
            details {
                summary .quiet { (words.say("audit-details")) }
                (facts(visit, known.into_iter().chain(origin)))
                (changes(visit, *seq, new))
            }
        },
        clock_time(new.at, &visit.served),
    ]
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
