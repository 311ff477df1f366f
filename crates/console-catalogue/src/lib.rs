//! The sections of the console about the catalogue: products and the category tree.

mod categories;
mod category_choice;
mod category_list;
mod products;

use pointbook_console_kit::page_spec::PageSpec;

/// The pages of these sections.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> {
    products::PAGES.iter().chain(pointbook_console_pictures::pages()).chain(&categories::PAGES)
}
