//! The pages, by section.

mod members;
mod overview;
mod search;
mod session;

use crate::page_spec::PageSpec;

/// All pages of the console.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> {
    let own = session::PAGES.iter().chain(&overview::PAGES);
    own.chain(&members::PAGES).chain(&search::PAGES)
}
