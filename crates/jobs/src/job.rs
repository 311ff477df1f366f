//! What a job is.

use async_trait::async_trait;
use pointbook_app::{Context, StoreError};

/// One kind of background work of a tenant.
#[async_trait]
pub trait Job: Send + Sync {
    /// The name of the job in the table, in metrics and on the command line. Never changes once released.
    fn name(&self) -> &'static str;

    /// When the job is due without being asked for.
    fn schedule(&self) -> Schedule;

    /// Does a bounded piece of the work. It may be killed at any moment and run again, so repeating it does no harm.
    ///
    /// # Errors
    /// [`JobError`]; the job is tried again, later after each attempt.
    async fn run(&self, context: &Context) -> Result<Next, JobError>;
}

/// When a job is due without being asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Every tenant has it, and it is due this long after each run.
    Every {
        /// The longest pause between two runs.
        seconds: u32,
    },
    /// Only when a use case schedules it, under a key of its own.
    OnDemand,
}

/// What a run that succeeded leaves to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// More of the same: run again at once, after what else is due.
    Again,
    /// Nothing for this long, in seconds.
    After(u32),
    /// Nothing until the schedule says so. The row of a job without a schedule is removed.
    Done,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run did not end within its lease, and was cut off.
    #[error("the run took longer than its lease")]
    TookTooLong,
}

impl JobError {
    /// The reason in words that may be shown to every operator: the causes, which may name hosts and rows, are for
    /// the log alone.
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
