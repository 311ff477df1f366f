//! The queue between the callers and the writing thread.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use metrics::Gauge;
use pointbook_app::commands;
use pointbook_queue::{Bounds, Limits, Queue};

use super::job::Job;
use super::lane::Lane;
use crate::error::StoreFailure;

/// The most writes that may wait. `all` bounds the memory and the wait of the last write. A tenant has half of it. A lane
/// has as many as one commit takes, so that a full lane is served within a few commits.
const MAX_WAITING: Bounds = Bounds { all: 4_096, tenant: 2_048, lane: 256 };

/// A job with any result type.
pub(super) type AnyJob = Box<dyn Job>;

/// Jobs that wait for the writing thread.
pub(super) struct JobQueue {
    state: Mutex<State>,
    arrival: Condvar,
}

struct State {
    jobs: Queue<Arc<str>, commands::Lane, AnyJob>,
    waiting: Gauge,
    /// Whether the thread sleeps. Waking a thread that is awake wastes a system call.
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

    /// Adds a job. Refuses it when too many wait or the queue is closed.
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

    /// The next job whose caller still waits; `None` when no job waits.
    pub(super) fn next(&self) -> Option<AnyJob> {
        loop {
            let job = self.state().pop()?;
            if job.is_wanted() {
                return Some(job);
            }
        }
    }

    /// Sleeps until a job arrives whose caller still waits. Returns `None` when the queue is closed and empty.
    pub(super) fn wait(&self) -> Option<AnyJob> {
        loop {
            let job = self.pop_or_wait()?;
            if job.is_wanted() {
                return Some(job);
            }
        }
    }

    /// Whether the queue refuses all jobs.
    pub(super) fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Refuses all later jobs. Those that wait stay.
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
        // No job runs under the lock, so a poisoned lock is usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pop(&mut self) -> Option<AnyJob> {
        let job = self.jobs.pop()?;
        self.show_waiting();
        Some(job)
    }

    /// Updates the metric. The caller holds the lock, so that the metric ends with the newest value.
    fn show_waiting(&self) {
        // `MAX_WAITING` keeps the number within `u32`.
        self.waiting.set(u32::try_from(self.jobs.count().waiting).unwrap_or(u32::MAX));
    }
}
