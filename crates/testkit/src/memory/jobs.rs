use std::collections::BTreeMap;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{JobCounts, JobId, JobStore, Lease, RunEnd, StoredJob};
use pointbook_domain::{TenantId, Timestamp};

use super::MemoryStore;

fn is_free(job: &StoredJob, now: Timestamp) -> bool {
    job.lease.as_ref().is_none_or(|lease| lease.ends_at <= now)
}

/// Whether no use case scheduled the job since its run began.
fn is_untouched(job: &StoredJob) -> bool {
    job.lease.as_ref().is_some_and(|lease| lease.ends_at == job.next_run_at)
}

/// Makes a job due at this time at the latest, as `schedule_job` does.
pub(super) fn make_due(job: &mut StoredJob, at: Timestamp) {
    if job.next_run_at > at || is_untouched(job) {
        let ends_at = job.lease.as_ref().map(|lease| lease.ends_at).filter(|ends_at| *ends_at <= at);
        let before = |end: Timestamp| Timestamp::from_micros(end.as_micros() - 1).unwrap();
        job.next_run_at = ends_at.map_or(at, before);
    }
}

/// Makes a job due, and adds it when it is new.
pub(super) fn schedule(jobs: &mut BTreeMap<JobId, StoredJob>, id: &JobId, at: Timestamp) {
    let job = jobs.entry(id.clone()).or_insert_with(|| StoredJob {
        id: id.clone(),
        next_run_at: Timestamp::MAX,
        attempts: 0,
        lease: None,
        last_error: None,
        last_success_at: None,
    });
    make_due(job, at);
}

#[async_trait]
impl JobStore for MemoryStore {
    async fn due_jobs(&self, names: &[&str], now: Timestamp, limit: u32) -> StoreResult<Vec<JobId>> {
        let state = self.0.lock().unwrap();
        let is_due = |job: &&StoredJob| job.next_run_at <= now && is_free(job, now);
        let of_these = state.jobs.values().filter(|job| names.contains(&job.id.name.as_str()));
        let mut due: Vec<_> = of_these.filter(is_due).map(|job| (job.next_run_at, job.id.clone())).collect();
        due.sort();
        Ok(due.into_iter().take(limit as usize).map(|(_, id)| id).collect())
    }

    async fn recurring_jobs(&self) -> StoreResult<Vec<JobId>> {
        let state = self.0.lock().unwrap();
        Ok(state.jobs.keys().filter(|id| id.key.is_empty()).cloned().collect())
    }

    async fn count_jobs(&self, late_before: Timestamp, now: Timestamp) -> StoreResult<JobCounts> {
        let state = self.0.lock().unwrap();
        let count = |is_counted: &dyn Fn(&StoredJob) -> bool| {
            state.jobs.values().filter(|job| is_counted(job)).count() as u64
        };
        let late = count(&|job| job.next_run_at < late_before && is_free(job, now));
        Ok(JobCounts { late, failing: count(&|job| job.last_error.is_some()) })
    }

    async fn jobs_of(&self, tenant: &TenantId, limit: u32) -> StoreResult<Vec<StoredJob>> {
        let state = self.0.lock().unwrap();
        let own = state.jobs.values().filter(|job| job.id.tenant == *tenant);
        Ok(own.take(limit as usize).cloned().collect())
    }

    async fn schedule_job(&self, id: &JobId, at: Timestamp) -> StoreResult<()> {
        schedule(&mut self.0.lock().unwrap().jobs, id, at);
        Ok(())
    }

    async fn lease_job(
        &self,
        id: &JobId,
        lease: &Lease,
        due_by: Timestamp,
        now: Timestamp,
    ) -> StoreResult<Option<u32>> {
        let mut state = self.0.lock().unwrap();
        let job = state.jobs.get_mut(id).filter(|job| job.next_run_at <= due_by && is_free(job, now));
        Ok(job.map(|job| {
            (job.lease, job.next_run_at) = (Some(lease.clone()), lease.ends_at);
            job.attempts += 1;
            job.attempts
        }))
    }

    async fn renew_lease(&self, id: &JobId, lease: &Lease, ends_at: Timestamp) -> StoreResult<bool> {
        let mut state = self.0.lock().unwrap();
        let job = state.jobs.get_mut(id).filter(|job| job.lease.as_ref() == Some(lease));
        let Some(job) = job else { return Ok(false) };
        if is_untouched(job) {
            job.next_run_at = ends_at;
        }
        job.lease = Some(Lease { ends_at, ..lease.clone() });
        Ok(true)
    }

    async fn end_run(&self, id: &JobId, lease: &Lease, end: &RunEnd) -> StoreResult<bool> {
        let mut state = self.0.lock().unwrap();
        let job = state.jobs.get_mut(id).filter(|job| job.lease.as_ref() == Some(lease));
        let Some(job) = job else { return Ok(false) };
        let is_untouched = is_untouched(job);
        job.lease = None;
        match end {
            RunEnd::Failed { error, next_run_at } => {
                (job.next_run_at, job.last_error) = (*next_run_at, Some(error.clone()));
            }
            RunEnd::Succeeded { next_run_at: None, .. } if is_untouched => {
                state.jobs.remove(id);
            }
            RunEnd::Succeeded { at, next_run_at } => {
                let next = next_run_at.unwrap_or(Timestamp::MAX);
                job.next_run_at = if is_untouched { next } else { next.min(job.next_run_at) };
                (job.attempts, job.last_error, job.last_success_at) = (0, None, Some(*at));
            }
        }
        Ok(true)
    }
}
