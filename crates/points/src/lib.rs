//! Members and their points: the ledger, the history, orders, activities, campaigns at work, and the audit of all that.

pub mod audit;
pub mod campaigns;
pub mod earning;
pub mod held;
pub mod ledger;
pub mod members;
pub mod orders;

use pointbook_access::console_kit::PageSpec;
use pointbook_http::RouteSpec;
use pointbook_store::Job;

/// Its operations.
pub static OPERATIONS: &[&[RouteSpec]] = &[
    &orders::store_api::ROUTES,
    &members::user_api::ROUTES,
    &members::manage_api::ROUTES,
    &earning::api::ROUTES,
    &held::api::ROUTES,
    &orders::manage_api::ROUTES,
    &campaigns::api::ROUTES,
];

/// Its pages of the console.
pub static PAGES: &[&[PageSpec]] =
    &[&orders::console::PAGES, &campaigns::console::PAGES, &members::console::PAGES];

/// Its background jobs.
pub static JOBS: &[&dyn Job] = &[
    &campaigns::back_test::job::RunBackTest,
    &campaigns::runs::job::TellCampaignEvents,
    &campaigns::back_fill::job::RunBackFill,
    &members::sweep::EndAllPoints,
    &held::ReleaseHeld,
];
