//! A tenant's data in and out: imports and exports of files, and the check of another server and the pull of its data.

pub mod campaigns;
pub mod check;
pub(crate) mod console;
pub mod export;
pub mod import;
pub mod private_file;
pub mod pull;

pub use console::import_jobs::ImportJobs;
use pointbook_access::console_kit::PageSpec;

/// Its pages of the console.
pub static PAGES: &[&[PageSpec]] = &[&console::PAGES];
