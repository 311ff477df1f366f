use pointbook_domain::{TenantId, Timestamp};

use super::rows::read_all;
use super::{Database, StoreResult};
use crate::commands::{Command, CommandError, Facts, Lane, Needs};
use crate::schema::rows::{JobId, Lease, StoredJob};
use crate::schema::rows_of_service::JobRow;
use crate::schema::{Comparison, Query};

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

/// The background jobs of all tenants. The three functions without a tenant read the rows of all tenants.
impl dyn Database + '_ {
    /// At most `limit` jobs of these names that are due and that no process runs, the longest due first.
    pub async fn due_jobs(&self, names: &[&str], now: Timestamp, limit: u32) -> StoreResult<Vec<JobId>> {
        let query = due_jobs(now).one_of("name", names.iter().copied()).limit(limit);
        let rows = self.all_tenants().few_rows(&query).await?;
        super::rows::read(&query, &rows)
    }

    /// The recurring jobs of all tenants, by tenant, then name.
    pub async fn recurring_jobs(&self) -> StoreResult<Vec<JobId>> {
        let query = Query::of::<JobId>("recurring_jobs", &["tenant_id", "name"]).of_all_tenants();
        read_all(&*self.all_tenants(), query.equal("key", Some(""))).await
    }

    /// Counts the jobs that need an operator.
    pub async fn count_jobs(&self, late_before: Timestamp, now: Timestamp) -> StoreResult<JobCounts> {
        let jobs = self.all_tenants();
        let late = jobs.count(&late_jobs(late_before, now)).await?;
        Ok(JobCounts { late, failing: jobs.count(&failing_jobs()).await? })
    }

    /// At most `limit` jobs of a tenant, by name, then key.
    pub async fn jobs_of(&self, tenant: &TenantId, limit: u32) -> StoreResult<Vec<StoredJob>> {
        let query = Query::of::<JobRow>("jobs_of", &["name", "key"]).limit(limit);
        let rows = self.tenant(tenant).few_rows(&query).await?;
        let rows: Vec<JobRow> = super::rows::read(&query, &rows)?;
        Ok(rows.into_iter().map(|row| row.of_tenant(tenant)).collect())
    }

    /// Makes a job due at this time at the latest, and adds an unknown job. A run that has begun does not undo that: the job is
    /// due again when its lease ends.
    pub async fn schedule_job(&self, id: &JobId, at: Timestamp) -> StoreResult<()> {
        self.tenant(&id.tenant).write(ScheduleJob { id: id.clone(), at }).await
    }

    /// Takes the job if it is due by `due_by` and no process runs it. Returns the number of the attempt.
    pub async fn lease_job(
        &self,
        id: &JobId,
        lease: &Lease,
        due_by: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<u32>> {
        let command = LeaseJob { id: id.clone(), lease: lease.clone(), due_by, now };
        self.tenant(&id.tenant).write(command).await
    }

    /// Moves the end of a lease during a run. False, without a change, when the job has another lease now. A job that was scheduled
    /// during the run stays scheduled.
    pub async fn renew_lease(&self, id: &JobId, lease: &Lease, ends_at: Timestamp) -> StoreResult<bool> {
        let command = RenewLease { id: id.clone(), lease: lease.clone(), ends_at };
        self.tenant(&id.tenant).write(command).await
    }

    /// Ends a run. False, without a change, when the job has another lease now.
    pub async fn end_run(&self, id: &JobId, lease: &Lease, end: &RunEnd) -> StoreResult<bool> {
        let command = EndRun { id: id.clone(), lease: lease.clone(), end: end.clone() };
        self.tenant(&id.tenant).write(command).await
    }
}

/// The jobs of all tenants that are due and that no process runs, the longest due first.
pub fn due_jobs(now: Timestamp) -> Query {
    let order = &["next_run_at", "tenant_id", "name", "key"];
    let jobs = Query::of::<JobId>("due_jobs", order).of_all_tenants();
    jobs.compared("next_run_at", Comparison::AtMost, &now).compared(
        "lease_ends_at",
        Comparison::NullOrAtMost,
        &now,
    )
}

/// The jobs of all tenants that were due before this time and that no process runs.
pub fn late_jobs(before: Timestamp, now: Timestamp) -> Query {
    let jobs = Query::of::<JobId>("count_jobs", &[]).of_all_tenants();
    jobs.compared("next_run_at", Comparison::Below, &before).compared(
        "lease_ends_at",
        Comparison::NullOrAtMost,
        &now,
    )
}

