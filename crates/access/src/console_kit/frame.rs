//! What stands around the sheet of every page: the sections with tenant and environment at the side, and the search, the way to the
//! shop and the account at the top.

use maud::{Markup, html};
use pointbook_domain::Environment;
use pointbook_http::pages::{form_token, moment, number};
use pointbook_store::ServedTenant;

use crate::console_kit::assets::BRANDED;
use crate::console_kit::components::{PATH, QUERY, may_search, search_box};
use crate::console_kit::icons::{Icon, icon};
use crate::console_kit::navigation::{Count, GROUPS, Section};
use crate::console_kit::visit::{SignedIn, Visit};
use crate::sessions::{PagesOf, pages_path};

/// The sections as a column, which a small window shows as a drawer.
pub(super) fn side(visit: &Visit<'_>, signed_in: &SignedIn, section: &str) -> Markup {
    let (words, role) = (visit.words, signed_in.operator.role);
    html! {
        nav .side #sections popover aria-label=(words.say("navigation")) {
            (tenants(visit, section))
            @for group in &GROUPS {
                @let seen: Vec<_> = group.sections.iter().filter(|entry| entry.access.admits(role)).collect();
                @if !seen.is_empty() {
                    div {
                        @if let Some(name) = group.name { h2 { (words.say(name)) } }
                        ul { @for entry in seen { li { (entrance(visit, entry, entry.path == section)) } } }
                    }
                }
            }
        }
    }
}

/// The link to a section, with its count.
fn entrance(visit: &Visit<'_>, entry: &Section, is_here: bool) -> Markup {
    let count = visit.counts.iter().find(|(path, _)| *path == entry.path).map(|(_, count)| *count);
    html! {
        a href=(visit.path(entry.path)) aria-current=[is_here.then_some("page")] data-letter=(entry.letter) {
            (icon(entry.icon)) (visit.words.say(entry.name))
            @if let Some(count) = count { " " (counted(visit, count)) }
        }
    }
}

/// A number beside the name of what it counts, and in words for who does not see the colour.
fn counted(visit: &Visit<'_>, count: Count) -> Markup {
    let shown = number(i64::try_from(count.number).unwrap_or(i64::MAX), visit.words);
    html! {
        span .count .due[count.is_due] {
            (shown) @if let Some(meaning) = count.meaning { span .unseen { " " (visit.words.say(meaning)) } }
        }
    }
}

/// The tenant and the environment, and the way to the others. The same section opens there.
fn tenants(visit: &Visit<'_>, section: &str) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    if visit.others.is_empty() {
        return tenant(visit);
    }
    let here = named(visit);
    html! {
        details .menu .tenant {
            summary { (here) (icon(Icon::Switch)) span .unseen { (words.say("switch-tenant")) } }
            div {
                a href=(visit.root) aria-current="true" { (icon(Icon::Check)) (served.tenant.name) " " (environment(visit, served)) }
                @for other in &visit.others {
                    a href={ (pages_path(PagesOf::Console, &other.name())) (section.trim_start_matches("none")) } {
                        span .icon {} (other.tenant.name) " " (environment(visit, other))
                    }
                }
            }
        }
    }
}

/// The tenant and the environment, as the way to the first page.
pub(super) fn tenant(visit: &Visit<'_>) -> Markup {
    html! { a .tenant href=(visit.root) { (named(visit)) } }
}

fn named(visit: &Visit<'_>) -> Markup {
    let served = &visit.served;
    html! { (mark(served)) span { span .strong { (served.tenant.name) } (environment(visit, served)) } }
}

/// The logo, or the first letter of the name.
fn mark(served: &ServedTenant) -> Markup {
    html! {
        @match &served.tenant.settings.logo {
            Some(logo) => img .mark-of src=(logo) alt="" width="28" height="28";,
            None => span .mark-of .(BRANDED) aria-hidden="true" { (initial(&served.tenant.name)) },
        }
    }
}

fn initial(name: &str) -> String {
    name.chars().next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default()
}

fn environment(visit: &Visit<'_>, served: &ServedTenant) -> Markup {
    let is_staging = served.tenant.environment == Environment::Staging;
    html! { span .env .staging[is_staging] { (visit.words.say(if is_staging { "staging" } else { "production" })) } }
}

/// The bar above the sheet.
pub(super) fn top(visit: &Visit<'_>, signed_in: &SignedIn) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    let is_ahead = served.tenant.clock.to_real(visit.now) != visit.now;
    html! {
        header .top {
            button .button .bare .square .on-phone type="button" popovertarget="sections" aria-label=(words.say("navigation")) { (icon(Icon::Menu)) }
            span .strong .on-phone { (served.tenant.name) }
            (search_box(visit, signed_in))
            @if is_ahead { span .badge .warn { (words.say("clock")) " " (moment(visit.now, served, words)) } }
            @if may_search(signed_in) {
                a .button .bare .square .on-phone href={ (visit.path(PATH)) "?" (QUERY) "=" } aria-label=(words.say("search")) { (icon(Icon::Search)) }
            }
            @if served.tenant.settings.shop {
                a .button .bare .on-wide href={ (served.tenant.base_url.origin()) (pages_path(PagesOf::Shop, &served.name())) } {
                    (icon(Icon::Shop)) (words.say("open-shop"))
                }
            }
            (account(visit, signed_in))
        }
    }
}

/// The operator, the sessions, and the way out.
fn account(visit: &Visit<'_>, SignedIn { operator, form_token: token, .. }: &SignedIn) -> Markup {
    let words = visit.words;
    html! {
        details .menu .account {
            summary .button .bare {
                span .face aria-hidden="true" { (initial(operator.name.as_str())) }
                span .on-wide { (operator.name) } span .unseen { (words.say("account")) }
            }
            div {
                p data-operator=(operator.email) { (operator.name) " · " (words.say(&format!("role-{}", operator.role))) }
                a href=(visit.path("/sessions")) { (icon(Icon::Sessions)) (words.say("sessions")) }
                hr;
                form method="post" action=(visit.path("/sign-out")) {
                    (form_token(token))
                    button { (words.say("sign-out")) }
                }
            }
        }
    }
}
