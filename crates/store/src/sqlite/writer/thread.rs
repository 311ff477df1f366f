//! The loop of the writing thread.

use std::time::Duration;

use rusqlite::Connection;

use super::commit::{Attempt, Committer};
use super::queue::{JobQueue, Turn};
use crate::sqlite::error::StoreFailure;
use crate::sqlite::options::SqliteOptions;

/// Commits the jobs of the queue until it is closed.
pub(super) fn run(connection: &Connection, queue: &JobQueue, options: &SqliteOptions, max_age: Duration) {
    // When this function returns or panics, no caller may wait for the ended thread.
    let _close_on_drop = CloseOnDrop(queue);
    let committer = Committer::new(connection, options, queue, max_age);
    let mut jobs = Vec::new();
    while let Some(first) = queue.wait() {
        jobs.push(first);
        match committer.attempt(&mut jobs, true) {
            Attempt::Committed => jobs.drain(..).for_each(|turn| turn.job.answer()),
            Attempt::Locked => {
                // The thread collects all jobs before it refuses the first, so that a retry of a caller is not refused too.
                jobs.extend(queue.take_all());
                refuse(jobs.drain(..));
            }
            Attempt::Lost(failure) if jobs.len() == 1 => refuse_one(&mut jobs, failure),
            Attempt::Lost(_) => each_alone(&committer, jobs.drain(..)),
        }
    }
}

/// Runs each job of a lost commit again in a separate commit, so that each gets its own outcome.
fn each_alone(committer: &Committer<'_>, mut jobs: impl Iterator<Item = Turn>) {
    let mut one = Vec::with_capacity(1);
    while let Some(turn) = jobs.next() {
        one.push(turn);
        match committer.attempt(&mut one, false) {
            Attempt::Committed => one.drain(..).for_each(|turn| turn.job.answer()),
            Attempt::Locked => return refuse(one.drain(..).chain(jobs)),
            Attempt::Lost(failure) => refuse_one(&mut one, failure),
        }
    }
}

fn refuse_one(jobs: &mut Vec<Turn>, failure: StoreFailure) {
    if let Some(turn) = jobs.pop() {
        turn.job.refuse(failure);
    }
}

/// Refuses all jobs, because another process held the write lock for the whole timeout. Otherwise each job would wait for
/// the same lock in turn, for minutes.
fn refuse(jobs: impl Iterator<Item = Turn>) {
    jobs.for_each(|turn| turn.job.refuse(StoreFailure::Locked));
}

/// Closes the queue on drop, and drops the jobs that wait in it.
struct CloseOnDrop<'q>(&'q JobQueue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
        self.0.take_all().for_each(drop);
    }
}
