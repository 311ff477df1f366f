//! The form with which points are awarded.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{activity_type, field};
use pointbook_access::console_kit::draft::{Draft, Input};
use pointbook_access::console_kit::once::once_field;
use pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{ActivityType, User};
use pointbook_http::pages::{PageError, form_token, visible};
use pointbook_store::limits::MAX_TITLE_CHARS;

use super::paths::member_path;

/// The id of the dialog, which its button names.
pub(super) const AWARD: &str = "award";

/// The dialog with the form. It stands open above the page when the form was refused, and in a browser that knows no dialogs.
pub(super) fn award_dialog(visit: &Visit<'_>, user: &User, draft: &Draft<'_>) -> Result<Markup, PageError> {
    let words = visit.words;
    let chosen = draft.or("type", "");
    let source = new_source(visit);
    let titled = |name| Input { max_chars: Some(MAX_TITLE_CHARS), ..Input::text(name) };
    let asks = draft.typed("campaigns").is_some();
    let fields = html! {
        (form_token(&visit.signed_in()?.form_token))
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
    let is_refused = draft.is_refused();
    let title = words.with("member-award-to", "name", visible(user.id.as_str()));
    let [award, take] = ["member-award-number", "member-take-number"].map(|id| words.with(id, "count", "%1"));
    Ok(html! {
        section #(AWARD) .card .dialog popover[!is_refused] aria-labelledby="award-title" {
            h2 #award-title { (title) }
            form .stack method="post" action=(member_path(visit, &user.id, "/activities")) {
                (fields)
                div .acts {
                    button .primary data-award=(award) data-take=(take) { (words.say("member-award")) }
                    @if !is_refused { button type="button" popovertarget=(AWARD) { (words.say("ledger-explain-close")) } }
                }
            }
        }
    })
}

/// More than any number of points has.
pub(super) const MAX_POINTS_CHARS: usize = 20;

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
