//! The only writer of a file: a thread that owns the writing connection and lets writes share commits.
//!
//! A durable commit takes some hundred microseconds, the rows of an order take a few dozen. So a commit includes all writes
//! that wait when it begins, each in a separate savepoint. A single write waits for no other (docs/adr/0001).

mod commit;
mod job;
mod queue;
mod shared;
mod thread;

#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;

pub(crate) use self::commit::MAX_COMMIT_AGE;
use self::job::Task;
use self::queue::JobQueue;
pub(crate) use self::shared::SharedCommit;
use crate::sqlite::error::{Outcome, StoreFailure};
use crate::sqlite::options::SqliteOptions;
pub(crate) use crate::sqlite::writer::queue::{Lane, SERVICE, back_office, lane_of};

/// The writing thread and its queue. Dropping it refuses new jobs, runs those that wait, and closes the connection.
pub(crate) struct Writer {
    queue: Arc<JobQueue>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread. A commit that is older than `max_age` takes no more jobs.
    pub(crate) fn start(
        connection: Connection,
        options: &SqliteOptions,
        max_age: Duration,
    ) -> io::Result<Self> {
        let queue = Arc::new(JobQueue::new());
        let (thread_queue, options) = (queue.clone(), *options);
        let thread = std::thread::Builder::new()
            .name("pointbook-write".to_owned())
            .spawn(move || thread::run(&connection, &thread_queue, &options, max_age))?;
        Ok(Self { queue, thread: Some(thread) })
    }

    /// Queues work in its lane. The receiver gets the outcome when the effect is on the disk or the work failed.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        lane: &Lane,
        work: impl FnMut(&SharedCommit<'_>) -> Outcome<T> + Send + 'static,
    ) -> Outcome<oneshot::Receiver<Outcome<T>>> {
        let (task, outcome) = Task::new(work);
        self.queue.push(lane, Box::new(task))?;
        Ok(outcome)
    }

    /// Fails when the thread has ended, because every later write would fail.
    pub(crate) fn check(&self) -> Outcome<()> {
        if self.queue.is_closed() { Err(StoreFailure::WriterEnded) } else { Ok(()) }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // The thread closes the file when it ends, even with a panic.
            drop(thread.join());
        }
    }
}
