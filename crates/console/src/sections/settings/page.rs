//! The page with all settings.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::facts;
use pointbook_domain::Environment;
use pointbook_http::pages::PageError;

use super::form::Typed;

/// What no form changes, the settings, and the ways to texts and clock.
pub(super) fn page_of(visit: &Visit<'_>, typed: &Typed) -> Result<Markup, PageError> {
    let (words, tenant) = (visit.words, &visit.served.tenant);
    let is_staging = tenant.environment == Environment::Staging;
    Ok(html! {
        (facts(visit, [
            ("settings-tenant", html! { (visit.served.name()) }),
            ("settings-base-url", html! { (tenant.base_url) br; span .quiet { (words.say("settings-base-url-hint")) } }),
        ]))
        p {
            a .button href=(visit.path("/settings/texts")) { (words.say("settings-texts")) } " "
            @if is_staging { a .button href=(visit.path("/clock")) { (words.say("clock-title")) } }
        }
        p .quiet { (words.say("settings-hint")) }
        (typed.form(visit)?)
    })
}
