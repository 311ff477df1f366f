//! The pages, by section.

mod campaigns;
mod overview;
mod reports;
mod session;

use crate::page_spec::PageSpec;

/// All pages of the console.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> {
    session::PAGES.iter().chain(&overview::PAGES).chain(&reports::PAGES).chain(&campaigns::PAGES)
}
