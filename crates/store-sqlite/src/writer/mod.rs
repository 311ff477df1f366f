//! The one writer of a file: a thread that owns the writing connection and lets writes share commits.
//!
//! A durable commit costs some hundred microseconds, the rows of an order a few dozen. So all that
//! waits when a commit begins goes into it, each write in a savepoint of its own; a write that comes
//! alone waits for nobody (docs/adr/0006).

mod commit;
mod job;
mod lane;
mod queue;
mod thread;

#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, Transaction};
use tokio::sync::oneshot;

pub(crate) use self::commit::MAX_COMMIT_AGE;
use self::job::Task;
pub(crate) use self::lane::{Lane, SERVICE, back_office};
use self::queue::JobQueue;
use crate::error::{Outcome, StoreFailure};
use crate::options::SqliteOptions;

/// The writing thread and its queue. Dropped, it takes no more jobs, runs those that
/// still wait, and closes the connection.
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
        let (theirs, options) = (queue.clone(), *options);
        let thread = std::thread::Builder::new()
            .name("pointbook-write".to_owned())
            .spawn(move || thread::run(&connection, &theirs, &options, max_age))?;
        Ok(Self { queue, thread: Some(thread) })
    }

    /// Lets work wait for the turn of its lane. The answer comes when the work's effect is on the
    /// disk, or when it failed.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        lane: &Lane,
        work: impl FnMut(&Transaction<'_>) -> Outcome<T> + Send + 'static,
    ) -> Outcome<oneshot::Receiver<Outcome<T>>> {
        let (task, answer) = Task::new(work);
        self.queue.push(lane, Box::new(task))?;
        Ok(answer)
    }

    /// Fails when the thread is gone: every write from now on would.
    pub(crate) fn check(&self) -> Outcome<()> {
        if self.queue.is_closed() { Err(StoreFailure::WriterEnded) } else { Ok(()) }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // Waited for, so that the file is closed; a thread that panicked has closed it too.
            drop(thread.join());
        }
    }
}
