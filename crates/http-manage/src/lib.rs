//! The operations of the back office, at `/v1/manage`: one folder per resource, one file per verb, and a table of operations
//! in each folder.

mod activities;
mod audit_log;
mod campaigns;
mod categories;
mod clock;
mod events;
mod keys;
mod orders;
mod pictures;
mod precondition;
mod products;
#[cfg(test)]
mod read_text;
mod reports;
mod taken_lines;
mod users;
mod webhooks;

use pointbook_endpoint_kit::RouteSpec;

/// The tables of the folders, in the order of the OpenAPI document.
static TABLES: [&[RouteSpec]; 13] = [
    &products::ROUTES,
    &categories::ROUTES,
    &pictures::ROUTES,
    &users::ROUTES,
    &activities::ROUTES,
    &orders::ROUTES,
    &keys::ROUTES,
    &audit_log::ROUTES,
    &events::ROUTES,
    &webhooks::ROUTES,
    &campaigns::ROUTES,
    &clock::ROUTES,
    &reports::ROUTES,
];

/// The operations of the back office.
pub fn routes() -> impl Iterator<Item = &'static RouteSpec> + Clone {
    TABLES.iter().copied().flatten()
}
