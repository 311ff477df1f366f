//! The pages, by section.

mod audit_log;
mod clock;
mod events;
mod health;
mod keys;
mod members;
pub(crate) mod openid;
mod operators;
mod orders;
mod overview;
mod search;
mod session;
mod settings;
mod webhooks;

use pointbook_console_kit::page_spec::PageSpec;

/// All pages of the console.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> {
    session::PAGES
        .iter()
        .chain(&openid::PAGES)
        .chain(&overview::PAGES)
        .chain(&orders::PAGES)
        .chain(pointbook_console_catalogue::pages())
        .chain(pointbook_console_imports::pages())
        .chain(pointbook_console_programme::pages())
        .chain(&members::PAGES)
        .chain(&search::PAGES)
        .chain(&audit_log::PAGES)
        .chain(&keys::PAGES)
        .chain(&operators::PAGES)
        .chain(&webhooks::PAGES)
        .chain(&events::PAGES)
        .chain(&settings::PAGES)
        .chain(&clock::PAGES)
        .chain(&health::PAGES)
}