/// The jobs of all tenants whose last run failed.
pub fn failing_jobs() -> Query {
    Query::of::<JobId>("count_jobs", &[]).of_all_tenants().null("last_error", Some(false))
}

struct ScheduleJob {
    id: JobId,
    at: Timestamp,
}

impl Command for ScheduleJob {
    type Outcome = ();

    const NAME: &'static str = "schedule_job";

    fn lane(&self) -> Lane {
        Lane::Service
    }

    fn needs(&self, _needs: &mut Needs) {}

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        facts.make_one_due(self.id.name.clone(), self.id.key.clone(), self.at);
        Ok(())
    }
}

struct LeaseJob {
    id: JobId,
    lease: Lease,
    due_by: Timestamp,
    now: Timestamp,
}

impl Command for LeaseJob {
    type Outcome = Option<u32>;

    const NAME: &'static str = "lease_job";

    fn lane(&self) -> Lane {
        Lane::Service
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<JobRow>(&key(&self.id));
    }

    fn decide(&self, facts: &mut Facts) -> Result<Option<u32>, CommandError> {
        let is_free = |job: &&JobRow| job.lease_ends_at.is_none_or(|ends_at| ends_at <= self.now);
        let job = facts.get::<JobRow>(&key(&self.id))?.filter(|job| job.next_run_at <= self.due_by);
        let Some(job) = job.filter(is_free) else { return Ok(None) };
        let Lease { owner, ends_at } = self.lease.clone();
        let attempts = job.attempts.saturating_add(1);
        facts.put(JobRow {
            next_run_at: ends_at,
            attempts,
            lease_owner: Some(owner),
            lease_ends_at: Some(ends_at),
            ..job.clone()
        })?;
        Ok(Some(attempts))
    }
}

struct RenewLease {
    id: JobId,
    lease: Lease,
    ends_at: Timestamp,
}

impl Command for RenewLease {
    type Outcome = bool;

    const NAME: &'static str = "renew_lease";

    fn lane(&self) -> Lane {
        Lane::Service
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<JobRow>(&key(&self.id));
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let Some(job) = leased(facts, &self.id, &self.lease)? else { return Ok(false) };
        let next_run_at = if was_scheduled(&job) { job.next_run_at } else { self.ends_at };
        facts.put(JobRow { next_run_at, lease_ends_at: Some(self.ends_at), ..job })?;
        Ok(true)
    }
}

struct EndRun {
    id: JobId,
    lease: Lease,
    end: RunEnd,
}

impl Command for EndRun {
    type Outcome = bool;

    const NAME: &'static str = "end_run";

    fn lane(&self) -> Lane {
        Lane::Service
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<JobRow>(&key(&self.id));
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let Some(job) = leased(facts, &self.id, &self.lease)? else { return Ok(false) };
        let was_scheduled = was_scheduled(&job);
        let free = JobRow { lease_owner: None, lease_ends_at: None, ..job };
        match &self.end {
            RunEnd::Failed { error, next_run_at } => {
                facts.put(JobRow { next_run_at: *next_run_at, last_error: Some(error.clone()), ..free })?;
            }
            RunEnd::Succeeded { next_run_at: None, .. } if !was_scheduled => facts.remove(&free)?,
            RunEnd::Succeeded { at, next_run_at } => {
                let planned = next_run_at.unwrap_or(Timestamp::MAX);
                let next_run_at = if was_scheduled { planned.min(free.next_run_at) } else { planned };
                let (attempts, last_error, last_success_at) = (0, None, Some(*at));
                facts.put(JobRow { next_run_at, attempts, last_error, last_success_at, ..free })?;
            }
        }
        Ok(true)
    }
}

fn key(id: &JobId) -> (&str, &str) {
    (&id.name, &id.key)
}

/// The job, if this lease holds it.
fn leased(facts: &Facts, id: &JobId, lease: &Lease) -> Result<Option<JobRow>, CommandError> {
    let held = (Some(&lease.owner), Some(lease.ends_at));
    let job = facts.get::<JobRow>(&key(id))?;
    Ok(job.filter(|job| (job.lease_owner.as_ref(), job.lease_ends_at) == held).cloned())
}

/// Whether somebody scheduled the job during its run: it then is not due when its lease ends, but at another time.
fn was_scheduled(job: &JobRow) -> bool {
    Some(job.next_run_at) != job.lease_ends_at
}
