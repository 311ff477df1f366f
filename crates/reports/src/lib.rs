//! Figures of a tenant: sums that reports read, by day, by month, by member, by campaign and by product.
//!
//! The ledger is the truth. [`step()`] counts the rows of new events and moves the cursor of the feed in the same commit. Each
//! member has the number of counted rows, so a row counts once, no matter which of the two finds it. [`rebuild`] throws the
//! figures away, and counting again gives the same bytes. Nothing of this is in the commits that write the ledger.

pub(crate) mod api;
mod audit;
pub mod compared;
pub(crate) mod console;
mod count;
mod difference;
pub mod for_role;
pub(crate) mod job;
mod load;
mod month;
pub mod query;
pub mod reports;
mod state;
mod step;
mod sums;
pub mod view;
mod write;

use pointbook_access::console_kit::PageSpec;
use pointbook_http::RouteSpec;
use pointbook_store::Job;

pub use self::audit::audit_figures;
pub use self::month::Month;
pub use self::step::{FIGURES_JOB, catch_up, has_figures, rebuild, step};
pub use crate::console::campaign_figures::CAMPAIGN_FIGURES;

/// Its operations.
pub static OPERATIONS: &[&[RouteSpec]] = &[&api::ROUTES];

/// Its pages of the console.
pub static PAGES: &[&[PageSpec]] = &[&console::PAGES];

/// Its background jobs.
pub static JOBS: &[&dyn Job] = &[&job::CountFigures];
