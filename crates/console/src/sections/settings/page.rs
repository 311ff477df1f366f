//! The page with all settings.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_domain::Environment;
use pointbook_http::pages::PageError;

use super::form::Typed;

/// The sections, the settings, and what is changed elsewhere: texts, the clock, the base URL.
pub(super) fn page_of(visit: &Visit<'_>, typed: &Typed) -> Result<Markup, PageError> {
    let (words, tenant) = (visit.words, &visit.served.tenant);
    let is_staging = tenant.environment == Environment::Staging;
    let elsewhere = html! {
        section .card {
            div .setting {
                div { strong { (words.say("settings-texts")) } p .quiet { (words.say("settings-texts-hint")) } }
                div { a .button href=(visit.path("/settings/texts")) { (words.say("settings-texts")) } }
            }
            @if is_staging {
                div .setting {
                    div { strong { (words.say("clock-title")) } p .quiet { (words.say("clock-hint")) } }
                    div { a .button href=(visit.path("/clock")) { (words.say("clock-title")) } }
                }
            }
            div .setting {
                div { strong { (words.say("settings-base-url")) } p .quiet { (words.say("settings-base-url-hint")) } }
                div { (tenant.base_url) br; span .quiet { (words.say("settings-tenant")) " " (visit.served.name()) } }
            }
        }
    };
    Ok(html! {
        div .settings {
            (Typed::sections(visit))
            div {
                (typed.form(visit, &elsewhere)?)
            }
        }
    })
}
