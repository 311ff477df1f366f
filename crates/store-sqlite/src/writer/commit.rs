//! One transaction of many jobs.

use std::time::{Duration, Instant};

use metrics::Histogram;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::queue::AnyJob;
use crate::error::StoreFailure;
use crate::options::SqliteOptions;
use crate::retry::{is_lock, while_busy};

/// How many jobs share a commit at most. More gain nothing: by then the price of the commit is small
/// beside theirs.
const MAX_JOBS_PER_COMMIT: usize = 256;

/// How old a transaction is at most when it takes one more job. Every job waits for the commit, so
/// jobs of many rows (imports) must not gather in one: a small job shares its commit with one of
/// them at most. Some times what a commit costs, and too short for a person to notice.
pub(crate) const MAX_COMMIT_AGE: Duration = Duration::from_millis(20);

/// What became of a transaction.
pub(super) enum Attempt {
    /// It is on the disk, with the effects of the jobs that succeeded.
    Committed,
    /// Another process held the write lock for too long; no job ran.
    Locked,
    /// Nothing of it stayed.
    Lost(StoreFailure),
}

/// How the writing thread commits.
pub(super) struct Committer<'c> {
    connection: &'c Connection,
    options: &'c SqliteOptions,
    /// How old a transaction may be that takes one more job.
    max_age: Duration,
    jobs_per_commit: Histogram,
}

impl<'c> Committer<'c> {
    pub(super) fn new(connection: &'c Connection, options: &'c SqliteOptions, max_age: Duration) -> Self {
        let jobs_per_commit = metrics::histogram!("pointbook_writer_jobs_per_commit");
        Self { connection, options, max_age, jobs_per_commit }
    }

    /// Runs the jobs, and as many more as there are and as fit, in one transaction.
    pub(super) fn attempt(&self, jobs: &mut Vec<AnyJob>, more: impl FnMut() -> Option<AnyJob>) -> Attempt {
        let begun = while_busy(self.connection, self.options, |connection| {
            Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
        });
        let committed = match begun {
            Ok(transaction) => {
                run_all(&transaction, jobs, more, self.max_age).and_then(|()| Ok(transaction.commit()?))
            }
            Err(error) if is_lock(&error) => return Attempt::Locked,
            Err(error) => Err(error.into()),
        };
        match committed {
            Ok(()) => {
                self.jobs_per_commit.record(u32::try_from(jobs.len()).unwrap_or(u32::MAX));
                Attempt::Committed
            }
            Err(failure) => Attempt::Lost(failure),
        }
    }
}

fn run_all(
    transaction: &Transaction<'_>,
    jobs: &mut Vec<AnyJob>,
    mut more: impl FnMut() -> Option<AnyJob>,
    max_age: Duration,
) -> Result<(), StoreFailure> {
    let begun = Instant::now();
    for job in &mut *jobs {
        run(transaction, job)?;
    }
    while jobs.len() < MAX_JOBS_PER_COMMIT && begun.elapsed() < max_age {
        let Some(job) = more() else { break };
        // Among the others before it runs: whatever happens, it is answered with them.
        jobs.push(job);
        if let Some(job) = jobs.last_mut() {
            run(transaction, job)?;
        }
    }
    Ok(())
}

/// Runs a job in a savepoint, so that its failure takes nothing of the others.
fn run(transaction: &Transaction<'_>, job: &mut AnyJob) -> Result<(), StoreFailure> {
    let execute = |sql| transaction.prepare_cached(sql)?.execute([]);
    execute("SAVEPOINT job")?;
    let stays = job.run(transaction);
    // On a full disk or an I/O error SQLite may end the whole transaction by itself.
    if transaction.is_autocommit() {
        return Err(StoreFailure::RolledBack);
    }
    if !stays {
        execute("ROLLBACK TO job")?;
    }
    execute("RELEASE job")?;
    Ok(())
}
