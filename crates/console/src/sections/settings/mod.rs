//! The settings of the tenant. Only owners see them, because no operation of the interface does.

mod brand;
mod change;
mod form;
mod logo;
mod page;
mod texts;

use maud::html;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Access, PageSpec, Visit, assets, page};
use pointbook_catalogue::pictures::upload::UPLOAD;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;

use self::form::{SECTION, Typed};
use self::page::page_of;

pub(super) static PAGES: [PageSpec; 4] = [
    page!("console.settings", GET "/settings", Access::Owner, [], show),
    page!("console.settings.change", POST "/settings", Access::Owner, [], change::change, UPLOAD),
    page!("console.settings.texts", GET "/settings/texts", Access::Owner, [], texts::show),
    page!("console.settings.texts.change", POST "/settings/texts", Access::Owner, [], texts::change),
];

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let content = page_of(visit, &Typed::of_tenant(&visit.served.tenant))?;
    Ok(sheet(visit).respond(&content))
}

/// The page of all settings.
fn sheet<'v>(visit: &'v Visit<'v>) -> Sheet<'v> {
    let line = html! { (visit.words.say("settings-hint")) };
    Sheet::new(visit, SECTION, visit.words.say("settings")).line(line).styled(&[assets::SETTINGS])
}
