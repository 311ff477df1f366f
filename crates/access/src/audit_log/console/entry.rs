//! One entry, with the fields that changed.

use maud::{Markup, html};
use pointbook_domain::{AuditEntry, NewAuditEntry};
use pointbook_http::pages::{moment, number, visible};
use serde_json::{Map, Value};

use super::address;
use crate::audit_log::AuditLogFilter;
use crate::console_kit::Visit;
use crate::console_kit::authors::Authors;

/// Operations that add or remove something have values on one side alone.
pub(super) fn show(visit: &Visit<'_>, entry: &AuditEntry, authors: &Authors) -> Markup {
    let AuditEntry { seq, new, hash: _ } = entry;
    let words = visit.words;
    let of_object = AuditLogFilter { object: Some(new.object.clone()), ..AuditLogFilter::default() };
    html! {
        article .entry {
            header {
                span { (actor(visit, new, authors)) }
                code { (new.operation) }
                a href=(address(visit, &of_object, 0, None)) { (visible(&new.object)) }
                span .push .quiet { (moment(new.at, &visit.served, words)) }
            }
            @if let Some(reason) = &new.reason { p { (words.say("audit-reason")) " " q { (reason) } } }
            details {
                summary { (words.say("audit-details")) }
                (changes(visit, entry.seq, new))
                p .quiet {
                    (words.with("audit-seq", "number", number(seq.cast_signed(), words))) " "
                    @if let Some(address) = &new.address { (words.say("audit-address")) " " (address) " " }
                    @if let Some(request_id) = &new.request_id { (words.say("audit-request")) " " code { (request_id) } }
                }
            }
        }
    }
}

/// Who made the change: the name of the operator or the label of the key, and a link to all entries of the actor.
pub(crate) fn actor(visit: &Visit<'_>, new: &NewAuditEntry, authors: &Authors) -> Markup {
    let of_actor = AuditLogFilter { actor: Some(new.actor.clone()), ..AuditLogFilter::default() };
    html! {
        (visit.words.say("audit-by")) " "
        @if let Some(name) = authors.name(&new.actor) { strong { (name) } " " }
        @if let Some(label) = &new.actor_label { strong { (label) } " " }
        a href=(address(visit, &of_actor, 0, None)) { (new.actor) }
    }
}

fn changes(visit: &Visit<'_>, seq: u64, new: &NewAuditEntry) -> Markup {
    let (before, after) = (fields(new.before.as_deref()), fields(new.after.as_deref()));
    let mut names: Vec<&String> = after.keys().chain(before.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let (has_before, has_after) = (!before.is_empty(), !after.is_empty());
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
                    tbody {
                        @for name in names { tr {
                            th scope="row" { code { (name) } }
                            @if has_before { td { (value(visit, before.get(name))) } }
                            @if has_after { td { (value(visit, after.get(name))) } }
                        } }
                    }
                }
            }
        }
    }
}

/// An entry that another version wrote may have another form: then its fields are left out.
fn fields(json: Option<&str>) -> Map<String, Value> {
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

/// A long text is in the log by its length and hash.
fn value(visit: &Visit<'_>, value: Option<&Value>) -> Markup {
    match value {
        None | Some(Value::Null) => html! { "–" },
        Some(Value::String(text)) => html! { (text) },
        Some(Value::Object(object)) if object.contains_key("sha256") => {
            let length = object.get("length").and_then(Value::as_i64).unwrap_or_default();
            html! { (visit.words.with("audit-long-text", "count", number(length, visit.words))) }
        }
        Some(other) => html! { code { (other.to_string()) } },
    }
}
