//! The section of the console that imports files: an operator sends a file of products or activities, tries it or imports it, watches the
//! progress, and downloads the refused rows.
//!
//! The files and their rules are those of `pointbook import`. An import runs in the background and is kept in memory for an hour.

mod check;
mod job_page;
mod list;
mod place;
mod refused_rows;
mod run;
mod upload;

use pointbook_console_kit::page_spec::{PageSpec, page};

use place::{ACTIVITIES, PRODUCTS, UPLOAD};

static PAGES: [PageSpec; 7] = [
    page!("console.imports", GET "/imports", PRODUCTS, ["manage.products.import"], list::show),
    page!("console.imports.products", POST "/imports/products", PRODUCTS, ["manage.products.import"], upload::products, UPLOAD),
    page!("console.imports.activities", POST "/imports/activities", ACTIVITIES, ["manage.activities.import"], upload::activities, UPLOAD),
    page!("console.import.products", GET "/imports/products/{id}", PRODUCTS, ["manage.products.import"], job_page::products),
    page!("console.import.activities", GET "/imports/activities/{id}", ACTIVITIES, ["manage.activities.import"], job_page::activities),
    page!("console.import.products.refused", GET "/imports/products/{id}/refused.csv", PRODUCTS, ["manage.products.import"], refused_rows::products),
    page!("console.import.activities.refused", GET "/imports/activities/{id}/refused.csv", ACTIVITIES, ["manage.activities.import"], refused_rows::activities),
];

/// The pages of the section.
pub fn pages() -> impl Iterator<Item = &'static PageSpec> {
    PAGES.iter()
}
