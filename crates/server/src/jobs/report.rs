//! The log lines and the metrics of jobs.

use std::time::Duration;

use pointbook_store::database_health::with_causes;
use pointbook_store::job::TARGET;
use pointbook_store::ports::{JobCounts, JobId};
use pointbook_store::{Job, JobError, StoreError};
use tokio::time::Instant;

use crate::jobs::{Run, Runner};

/// The results of runs since the last [`Report::flush`]. An overload concerns the database and not one job, so one line reports
/// it for all jobs.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// How many runs the database refused because of overload.
    overloaded_runs: usize,
    /// When the log last reported the store.
    warned_at: Option<Instant>,
}

impl Report {
    /// Notes the result of a due job.
    pub(crate) fn note(&mut self, runner: &Runner, job: &dyn Job, id: &JobId, run: Run) {
        let (outcome, failed) = match run {
            Run::NotLeased => return,
            Run::Ended(Ok(_)) => ("succeeded", None),
            Run::Ended(Err(error)) => ("failed", Some(error)),
            Run::LeaseLost(result) => ("lease_lost", result.err()),
        };
        metrics::counter!("pointbook_job_runs_total", "job" => job.name(), "outcome" => outcome).increment(1);
        match failed {
            None => {}
            Some(JobError::Store(error @ StoreError::Unavailable(_))) => {
                runner.service.health.note_failure(&error);
            }
            Some(JobError::Store(StoreError::Overloaded)) => self.overloaded_runs += 1,
            Some(error) => log_failure(runner, job, id, &error),
        }
    }

    /// Notes a failure of the store without a job, in the log at most once a minute.
    pub(crate) fn note_store(&mut self, runner: &Runner, error: &StoreError) {
        match error {
            StoreError::Unavailable(_) => runner.service.health.note_failure(error),
            StoreError::Overloaded => self.overloaded_runs += 1,
            StoreError::Failed(_) | StoreError::Corrupt(_) => {
                if is_a_minute_ago(&mut self.warned_at) {
                    tracing::warn!(target: TARGET, error = with_causes(error), "jobs not run");
                }
            }
        }
    }

    /// Writes the counts, and reports an overload.
    pub(crate) fn flush(&mut self, counts: JobCounts) {
        metrics::gauge!("pointbook_jobs_late").set(gauge(counts.late));
        metrics::gauge!("pointbook_jobs_failing").set(gauge(counts.failing));
        let jobs = std::mem::take(&mut self.overloaded_runs);
        if jobs > 0 {
            tracing::warn!(target: TARGET, jobs, "jobs postponed: too much is waiting for the database");
        }
    }
}

/// Whether the last time was at least a minute ago, or never. Then it becomes now.
pub(crate) fn is_a_minute_ago(last: &mut Option<Instant>) -> bool {
    let is_over = last.is_none_or(|last| last.elapsed() >= Duration::from_mins(1));
    if is_over {
        *last = Some(Instant::now());
    }
    is_over
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

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_overload_is_one_line_for_all_jobs() {
        let captured = Captured::default();
        let writer = captured.clone();
        let lines = tracing_subscriber::fmt().without_time().with_target(false).with_ansi(false);
        let lines = lines.with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(lines, || {
            let mut report = Report { overloaded_runs: 6, ..Report::default() };
            report.flush(JobCounts::default());
            report.flush(JobCounts::default());
        });
        let said = String::from_utf8(captured.0.lock().unwrap().clone()).unwrap();
        assert_eq!(said.trim(), "WARN jobs postponed: too much is waiting for the database jobs=6");
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_fails_at_each_look_is_told_once_a_minute() {
        let mut last = None;
        assert_eq!([is_a_minute_ago(&mut last), is_a_minute_ago(&mut last)], [true, false]);
        tokio::time::advance(Duration::from_mins(1)).await;
        assert_eq!([is_a_minute_ago(&mut last), is_a_minute_ago(&mut last)], [true, false]);
    }
}
