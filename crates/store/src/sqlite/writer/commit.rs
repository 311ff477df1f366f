//! Runs many jobs in one transaction.

use std::time::{Duration, Instant};

use metrics::Histogram;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::queue::{JobQueue, Turn};
use super::shared::SharedCommit;
use crate::sqlite::error::StoreFailure;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::retry::{is_lock, while_busy};

/// The most jobs in one commit. More jobs gain nothing, because the commit then costs little compared with the jobs.
const MAX_JOBS_PER_COMMIT: usize = 256;

/// The oldest age at which a transaction takes one more job. Every job waits for the commit, so several large jobs (imports)
/// must not share one. A small job shares its commit with at most one of them. The age is several times the duration of a
/// commit, and too short for a person to notice.
pub(crate) const MAX_COMMIT_AGE: Duration = Duration::from_millis(20);

/// The result of a transaction.
pub(super) enum Attempt {
    /// The effects of the jobs that succeeded are on the disk.
    Committed,
    /// Another process held the write lock for too long. No job ran.
    Locked,
    /// The transaction had no effect.
    Lost(StoreFailure),
}

/// Commits jobs on the writing thread.
pub(super) struct Committer<'c> {
    connection: &'c Connection,
    options: &'c SqliteOptions,
    queue: &'c JobQueue,
    /// The oldest age at which a transaction takes one more job.
    max_age: Duration,
    jobs_per_commit: Histogram,
}

impl<'c> Committer<'c> {
    pub(super) fn new(
        connection: &'c Connection,
        options: &'c SqliteOptions,
        queue: &'c JobQueue,
        max_age: Duration,
    ) -> Self {
        let jobs_per_commit = metrics::histogram!("pointbook_writer_jobs_per_commit");
        Self { connection, options, queue, max_age, jobs_per_commit }
    }

    /// Runs these jobs in one transaction, and with `takes_more` also waiting ones up to the limits.
    pub(super) fn attempt(&self, jobs: &mut Vec<Turn>, takes_more: bool) -> Attempt {
        let begun = while_busy(self.connection, self.options, |connection| {
            Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
        });
        let committed = match begun {
            Ok(transaction) => self.run_all(SharedCommit::new(transaction), jobs, takes_more),
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

    fn run_all(
        &self,
        commit: SharedCommit<'_>,
        jobs: &mut Vec<Turn>,
        takes_more: bool,
    ) -> Result<(), StoreFailure> {
        let begun = Instant::now();
        for turn in &mut *jobs {
            self.run(&commit, turn)?;
        }
        while takes_more && jobs.len() < MAX_JOBS_PER_COMMIT && begun.elapsed() < self.max_age {
            let Some(turn) = self.queue.next() else { break };
            // The job joins the others before it runs, so that it always gets a result with them.
            jobs.push(turn);
            if let Some(turn) = jobs.last_mut() {
                self.run(&commit, turn)?;
            }
        }
        let finishing = Instant::now();
        let finished = commit.finish();
        self.queue.charge(jobs, finishing.elapsed() / u32::try_from(jobs.len()).unwrap_or(u32::MAX));
        finished
    }

    /// Runs a job in a savepoint, so that its failure does not affect the others.
    fn run(&self, commit: &SharedCommit<'_>, turn: &mut Turn) -> Result<(), StoreFailure> {
        let execute = |sql| commit.prepare_cached(sql)?.execute([]);
        let (begun, blocks) = (Instant::now(), commit.blocks().borrow().len());
        execute("SAVEPOINT job")?;
        let stays = turn.job.run(commit);
        // On a full disk or an I/O error, SQLite may roll back the whole transaction.
        if commit.is_autocommit() {
            return Err(StoreFailure::RolledBack);
        }
        if !stays {
            execute("ROLLBACK TO job")?;
            commit.blocks().borrow_mut().truncate(blocks);
        }
        execute("RELEASE job")?;
        self.queue.charge(std::slice::from_ref(turn), begun.elapsed());
        Ok(())
    }
}
