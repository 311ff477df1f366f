use pointbook_domain::{TenantId, Timestamp};

use super::rows::{read_all, read_few};
use super::{Database, StoreResult};
use crate::commands::{Command, CommandError, Facts, Lane, Needs};
use crate::schema::rows::JobId;
use crate::schema::rows::JobRow;
use crate::schema::rows_of_service::{Lease, StoredJob};
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
        read_few(&*self.all_tenants(), query).await
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
        let jobs = Query::of::<JobRow>("jobs_of", &["name", "key"]).limit(limit);
        let rows: Vec<JobRow> = read_few(&*self.tenant(tenant), jobs).await?;
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
        self.change_job(id, LeaseJob { lease: lease.clone(), due_by, now }).await
    }

    /// Moves the end of a lease during a run. False, without a change, when the job has another lease now. A job that was scheduled
    /// during the run stays scheduled.
    pub async fn renew_lease(&self, id: &JobId, lease: &Lease, ends_at: Timestamp) -> StoreResult<bool> {
        self.change_job(id, RenewLease { lease: lease.clone(), ends_at }).await
    }

    /// Ends a run. False, without a change, when the job has another lease now.
    pub async fn end_run(&self, id: &JobId, lease: &Lease, end: &RunEnd) -> StoreResult<bool> {
        self.change_job(id, EndRun { lease: lease.clone(), end: end.clone() }).await
    }

    async fn change_job<C: JobChange>(&self, id: &JobId, change: C) -> StoreResult<C::Outcome> {
        self.tenant(&id.tenant).write(ChangeJob { id: id.clone(), change }).await
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

/// A change of the row of a job.
trait JobChange: Send + Sync + 'static {
    /// The default is that of a job that is gone, or that stays as it is.
    type Outcome: Default + Send + 'static;

    const NAME: &'static str;

    /// The outcome, and the row as it is then. `None` when the job stays as it is; a row of `None` removes it.
    fn change(&self, job: &JobRow) -> Option<(Self::Outcome, Option<JobRow>)>;
}

struct ChangeJob<C> {
    id: JobId,
    change: C,
}

impl<C: JobChange> Command for ChangeJob<C> {
    type Outcome = C::Outcome;

    const NAME: &'static str = C::NAME;

    fn lane(&self) -> Lane {
        Lane::Service
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<JobRow>(&(&self.id.name, &self.id.key));
    }

    fn decide(&self, facts: &mut Facts) -> Result<C::Outcome, CommandError> {
        let job = facts.get::<JobRow>(&(&self.id.name, &self.id.key))?.cloned();
        let change = job.as_ref().and_then(|job| Some((job, self.change.change(job)?)));
        let Some((job, (outcome, after))) = change else { return Ok(C::Outcome::default()) };
        match after {
            Some(after) => facts.put(after)?,
            None => facts.remove(job)?,
        }
        Ok(outcome)
    }
}

struct LeaseJob {
    lease: Lease,
    due_by: Timestamp,
    now: Timestamp,
}

impl JobChange for LeaseJob {
    type Outcome = Option<u32>;

    const NAME: &'static str = "lease_job";

    fn change(&self, job: &JobRow) -> Option<(Option<u32>, Option<JobRow>)> {
        let is_free = job.lease_ends_at.is_none_or(|ends_at| ends_at <= self.now);
        if job.next_run_at > self.due_by || !is_free {
            return None;
        }
        let Lease { owner, ends_at } = self.lease.clone();
        let (attempts, next_run_at) = (job.attempts.saturating_add(1), ends_at);
        let (lease_owner, lease_ends_at) = (Some(owner), Some(ends_at));
        let after = JobRow { next_run_at, attempts, lease_owner, lease_ends_at, ..job.clone() };
        Some((Some(attempts), Some(after)))
    }
}

struct RenewLease {
    lease: Lease,
    ends_at: Timestamp,
}

impl JobChange for RenewLease {
    type Outcome = bool;

    const NAME: &'static str = "renew_lease";

    fn change(&self, job: &JobRow) -> Option<(bool, Option<JobRow>)> {
        if !is_held(job, &self.lease) {
            return None;
        }
        let next_run_at = scheduled_during_run(job).unwrap_or(self.ends_at);
        Some((true, Some(JobRow { next_run_at, lease_ends_at: Some(self.ends_at), ..job.clone() })))
    }
}

struct EndRun {
    lease: Lease,
    end: RunEnd,
}

impl JobChange for EndRun {
    type Outcome = bool;

    const NAME: &'static str = "end_run";

    fn change(&self, job: &JobRow) -> Option<(bool, Option<JobRow>)> {
        if !is_held(job, &self.lease) {
            return None;
        }
        let free = JobRow { lease_owner: None, lease_ends_at: None, ..job.clone() };
        let after = match &self.end {
            RunEnd::Failed { error, next_run_at } => {
                Some(JobRow { next_run_at: *next_run_at, last_error: Some(error.clone()), ..free })
            }
            RunEnd::Succeeded { at, next_run_at } => {
                // A job without a next run stays when it was scheduled.
                scheduled_during_run(job).into_iter().chain(*next_run_at).min().map(|next_run_at| {
                    let (attempts, last_error, last_success_at) = (0, None, Some(*at));
                    JobRow { next_run_at, attempts, last_error, last_success_at, ..free }
                })
            }
        };
        Some((true, after))
    }
}

fn is_held(job: &JobRow, lease: &Lease) -> bool {
    (job.lease_owner.as_ref(), job.lease_ends_at) == (Some(&lease.owner), Some(lease.ends_at))
}

/// When a leased job is due that was scheduled during its run: not when the lease ends, but at another time.
fn scheduled_during_run(job: &JobRow) -> Option<Timestamp> {
    Some(job.next_run_at).filter(|at| Some(*at) != job.lease_ends_at)
}
