//! Background jobs of tenants, recurring and one-time.
//!
//! Each job of each tenant is a row that says when the job is due. Any instance may run it under a lease. When an instance is
//! killed, its lease expires and another instance runs the job again. So every job is idempotent, and does a bounded part of the
//! work in each run.
//!
//! A new job is a struct that implements [`Job`] in its slice, and an item of the slice's `JOBS`.

mod clean_request_keys;
mod report;
mod runner;
mod schedule;
mod serve;
mod timing;

use std::sync::LazyLock;

use pointbook_store::Job;

pub use self::runner::{Run, Runner};
pub use self::serve::serve;
use crate::slices::SLICES;

/// All jobs: those of the slices, and one that belongs to none. Their names are the labels of metrics.
pub static JOBS: LazyLock<Vec<&'static dyn Job>> = LazyLock::new(|| {
    let own = [&clean_request_keys::CleanRequestKeys as &dyn Job];
    own.into_iter().chain(SLICES.iter().flat_map(|slice| slice.jobs).copied()).collect()
});

pub fn find(name: &str) -> Option<&'static dyn Job> {
    JOBS.iter().copied().find(|job| job.name() == name)
}
