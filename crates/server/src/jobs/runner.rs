//! Runs one job: takes its lease, does its work, and writes its result.

use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::{TenantId, Timestamp};
use pointbook_store::ports::{JobId, Lease};
use pointbook_store::{Actor, Context, IdSource, Job, JobError, Next, ServedTenant, Service, StoreResult};
use tokio::time::timeout;

use crate::jobs::timing::{Jitter, end_of_run};

/// What a process needs to run jobs.
pub struct Runner {
    /// The service whose tenants it serves.
    pub service: Arc<Service>,
    /// Makes ids for new objects of the jobs.
    pub ids: Arc<dyn IdSource>,
    /// The unique name of the process.
    pub owner: String,
    /// How long a run may take, in seconds. If the process is killed, the job runs again after that.
    pub lease_seconds: u32,
    /// The jobs that it runs.
    pub jobs: &'static [&'static dyn Job],
}

/// The result of trying to run a job.
#[derive(Debug)]
pub enum Run {
    /// It is not due, or another process runs it. Nothing was done.
    NotLeased,
    /// It succeeded or failed, and its row says so.
    Ended(Result<Next, JobError>),
    /// It ran, but its row belongs to another process or is gone. The next run does the rest.
    LeaseLost(Result<Next, JobError>),
}

impl Runner {
    /// Runs a job of a tenant if it is due by this time and no process runs it.
    ///
    /// # Errors
    /// When the lease cannot be taken or the result cannot be written. Then the job runs again when the lease ends.
    pub async fn run(
        &self,
        tenant: Arc<ServedTenant>,
        job: &dyn Job,
        id: &JobId,
        due_by: Timestamp,
    ) -> StoreResult<Run> {
        let (store, now) = (&self.service.database, self.service.clock.now());
        let mut lease = Lease { owner: self.owner.clone(), ends_at: now.plus_seconds(self.lease_seconds) };
        let Some(attempt) = store.lease_job(id, &lease, due_by, now).await? else {
            return Ok(Run::NotLeased);
        };
        let actor = Actor::Job(job.name());
        let time_of_tenant = tenant.tenant.now(now);
        let context = Context::new(tenant, actor, time_of_tenant, self.ids.clone());
        let result = self.work(job, &context, id, &mut lease).await;
        let now = self.service.clock.now();
        let end = end_of_run(job.schedule(), attempt, &result, now, Jitter::of(id, now));
        let is_kept = store.end_run(id, &lease, &end).await?;
        Ok(if is_kept { Run::Ended(result) } else { Run::LeaseLost(result) })
    }

    /// Runs a recurring job of a tenant now, due or not, unless another process runs it.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn run_now(&self, tenant: Arc<ServedTenant>, job: &dyn Job) -> StoreResult<Run> {
        let id = JobId::recurring(&tenant.tenant.id, job.name());
        let run = self.run(tenant.clone(), job, &id, Timestamp::MAX).await?;
        if !matches!(run, Run::NotLeased) || self.service.database.recurring_jobs().await?.contains(&id) {
            return Ok(run);
        }
        // No server has served the tenant yet.
        self.service.database.schedule_job(&id, self.service.clock.now()).await?;
        self.run(tenant, job, &id, Timestamp::MAX).await
    }

    /// No run continues after its lease, when another process may begin the next. The lease of a long run is renewed each time when
    /// a third of it is over.
    async fn work(
        &self,
        job: &dyn Job,
        context: &Context,
        id: &JobId,
        lease: &mut Lease,
    ) -> Result<Next, JobError> {
        let time = Duration::from_secs(self.lease_seconds.into());
        let clock = self.service.clock_of(&context.tenant);
        let mut run = job.run(context, &*clock);
        if !job.is_long() {
            return timeout(time, run).await.unwrap_or(Err(JobError::TookTooLong));
        }
        loop {
            match timeout(time / 3, &mut run).await {
                Ok(result) => return result,
                Err(_elapsed) => self.renew(id, lease).await?,
            }
        }
    }

    /// A store that fails is asked again while the lease lasts.
    async fn renew(&self, id: &JobId, lease: &mut Lease) -> Result<(), JobError> {
        let now = self.service.clock.now();
        let ends_at = now.plus_seconds(self.lease_seconds);
        match self.service.database.renew_lease(id, lease, ends_at).await {
            Ok(true) => lease.ends_at = ends_at,
            Ok(false) => return Err(JobError::TookTooLong),
            Err(error) if lease.ends_at <= now => return Err(error.into()),
            Err(_) => {}
        }
        Ok(())
    }

    /// The names of the jobs that it runs, with or without the long ones.
    pub(crate) fn names(&self, with_long: bool) -> Vec<&'static str> {
        self.jobs.iter().filter(|job| with_long || !job.is_long()).map(|job| job.name()).collect()
    }

    /// The tenant with this id, if this process knows it.
    pub(crate) fn tenant(&self, id: &TenantId) -> Option<Arc<ServedTenant>> {
        self.service.directory().tenants().iter().find(|served| served.tenant.id == *id).cloned()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'static dyn Job> {
        self.jobs.iter().copied().find(|job| job.name() == name)
    }
}

#[cfg(test)]
pub(crate) mod tests;
