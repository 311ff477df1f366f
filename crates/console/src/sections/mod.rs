//! The pages of the console that belong to no slice: overview, search, settings and health.

mod gallery;
mod health;
mod overview;
mod search;
mod settings;

use pointbook_access::console_kit::PageSpec;

/// The pages that belong to no slice.
pub static PAGES: &[&[PageSpec]] =
    &[&overview::PAGES, &search::PAGES, &settings::PAGES, &health::PAGES, &gallery::PAGES];
