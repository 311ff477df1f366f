//! The sections of the console about the programme itself: campaigns and reports.

pub mod campaigns;
pub mod given_figures;
mod reports;

use pointbook_console_kit::page_spec::PageSpec;

/// The pages of these sections.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> {
    campaigns::PAGES.iter().chain(&reports::PAGES)
}
