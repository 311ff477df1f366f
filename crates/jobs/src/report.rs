//! What the log and the metrics say of jobs.

use pointbook_app::ports::{JobCounts, JobId};
use pointbook_app::{StoreError, StoreResult, with_causes};

use crate::{Job, JobError, Run, Runner};

/// The target of these lines, beside which those of the cleaning stand.
const TARGET: &str = "pointbook_server::background";

/// What became of runs since the last [`Report::flush`]. An overload is the database's and no job's, so one line tells
/// it for all.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// How many runs the database refused because too much was waiting.
    overloaded_runs: usize,
}

/// Says what the metrics mean. Call it once the recorder is there.
pub(crate) fn describe_metrics() {
    metrics::describe_counter!("pointbook_job_runs_total", "Runs of background jobs, by job and outcome.");
    metrics::describe_gauge!(
        "pointbook_jobs_late",
        "Background jobs of all tenants that were due a minute ago."
    );
    metrics::describe_gauge!(
        "pointbook_jobs_failing",
        "Background jobs of all tenants whose last run failed."
    );
}

impl Report {
    /// Notes what became of a job that was due.
    pub(crate) fn note(&mut self, runner: &Runner, job: &dyn Job, id: &JobId, run: StoreResult<Run>) {
        let (outcome, failed) = match run {
            Ok(Run::NotLeased) => return,
            Ok(Run::Ended(Ok(_))) => ("succeeded", None),
            Ok(Run::Ended(Err(error))) => ("failed", Some(error)),
            Ok(Run::LeaseLost(result)) => ("lease_lost", result.err()),
            Err(error) => ("failed", Some(JobError::Store(error))),
        };
        metrics::counter!("pointbook_job_runs_total", "job" => job.name(), "outcome" => outcome).increment(1);
        match failed {
            None => {}
            Some(JobError::Store(error @ StoreError::Unavailable(_))) => {
                runner.service.health.note_failure(&error)
            }
            Some(JobError::Store(StoreError::Overloaded)) => self.overloaded_runs += 1,
            Some(error) => log_failure(runner, job, id, &error),
        }
    }

    /// Shows the counts, and tells of the overload if there was one.
    pub(crate) fn flush(&mut self, counts: JobCounts) {
        metrics::gauge!("pointbook_jobs_late").set(gauge(counts.late));
        metrics::gauge!("pointbook_jobs_failing").set(gauge(counts.failing));
        let jobs = std::mem::take(&mut self.overloaded_runs);
        if jobs > 0 {
            tracing::warn!(target: TARGET, jobs, "jobs postponed: too much is waiting for the database");
        }
    }
}

fn log_failure(runner: &Runner, job: &dyn Job, id: &JobId, error: &JobError) {
    let (tenant, job, error) = (runner.tenant(&id.tenant), job.name(), with_causes(error));
    let tenant = tenant.map(|served| served.name().to_string());
    tracing::warn!(target: TARGET, tenant, job, error, "job failed");
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a float, and jobs are fewer than 2^53")]
fn gauge(count: u64) -> f64 {
    count as f64
}
