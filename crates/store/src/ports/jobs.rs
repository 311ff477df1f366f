use async_trait::async_trait;
use pointbook_domain::{TenantId, Timestamp};

use super::StoreResult;
use crate::schema::rows::{JobId, Lease, StoredJob};

/// The result of a run, for the row of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// Resets the attempts and the error.
    Succeeded {
        at: Timestamp,
        /// When the job is due again; `None` removes it.
        next_run_at: Option<Timestamp>,
    },
    /// The attempts stay.
    Failed {
        /// The error, in words for an operator: no text of the database and no secret.
        error: String,
        /// When the job is tried again.
        next_run_at: Timestamp,
    },
}

/// Jobs of all tenants that need an operator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobCounts {
    /// Jobs that were due before the given time and that no process runs.
    pub late: u64,
    /// Those whose last run failed.
    pub failing: u64,
}

/// The background jobs of all tenants. The three methods without a tenant read the rows of all tenants in one statement.
#[async_trait]
pub trait JobStore {
    /// At most `limit` jobs of these names that are due and that no process runs, the longest due first.
    async fn due_jobs(&self, names: &[&str], now: Timestamp, limit: u32) -> StoreResult<Vec<JobId>>;

    /// The recurring jobs of all tenants, by tenant, then name.
    async fn recurring_jobs(&self) -> StoreResult<Vec<JobId>>;

    /// Counts the jobs that need an operator.
    async fn count_jobs(&self, late_before: Timestamp, now: Timestamp) -> StoreResult<JobCounts>;

    /// At most `limit` jobs of a tenant, by name, then key.
    async fn jobs_of(&self, tenant: &TenantId, limit: u32) -> StoreResult<Vec<StoredJob>>;

    /// Makes a job due at this time at the latest, and adds an unknown job. A run that has begun does not undo that: the job is
    /// due again when its lease ends.
    async fn schedule_job(&self, id: &JobId, at: Timestamp) -> StoreResult<()>;

    /// Takes the job if it is due by `due_by` and no process runs it. Returns the number of the attempt.
    async fn lease_job(
        &self,
        id: &JobId,
        lease: &Lease,
        due_by: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<u32>>;

    /// Moves the end of a lease during a run. False, without a change, when the job has another lease now. A job that was scheduled
    /// during the run stays scheduled.
    async fn renew_lease(&self, id: &JobId, lease: &Lease, ends_at: Timestamp) -> StoreResult<bool>;

    /// Ends a run. False, without a change, when the job has another lease now.
    async fn end_run(&self, id: &JobId, lease: &Lease, end: &RunEnd) -> StoreResult<bool>;
}
