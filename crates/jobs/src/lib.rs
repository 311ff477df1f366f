//! Background work of tenants: what repeats, and what happens once.
//!
//! Each job of each tenant is a row that says when the job is due. Any instance may run it, under a lease that ends by
//! itself: an instance that is killed loses its lease in time, and another one runs the job again. So every job is
//! idempotent, and does a bounded piece of work in each run.
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
