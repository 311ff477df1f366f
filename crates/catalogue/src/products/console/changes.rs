//! The last changes of a product, for those who may read the audit log.

use maud::{Markup, html};
use pointbook_access::audit_log::{AuditLogFilter, newest_audit_entries};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::authors::Authors;
use pointbook_domain::{NewAuditEntry, ProductId, Scope};
use pointbook_http::pages::{PageError, moment, visible};
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::form::Field;

/// The audit log has the others.
const SHOWN: u32 = 3;

/// The address of the audit log with the entries of the product. `None` when the operator may not read it.
pub(super) fn history(visit: &Visit<'_>, id: &ProductId) -> Option<String> {
    let may_read = visit.signed_in().ok()?.operator.role.has(Scope::AuditRead);
    let object: String = form_urlencoded::byte_serialize(format!("product:{id}").as_bytes()).collect();
    may_read.then(|| format!("{}?object={object}", visit.path("/audit-log")))
}

pub(super) async fn card(visit: &Visit<'_>, id: &ProductId) -> Result<Markup, PageError> {
    let Some(address) = history(visit, id) else { return Ok(html! {}) };
    let filter = AuditLogFilter { object: Some(format!("product:{id}")), ..AuditLogFilter::default() };
    let entries = newest_audit_entries(&*visit.served.data, &filter, (0, None), SHOWN).await?;
    let (authors, words) = (Authors::of(visit).await?, visit.words);
    let author = |new: &NewAuditEntry| match (authors.name(&new.actor), &new.actor_label) {
        (Some(name), _) => name.to_owned(),
        (None, Some(label)) => label.clone(),
        (None, None) => visible(&new.actor).to_string(),
    };
    Ok(html! {
        @if !entries.is_empty() {
            section .card {
                div .card-head { h2 { (words.say("product-changes")) } a href=(address) { (words.say("product-changes-all")) } }
                ul .rows {
                    @for entry in &entries {
                        li {
                            span { strong { (author(&entry.new)) } " " (what(visit, &entry.new)) }
                            span .quiet { (moment(entry.new.at, &visit.served, words)) }
                        }
                    }
                }
            }
        }
    })
}

/// What the entry says: the fields that changed, by their labels.
fn what(visit: &Visit<'_>, new: &NewAuditEntry) -> String {
    let fields = |json: Option<&str>| -> Map<String, Value> {
        json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    };
    let (before, after) = (fields(new.before.as_deref()), fields(new.after.as_deref()));
    let words = visit.words;
    if before.is_empty() || after.is_empty() {
        let text = if before.is_empty() { "product-change-added" } else { "product-change-retired" };
        return words.say(text).into_owned();
    }
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    let label = |name: &str| match Field::ALL.into_iter().find(|field| field.name() == name) {
        Some(field) => words.say(field.label()).into_owned(),
        None => words.say("product-stock").into_owned(),
    };
    let names: Vec<String> = changed.map(|(name, _)| label(name)).collect();
    names.join(", ")
}
