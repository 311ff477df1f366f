//! What the writing thread does: one commit after the other.

use std::time::Duration;

use rusqlite::Connection;

use super::commit::{Attempt, Committer};
use super::job::Job;
use super::queue::{AnyJob, JobQueue};
use crate::error::StoreFailure;
use crate::options::SqliteOptions;

/// Commits what waits in the queue until it is closed.
pub(super) fn run(connection: &Connection, queue: &JobQueue, options: &SqliteOptions, max_age: Duration) {
    // However this ends, nobody shall wait for a thread that is gone.
    let _closing = Closing(queue);
    let committer = Committer::new(connection, options, max_age);
    let mut jobs = Vec::new();
    while let Some(first) = queue.wait() {
        jobs.push(first);
        match committer.attempt(&mut jobs, || queue.next()) {
            Attempt::Committed => jobs.drain(..).for_each(Job::answer),
            Attempt::Locked => {
                // All are gathered before the first is told: whoever asks again then is not among them.
                jobs.extend(std::iter::from_fn(|| queue.next()));
                refuse(jobs.drain(..));
            }
            Attempt::Lost(failure) if jobs.len() == 1 => refuse_one(&mut jobs, failure),
            Attempt::Lost(_) => each_alone(&committer, jobs.drain(..)),
        }
    }
}

/// Runs the jobs of a lost commit again, each in a commit of its own, so that each answers for
/// itself.
fn each_alone(committer: &Committer<'_>, mut jobs: impl Iterator<Item = AnyJob>) {
    let mut one = Vec::with_capacity(1);
    while let Some(job) = jobs.next() {
        one.push(job);
        match committer.attempt(&mut one, || None) {
            Attempt::Committed => one.drain(..).for_each(Job::answer),
            Attempt::Locked => return refuse(one.drain(..).chain(jobs)),
            Attempt::Lost(failure) => refuse_one(&mut one, failure),
        }
    }
}

fn refuse_one(jobs: &mut Vec<AnyJob>, failure: StoreFailure) {
    if let Some(job) = jobs.pop() {
        job.refuse(failure);
    }
}

/// Another process held the write lock all the time that one wait may take. Whatever else waits
/// would wait for the same lock, one commit after the other, for minutes: it is refused as well.
fn refuse(jobs: impl Iterator<Item = AnyJob>) {
    jobs.for_each(|job| job.refuse(StoreFailure::Locked));
}

/// Closes the queue and lets go of whoever waits in it.
struct Closing<'q>(&'q JobQueue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
        while self.0.next().is_some() {}
    }
}
