//! The section of the console that imports files: an operator sends a file of products, activities, users or categories, tries it
//! or imports it, watches the progress, and downloads the refused rows.
//!
//! The files and their rules are those of `pointbook import`. An import runs in the background and is kept in memory for an hour.

mod check;
mod columns;
pub(crate) mod import_jobs;
mod job_page;
mod list;
pub(crate) mod paths;
mod reasons;
mod refused_rows;
mod run;
mod upload;

use pointbook_access::console_kit::{PageSpec, page};

use crate::console::paths::{ACTIVITIES, CATEGORIES, PRODUCTS, UPLOAD, USERS};

/// A tree of categories is refused as a whole, so it has no file of refused rows.
pub(crate) static PAGES: [PageSpec; 16] = [
    page!("console.imports", GET "/imports", PRODUCTS, ["manage.products.import"], list::show),
    page!("console.imports.products", POST "/imports/products", PRODUCTS, ["manage.products.import"], upload::products, UPLOAD),
    page!("console.imports.activities", POST "/imports/activities", ACTIVITIES, ["manage.activities.import"], upload::activities, UPLOAD),
    page!("console.import.products", GET "/imports/products/{id}", PRODUCTS, ["manage.products.import"], job_page::products),
    page!("console.import.products.tried", POST "/imports/products/{id}", PRODUCTS, ["manage.products.import"], upload::tried_products),
    page!("console.import.activities", GET "/imports/activities/{id}", ACTIVITIES, ["manage.activities.import"], job_page::activities),
    page!("console.import.activities.tried", POST "/imports/activities/{id}", ACTIVITIES, ["manage.activities.import"], upload::tried_activities),
    page!("console.import.products.refused", GET "/imports/products/{id}/refused.csv", PRODUCTS, ["manage.products.import"], refused_rows::products),
    page!("console.import.activities.refused", GET "/imports/activities/{id}/refused.csv", ACTIVITIES, ["manage.activities.import"], refused_rows::activities),
    page!("console.imports.users", POST "/imports/users", USERS, ["manage.users.import"], upload::users, UPLOAD),
    page!("console.import.users", GET "/imports/users/{id}", USERS, ["manage.users.import"], job_page::users),
    page!("console.import.users.tried", POST "/imports/users/{id}", USERS, ["manage.users.import"], upload::tried_users),
    page!("console.import.users.refused", GET "/imports/users/{id}/refused.csv", USERS, ["manage.users.import"], refused_rows::users),
    page!("console.imports.categories", POST "/imports/categories", CATEGORIES, ["manage.categories.import"], upload::categories, UPLOAD),
    page!("console.import.categories", GET "/imports/categories/{id}", CATEGORIES, ["manage.categories.import"], job_page::categories),
    page!("console.import.categories.tried", POST "/imports/categories/{id}", CATEGORIES, ["manage.categories.import"], upload::tried_categories),
];
