//! What happened, for other programs: the feed that they read, and the webhooks that send it to them.

pub mod feed;
pub mod webhooks;

use pointbook_access::console_kit::PageSpec;
use pointbook_http::RouteSpec;
use pointbook_store::Job;

/// Its operations.
pub static OPERATIONS: &[&[RouteSpec]] = &[&feed::api::ROUTES, &webhooks::api::ROUTES];

/// Its pages of the console.
pub static PAGES: &[&[PageSpec]] = &[&webhooks::console::PAGES, &feed::console::PAGES];

/// Its background jobs.
pub static JOBS: &[&dyn Job] = &[&feed::job::CleanEvents];
