//! Who changed an object, in a few lines on the page of the object.

use maud::{Markup, html};
use pointbook_domain::{NewAuditEntry, Scope};
use pointbook_http::pages::{PageError, moment};
use url::form_urlencoded;

use super::console::sentence::{Names, sentence};
use crate::audit_log::{AuditLogFilter, NewestEntries, newest_audit_entries};
use crate::console_kit::Visit;

/// The audit log has the others.
const SHOWN: u32 = 10;

/// The address of the audit log with the entries of an object. `None` for roles that may not read it.
pub fn log_of(visit: &Visit<'_>, object: &str) -> Option<String> {
    let may_read = visit.signed_in().ok()?.operator.role.has(Scope::AuditRead);
    let object: String = form_urlencoded::byte_serialize(object.as_bytes()).collect();
    may_read.then(|| format!("{}?object={object}", visit.path("/audit-log")))
}

/// The newest changes of these objects, with their reasons; of some objects only the changes by one operation. `title` is the id of the title.
/// Empty without changes. `None` for roles that may not read the audit log.
pub async fn changes_of(
    visit: &Visit<'_>,
    title: &str,
    objects: &[(String, Option<&str>)],
) -> Result<Option<Markup>, PageError> {
    if !visit.signed_in()?.operator.role.has(Scope::AuditRead) {
        return Ok(None);
    }
    let (data, words) = (&*visit.served.data, visit.words);
    let mut changes = Vec::new();
    for (object, operation) in objects {
        let filter = AuditLogFilter { object: Some(object.clone()), ..AuditLogFilter::default() };
        let newest =
            newest_audit_entries(data, &NewestEntries { filter, ..NewestEntries::default() }, SHOWN).await?;
        changes.extend(
            newest.into_iter().filter(|change| operation.is_none_or(|only| change.new.operation == only)),
        );
    }
    let names = Names::of(visit, &changes).await?;
    let all = changes.first().and_then(|change| log_of(visit, &change.new.object));
    let line = |new: &NewAuditEntry| {
        html! {
            li {
                span { (sentence(visit, new, &names)) @if let Some(reason) = &new.reason { " " q { (reason) } } }
                span .quiet { (moment(new.at, &visit.served, words)) }
            }
        }
    };
    Ok(Some(html! {
        @if !changes.is_empty() {
            section .card {
                div .card-head { h2 { (words.say(title)) } @if let Some(all) = all { a href=(all) { (words.say("audit-brief-all")) } } }
                ul .rows { @for change in &changes { (line(&change.new)) } }
            }
        }
    }))
}
