//! What a job is.

use async_trait::async_trait;
use pointbook_domain::Timestamp;

use crate::context::Context;
use crate::ports::StoreError;
use crate::sources::Clock;

/// One kind of background work of a tenant.
#[async_trait]
pub trait Job: Send + Sync {
    /// The name of the job in the table, in metrics and on the command line. Never changes once released.
    fn name(&self) -> &'static str;

    /// The schedule of the job.
    fn schedule(&self) -> Schedule;

    /// Whether a run may take longer than a lease. Its lease is renewed meanwhile, so the run must bound its time itself.
    fn is_long(&self) -> bool {
        false
    }

    /// Does a bounded part of the work. The process may be killed at any moment, so a repeat must do no harm. The clock is that of the
    /// tenant; a job that takes long asks it again.
    ///
    /// # Errors
    /// [`JobError`]: the job runs again, with a longer pause after each attempt.
    async fn run(&self, context: &Context, clock: &dyn Clock) -> Result<Next, JobError>;
}

/// The schedule of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Every tenant has the job, and it is due this long after each run.
    Every {
        /// The longest pause between two runs.
        seconds: u32,
    },
    /// The job runs only when a use case schedules it, under a key.
    OnDemand,
}

/// The rest after a successful run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// More work: run again at once, after other due jobs.
    Again,
    /// No work for this long, in seconds.
    After(u32),
    /// No work until the schedule. The row of a job without a schedule is removed.
    Done,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run did not end within its lease and was stopped.
    #[error("the run took longer than its lease")]
    TookTooLong,
}

impl JobError {
    /// The reason for operators. The causes may name hosts and rows, so only the log has them.
    pub fn plain(&self) -> &'static str {
        match self {
            Self::Store(StoreError::Unavailable(_)) => "the database was busy or out of reach",
            Self::Store(StoreError::Overloaded) => "too much was waiting for the database",
            Self::Store(StoreError::Failed(_)) => "the database failed; the log says why",
            Self::Store(StoreError::Corrupt(_)) => "stored data is invalid; the log says where",
            Self::TookTooLong => "the run took longer than its lease",
        }
    }
}

const MICROS_PER_SECOND: i64 = 1_000_000;

/// Whole seconds from `now` to `at`, rounded up. 0 for the past.
pub fn seconds_until(now: Timestamp, at: Timestamp) -> u32 {
    let micros = at.as_micros().saturating_sub(now.as_micros()).max(0);
    u32::try_from((micros + MICROS_PER_SECOND - 1) / MICROS_PER_SECOND).unwrap_or(u32::MAX)
}

/// The log target of jobs. Operators filter by it, so it stays the same as before there were jobs.
pub const TARGET: &str = "pointbook_server::background";
