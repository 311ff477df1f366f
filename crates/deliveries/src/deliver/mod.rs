//! One run of deliveries to one webhook, under a lease.

mod lanes;
mod message;
mod progress;
mod run;
#[cfg(test)]
pub(crate) mod tests;

use std::time::Duration;

use pointbook_app::ports::{Database, JobId, Lease, RunEnd, StoredJob};
use pointbook_app::{ServedTenant, StoreResult, with_causes};
use pointbook_domain::Timestamp;
use tokio::time::sleep;

use self::run::DeliveryRun;
use crate::Deliveries;

/// The name of the lease in the table of jobs. No runner of jobs knows it.
pub const JOB: &str = "deliver-webhook";

/// The lease outlasts the longest run: 20 seconds of work, and the 15 seconds of its last requests.
const LEASE_SECONDS: u32 = 60;

/// How long to wait when another process delivers. It may end just before it sees the newest events.
const BUSY_PAUSE: Duration = Duration::from_secs(1);

/// Delivers events for some time, unless another process does.
pub(crate) async fn deliver(deliveries: &Deliveries, served: &ServedTenant, id: &str) {
    match under_lease(deliveries, served, id).await {
        Ok(true) => {}
        Ok(false) => sleep(BUSY_PAUSE).await,
        Err(error) => {
            let error = with_causes(&error);
            tracing::warn!(tenant = %served.name(), webhook = id, error, "delivery interrupted");
            sleep(BUSY_PAUSE).await;
        }
    }
}

/// More than a tenant has.
const MAX_JOBS: u32 = 10_000;

async fn find_job(jobs: &dyn Database, id: &JobId) -> StoreResult<Option<StoredJob>> {
    let all = jobs.jobs_of(&id.tenant, MAX_JOBS).await?;
    Ok(all.into_iter().find(|job| job.id == *id))
}

/// False when another process has the lease.
async fn under_lease(deliveries: &Deliveries, served: &ServedTenant, id: &str) -> StoreResult<bool> {
    let (jobs, now) = (&deliveries.service.database, deliveries.service.clock.now());
    let job = JobId { tenant: served.tenant.id.clone(), name: JOB.to_owned(), key: id.to_owned() };
    let lease = Lease { owner: deliveries.owner.clone(), ends_at: now.plus_seconds(LEASE_SECONDS) };
    match find_job(&**jobs, &job).await? {
        Some(StoredJob { lease: Some(other), .. }) if other.ends_at > now => return Ok(false),
        Some(_) => {}
        // The row exists only during a run. It is never due for a runner of jobs. A schedule during the run of another process
        // would leave a row that counts as late.
        None => jobs.schedule_job(&job, Timestamp::MAX).await?,
    }
    if jobs.lease_job(&job, &lease, Timestamp::MAX, now).await?.is_none() {
        return Ok(false);
    }
    let worked = DeliveryRun::new(deliveries, served).work(id).await;
    let end = RunEnd::Succeeded { at: deliveries.service.clock.now(), next_run_at: None };
    jobs.end_run(&job, &lease, &end).await?;
    worked.map(|()| true)
}
