//! Products, categories and pictures: the index in memory that serves the store, the writes of the back office, and their pages.

pub mod cache;
pub mod categories;
pub mod commands;
pub mod html;
pub mod index;
pub mod pictures;
pub mod products;
pub(crate) mod version;

use pointbook_access::console_kit::PageSpec;
use pointbook_http::RouteSpec;

/// Its operations.
pub static OPERATIONS: &[&[RouteSpec]] = &[
    &products::store_api::ROUTES,
    &categories::store_api::ROUTES,
    &products::manage_api::ROUTES,
    &categories::manage_api::ROUTES,
    &pictures::api::ROUTES,
];

/// Its pages of the console.
pub static PAGES: &[&[PageSpec]] =
    &[&products::console::PAGES, &pictures::console::PAGES, &categories::console::PAGES];
