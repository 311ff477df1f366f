//! When campaigns start and end. The event feed tells each of both once.

pub(crate) mod job;
mod tell;
mod timeline;

pub use tell::{CAMPAIGN_EVENTS_JOB, RunsTold, started_runs, tell_runs};
