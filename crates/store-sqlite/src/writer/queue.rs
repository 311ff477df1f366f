//! Where the callers and the writing thread meet.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use metrics::Gauge;
use pointbook_app::commands;
use pointbook_queue::{Bounds, Limits, Queue};

use super::job::Job;
use super::lane::Lane;
use crate::error::StoreFailure;

/// How many writes wait at most. `all` bounds memory, and how long the last of them waits; a tenant has half of it. A lane
/// has what a commit may take, so that a full one is still served within a few commits.
const MAX_WAITING: Bounds = Bounds { all: 4_096, tenant: 2_048, lane: 256 };

/// A job of whatever type.
pub(super) type AnyJob = Box<dyn Job>;

/// Jobs that wait for the writing thread.
pub(super) struct JobQueue {
    state: Mutex<State>,
    arrival: Condvar,
}

struct State {
    jobs: Queue<Arc<str>, commands::Lane, AnyJob>,
    waiting: Gauge,
    /// Whether the thread sleeps. To wake a thread that does not costs a system call for nothing.
    is_idle: bool,
    is_closed: bool,
}

impl JobQueue {
    pub(super) fn new() -> Self {
        let limits = Limits { waiting: MAX_WAITING, ..Limits::default() };
        let waiting = metrics::gauge!("pointbook_writer_waiting");
        let state = State { jobs: Queue::new(limits), waiting, is_idle: false, is_closed: false };
        Self { state: Mutex::new(state), arrival: Condvar::new() }
    }

    /// Lets a job wait for its turn; refuses it when too many wait, or when nobody will come.
    pub(super) fn push(&self, lane: &Lane, job: AnyJob) -> Result<(), StoreFailure> {
        let mut state = self.state();
        if state.is_closed {
            return Err(StoreFailure::WriterEnded);
        }
        state.jobs.push(lane, job)?;
        state.show_waiting();
        let is_idle = std::mem::take(&mut state.is_idle);
        drop(state);
        if is_idle {
            self.arrival.notify_one();
        }
        Ok(())
    }

    /// The next job that somebody still waits for, if there is one now.
    pub(super) fn next(&self) -> Option<AnyJob> {
        loop {
            let job = self.state().pop()?;
            if job.is_wanted() {
                return Some(job);
            }
        }
    }

    /// Sleeps until there is a job; none when the queue was closed and nobody waits any more.
    pub(super) fn wait(&self) -> Option<AnyJob> {
        loop {
            let job = self.pop_or_wait()?;
            if job.is_wanted() {
                return Some(job);
            }
        }
    }

    /// Whether jobs are refused because nobody will come for them.
    pub(super) fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Takes no more jobs.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.arrival.notify_one();
    }

    fn pop_or_wait(&self) -> Option<AnyJob> {
        let mut state = self.state();
        loop {
            let job = state.pop();
            if job.is_some() || state.is_closed {
                return job;
            }
            state.is_idle = true;
            state = self.arrival.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No job runs under the lock, so what it guards is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pop(&mut self) -> Option<AnyJob> {
        let job = self.jobs.pop()?;
        self.show_waiting();
        Some(job)
    }

    /// Under the lock, so that the last value that is shown is the last there was.
    fn show_waiting(&self) {
        // At most some thousand.
        self.waiting.set(u32::try_from(self.jobs.count().waiting).unwrap_or(u32::MAX));
    }
}
