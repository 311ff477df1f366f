//! Who changed an object, in a few lines on the page of the object.

use maud::{Markup, html};
use pointbook_domain::{NewAuditEntry, Scope};
use pointbook_page_kit::{PageError, moment};
use pointbook_upkeep::{AuditLogFilter, newest_audit_entries};

use super::entry::actor;
use super::names_of_operators;
use pointbook_console_kit::visit::Visit;

/// The audit log has the others.
const SHOWN: u32 = 10;

/// The newest changes of these objects, with their reasons. Empty without changes, and for roles that may not read the audit log.
pub(in crate::sections) async fn changes_of(
    visit: &Visit<'_>,
    objects: &[String],
) -> Result<Markup, PageError> {
    if !visit.signed_in()?.operator.role.has(Scope::AuditRead) {
        return Ok(html! {});
    }
    let (data, words) = (&*visit.served.data, visit.words);
    let mut changes = Vec::new();
    for object in objects {
        let filter = AuditLogFilter { object: Some(object.clone()), ..AuditLogFilter::default() };
        changes.extend(newest_audit_entries(data, &filter, (0, None), SHOWN).await?);
    }
    let names = names_of_operators(visit).await?;
    let line = |new: &NewAuditEntry| {
        html! {
            li {
                code { (new.operation) } " " (actor(visit, new, &names)) ", " (moment(new.at, &visit.served, words))
                @if let Some(reason) = &new.reason { " · " (words.say("audit-reason")) " " q { (reason) } }
            }
        }
    };
    Ok(html! {
        @if !changes.is_empty() {
            h2 { (words.say("audit-brief")) }
            ul { @for change in &changes { (line(&change.new)) } }
        }
    })
}
