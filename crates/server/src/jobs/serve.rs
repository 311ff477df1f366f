//! Runs the jobs of all tenants while the process serves.

use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::Timestamp;
use pointbook_store::database_health::with_causes;
use pointbook_store::ports::JobId;
use pointbook_store::{Job, Next, StoreResult};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::jobs::report::{Report, is_a_minute_ago};
use crate::jobs::schedule::Scheduled;
use crate::jobs::{Run, Runner};

/// How many jobs one process runs at once. They share the database with requests.
const MAX_RUNNING: u32 = 4;
/// How many of them may be long, so that long jobs never take all places.
const MAX_LONG: usize = 2;

/// A job is late when it has been due for a minute.
const LATE_MICROS: i64 = 60_000_000;

/// Looks for due jobs and runs them: at this interval, and at once when it may have left some. Never ends. When it is dropped,
/// the running jobs stop and their leases end.
pub async fn serve(runner: Arc<Runner>, interval: Duration) {
    let mut server = Server {
        runner,
        scheduled: Scheduled::default(),
        running: JoinSet::new(),
        long: Arc::new(Semaphore::new(MAX_LONG)),
        report: Report::default(),
        counted_at: None,
    };
    loop {
        let looked = server.look().await;
        if let Err(error) = &looked {
            server.report.note_store(&server.runner, error);
        }
        let may_be_more = looked.unwrap_or(false);
        server.wait(interval, may_be_more).await;
    }
}

type Ended = (&'static dyn Job, JobId, StoreResult<Run>);

struct Server {
    runner: Arc<Runner>,
    scheduled: Scheduled,
    running: JoinSet<Ended>,
    /// Permits of long jobs.
    long: Arc<Semaphore>,
    report: Report,
    counted_at: Option<Instant>,
}

impl Server {
    /// Starts due jobs. Returns whether more may be due than may run at once. While the database is away or accepts no writes,
    /// it asks nothing.
    async fn look(&mut self) -> StoreResult<bool> {
        if !self.runner.service.health.takes_writes() {
            return Ok(false);
        }
        self.scheduled.look(&self.runner).await?;
        let is_full = self.begin_due().await?;
        self.count().await?;
        Ok(is_full)
    }

    async fn begin_due(&mut self) -> StoreResult<bool> {
        let running = u32::try_from(self.running.len()).unwrap_or(MAX_RUNNING);
        let free = MAX_RUNNING.saturating_sub(running);
        if free == 0 {
            return Ok(true);
        }
        let service = &self.runner.service;
        let names = self.runner.names(self.long.available_permits() > 0);
        let due = service.database.due_jobs(&names, service.clock.now(), free).await?;
        let is_full = due.len() >= free as usize;
        for id in due {
            self.begin(id);
        }
        Ok(is_full)
    }

    /// The job of a tenant that this process does not know yet runs when it knows the tenant. A long one waits for a permit.
    fn begin(&mut self, id: JobId) {
        let Some(job) = self.runner.find(&id.name) else { return };
        let Some(tenant) = self.runner.tenant(&id.tenant) else { return };
        let permit = if job.is_long() { self.long.clone().try_acquire_owned().ok() } else { None };
        if job.is_long() && permit.is_none() {
            return;
        }
        let runner = self.runner.clone();
        self.running.spawn(async move {
            let _permit = permit;
            let due_by = runner.service.clock.now();
            let run = runner.run(tenant, job, &id, due_by).await;
            (job, id, run)
        });
    }

    /// Counts the jobs that need an operator, once a minute.
    async fn count(&mut self) -> StoreResult<()> {
        if !is_a_minute_ago(&mut self.counted_at) {
            return Ok(());
        }
        let now = self.runner.service.clock.now();
        let late_before = Timestamp::from_micros(now.as_micros() - LATE_MICROS).unwrap_or(now);
        let counts = self.runner.service.database.count_jobs(late_before, now).await?;
        self.report.flush(counts);
        Ok(())
    }

    /// Waits for the next look: for the interval, or for the end of a run when more may be due.
    async fn wait(&mut self, interval: Duration, may_be_more: bool) {
        let (until, mut is_unfinished) = (Instant::now() + interval, may_be_more);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if self.running.is_empty() {
                // No job runs, so none can end.
                return tokio::time::sleep(left).await;
            }
            match timeout(left, self.running.join_next()).await {
                Ok(Some(Ok((job, id, Ok(run))))) => {
                    is_unfinished |= matches!(run, Run::Ended(Ok(Next::Again)));
                    self.report.note(&self.runner, job, &id, run);
                }
                // A job that cannot be leased now would be found due again at once.
                Ok(Some(Ok((_, _, Err(error))))) => {
                    self.report.note_store(&self.runner, &error);
                    is_unfinished = false;
                }
                // A run that panicked keeps its lease until it ends.
                Ok(Some(Err(error))) => tracing::error!(error = with_causes(&error), "job panicked"),
                Ok(None) => {}
                Err(_elapsed) => return,
            }
            if is_unfinished {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
