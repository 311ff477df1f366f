//! The forms on the page of a member. Each is there for the roles that may send it.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{danger, form};
use pointbook_access::console_kit::draft::Draft;
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_domain::{Scope, User};
use pointbook_http::pages::PageError;

use super::award_form::AWARD;
use super::paths::{may, member_path};
use super::profile::profile_inputs;

/// The forms of the page, as they were sent.
#[derive(Default)]
pub(super) struct Drafts<'f> {
    pub(super) award: Draft<'f>,
    pub(super) change: Draft<'f>,
    pub(super) link: Draft<'f>,
    pub(super) note: Draft<'f>,
}

impl Drafts<'_> {
    /// Whether one of them was refused.
    pub(super) fn are_refused(&self) -> bool {
        [&self.award, &self.change, &self.link, &self.note].iter().any(|draft| draft.is_refused())
    }
}

/// The forms, each behind a button.
pub(super) fn all(visit: &Visit<'_>, user: &User, drafts: &Drafts<'_>) -> Result<Markup, PageError> {
    let Drafts { award: _, change, link, note: _ } = drafts;
    let path = |rest: &str| member_path(visit, &user.id, rest);
    let has_shop = visit.served.tenant.settings.shop;
    Ok(html! {
            @if may(visit, Scope::ActivitiesWrite)? {
                button .button .primary popovertarget=(AWARD) { (icon(Icon::Add)) (visit.words.say("member-award")) }
            }
            @if has_shop && may(visit, Scope::TokensIssue)? {
                @let hint = html! { p { (visit.words.say("member-link-hint")) } (link.said("form")) };
                (panel(visit, "member-link", link.is_refused(), &form(visit, &path("/link"), "member-link-make", hint)?))
            }
            @let profile = form(visit, &path(""), "member-change", profile_inputs(visit, change, Some(user)))?;
            details .menu open[change.is_refused()] {
                summary .button .square { (icon(Icon::More)) span .unseen { (visit.words.say("more")) } }
                div {
            @if may(visit, Scope::UsersWrite)? { (panel(visit, "member-change", change.is_refused(), &profile)) }
            @if may(visit, Scope::TokensIssue)? {
                (danger(visit, &path("/sign-out"), "member-sign-out", html! { p { (visit.words.say("member-sign-out-hint")) } })?)
            }
            @if may(visit, Scope::UsersWrite)? {
                @if user.disabled_at.is_some() {
                    (form(visit, &path("/enable"), "member-enable", "")?)
                } @else {
                    (danger(visit, &path("/disable"), "member-disable", html! { p { (visit.words.say("member-disable-hint")) } })?)
                }
            }
                }
            }
    })
}

/// A form that opens.
fn panel(visit: &Visit<'_>, name: &str, is_open: bool, content: &Markup) -> Markup {
    html! { details .panel open[is_open] { summary { (visit.words.say(name)) } (content) } }
}
