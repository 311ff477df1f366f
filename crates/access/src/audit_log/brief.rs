//! Who changed an object, in a few lines on the page of the object.

use maud::{Markup, html};
use pointbook_domain::{NewAuditEntry, Scope};
use pointbook_http::pages::{PageError, moment};

use super::console::sentence::{Names, sentence};
use crate::audit_log::{AuditLogFilter, newest_audit_entries};
use crate::console_kit::Visit;

/// The audit log has the others.
const SHOWN: u32 = 10;

/// The newest changes of these objects, with their reasons; of some objects only the changes by one operation. Empty without changes. `None` for roles that may not read the audit log.
pub async fn changes_of(
    visit: &Visit<'_>,
    objects: &[(String, Option<&str>)],
) -> Result<Option<Markup>, PageError> {
    if !visit.signed_in()?.operator.role.has(Scope::AuditRead) {
        return Ok(None);
    }
    let (data, words) = (&*visit.served.data, visit.words);
    let mut changes = Vec::new();
    for (object, operation) in objects {
        let filter = AuditLogFilter { object: Some(object.clone()), ..AuditLogFilter::default() };
        let newest = newest_audit_entries(data, &filter, (0, None), SHOWN).await?;
        changes.extend(
            newest.into_iter().filter(|change| operation.is_none_or(|only| change.new.operation == only)),
        );
    }
    let names = Names::of(visit, &changes).await?;
    let line = |new: &NewAuditEntry| {
        html! {
            li {
                (sentence(visit, new, &names)) ", " (moment(new.at, &visit.served, words))
                @if let Some(reason) = &new.reason { " " q { (reason) } }
            }
        }
    };
    Ok(Some(html! {
        @if !changes.is_empty() {
            h2 { (words.say("audit-brief")) }
            ul { @for change in &changes { (line(&change.new)) } }
        }
    }))
}
