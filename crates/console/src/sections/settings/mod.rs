//! The settings of the tenant. Only owners see them, because no operation of the interface does.

mod change;
mod form;
mod texts;

use maud::{Markup, html};
use pointbook_domain::Environment;
use pointbook_http_kernel::Response;
use pointbook_page_kit::PageError;

use self::form::Typed;
use crate::components::{facts, respond};
use crate::page_spec::{Access, PageSpec, page};
use crate::visit::Visit;

pub(super) static PAGES: [PageSpec; 4] = [
    page!("console.settings", GET "/settings", Access::Owner, [], show),
    page!("console.settings.change", POST "/settings", Access::Owner, [], change::change),
    page!("console.settings.texts", GET "/settings/texts", Access::Owner, [], texts::show),
    page!("console.settings.texts.change", POST "/settings/texts", Access::Owner, [], texts::change),
];

pub(super) const SECTION: &str = "/settings";

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let content = page_of(visit, &Typed::of_tenant(&visit.served.tenant))?;
    Ok(respond(visit, SECTION, &visit.words.say("settings"), &content))
}

/// What no form changes, the settings, and the ways to texts and clock.
fn page_of(visit: &Visit<'_>, typed: &Typed) -> Result<Markup, PageError> {
    let (words, tenant) = (visit.words, &visit.served.tenant);
    let is_staging = tenant.environment == Environment::Staging;
    Ok(html! {
        p { (words.say("settings-hint")) }
        (facts(visit, [
            ("settings-tenant", html! { (visit.served.name()) }),
            ("settings-base-url", html! { (tenant.base_url) br; span .quiet { (words.say("settings-base-url-hint")) } }),
        ]))
        p {
            a .button href=(visit.path("/settings/texts")) { (words.say("settings-texts")) } " "
            @if is_staging { a .button href=(visit.path("/clock")) { (words.say("clock-title")) } }
        }
        (typed.form(visit)?)
    })
}
