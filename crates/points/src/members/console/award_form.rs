//! The form with which points are awarded.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{activity_type, field, form};
use pointbook_access::console_kit::draft::{Draft, Input};
use pointbook_access::console_kit::once::once_field;
use pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{ActivityType, User};
use pointbook_http::pages::PageError;
use pointbook_store::limits::MAX_TITLE_CHARS;

use super::paths::member_path;

pub(super) fn award_form(visit: &Visit<'_>, user: &User, draft: &Draft<'_>) -> Result<Markup, PageError> {
    let words = visit.words;
    let chosen = draft.or("type", "");
    let source = new_source(visit);
    let titled = |name| Input { max_chars: Some(MAX_TITLE_CHARS), ..Input::text(name) };
    let asks = draft.typed("campaigns").is_some();
    let fields = html! {
        (once_field(visit))
        (draft.said("form"))
        (field(visit, "ledger-type", html! {
            select name="type" {
                @for kind in kinds(visit) { option value=(kind) selected[kind.as_str() == chosen] { (activity_type(kind.as_str(), words)) } }
            }
        }))
        (draft.said("type"))
        (draft.input(visit, "member-award-points", &Input { max_chars: Some(MAX_POINTS_CHARS), ..Input::text("points") }))
        (draft.input(visit, "member-award-title", &titled("title")))
        (draft.input(visit, "member-award-subtitle", &Input { is_required: false, ..titled("subtitle") }))
        (draft.input(visit, "member-award-source", &Input { default: &source, max_chars: Some(MAX_ID_CHARS), ..Input::text("source_id") }))
        label .check { input type="checkbox" name="campaigns" value="add" checked[asks]; " " (words.say("member-award-campaigns")) }
    };
    form(visit, &member_path(visit, &user.id, "/activities"), "member-award", fields)
}

/// More than any number of points has.
const MAX_POINTS_CHARS: usize = 20;

/// The activity types of the tenant. Only orders move the points of orders.
pub(super) fn kinds(visit: &Visit<'_>) -> Vec<ActivityType> {
    let documented = DOCUMENTED_ACTIVITY_TYPES.iter().filter_map(|kind| ActivityType::new(kind).ok());
    let own = visit.served.tenant.settings.activity_types.iter().cloned();
    documented.filter(|kind| !kind.is_order()).chain(own).collect()
}

/// A source id that no other award has.
fn new_source(visit: &Visit<'_>) -> String {
    format!("console-{}", visit.shared.ids.transaction_id())
}
