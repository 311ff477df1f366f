//! The pages, by section.

mod campaigns;
mod categories;
mod members;
mod orders;
mod overview;
mod products;
mod reports;
mod search;
mod session;

use crate::page_spec::PageSpec;

/// All pages of the console.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> {
    session::PAGES
        .iter()
        .chain(&overview::PAGES)
        .chain(&orders::PAGES)
        .chain(&products::PAGES)
        .chain(&categories::PAGES)
        .chain(&campaigns::PAGES)
        .chain(&reports::PAGES)
        .chain(&members::PAGES)
        .chain(&search::PAGES)
}
