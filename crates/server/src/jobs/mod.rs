//! Background jobs of tenants, recurring and one-time.
//!
//! Each job of each tenant is a row that says when the job is due. Any instance may run it under a lease. When an instance is
//! killed, its lease expires and another instance runs the job again. So every job is idempotent, and does a bounded part of the
//! work in each run.
//!
//! A new job is a struct that implements [`Job`], in a file of [`jobs`], and a line in [`JOBS`].

mod job;
pub mod jobs;
mod report;
mod runner;
mod schedule;
mod serve;
mod timing;

pub use self::job::{Job, JobError, Next, Schedule};
pub use self::jobs::{JOBS, find};
pub use self::runner::{Run, Runner};
pub use self::serve::serve;
