//! The lanes of writes.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use metrics::Gauge;

use super::job::Job;
use crate::commands;
use crate::queue::{Bounds, Limits, Next, Queue};
use crate::sqlite::error::StoreFailure;

/// The lane in which a write waits.
pub(crate) type Lane = crate::queue::Lane<Arc<str>, commands::Lane>;

/// The lane for writes of the service: tenants, background jobs, cleaning up.
pub(crate) const SERVICE: Lane = Lane { tenant: None, name: commands::Lane::Service };

/// The lane of a command of a tenant.
pub(crate) fn lane_of(tenant: &Arc<str>, lane: commands::Lane) -> Lane {
    match lane {
        commands::Lane::Service => SERVICE,
        lane => Lane::of(tenant.clone(), lane),
    }
}

/// The lane of a tenant's back office.
pub(crate) fn back_office(tenant: &Arc<str>) -> Lane {
    Lane::of(tenant.clone(), commands::Lane::BackOffice)
}

/// The most writes that may wait. `all` bounds the memory and the wait of the last write. A tenant has half of it. A lane
/// has as many as one commit takes, so that a full lane is served within a few commits.
const MAX_WAITING: Bounds = Bounds { all: 4_096, tenant: 2_048, lane: 256 };

/// A job with any result type.
pub(super) type AnyJob = Box<dyn Job>;

/// A job that the thread took from the queue, and the tenant whose time it takes.
pub(super) struct Turn {
    pub(super) job: AnyJob,
    tenant: Option<Arc<str>>,
}

/// Jobs that wait for the writing thread. Tenants take turns by the time that their jobs took (`docs/internals/fairness.md`).
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

    /// The next job whose caller still waits. `None` when no job waits, or only jobs of tenants that must leave time to others.
    pub(super) fn next(&self) -> Option<Turn> {
        self.next_at(Instant::now())
    }

    /// All jobs whose callers still wait.
    pub(super) fn take_all(&self) -> impl Iterator<Item = Turn> {
        // At that time no tenant must leave time to others.
        let later = Instant::now() + Duration::from_hours(1);
        std::iter::from_fn(move || self.next_at(later))
    }

    fn next_at(&self, at: Instant) -> Option<Turn> {
        loop {
            let turn = self.state().pop(at).ok()?;
            if turn.job.is_wanted() {
                return Some(turn);
            }
        }
    }

    /// Sleeps until a job has its turn whose caller still waits. Returns `None` when the queue is closed and empty.
    pub(super) fn wait(&self) -> Option<Turn> {
        loop {
            let turn = self.pop_or_wait()?;
            if turn.job.is_wanted() {
                return Some(turn);
            }
        }
    }

    /// The tenants of these jobs took this much time each.
    pub(super) fn charge(&self, turns: &[Turn], each: Duration) {
        let now = Instant::now();
        let mut state = self.state();
        for turn in turns {
            state.jobs.charge(turn.tenant.as_ref(), each, now);
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

    fn pop_or_wait(&self) -> Option<Turn> {
        let mut state = self.state();
        loop {
            let wait = match state.pop(Instant::now()) {
                Ok(turn) => return Some(turn),
                Err(None) if state.is_closed => return None,
                Err(wait) => wait,
            };
            state.is_idle = true;
            let woken = self.arrival.wait_timeout(state, wait.unwrap_or(Duration::MAX));
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No job runs under the lock, so a poisoned lock is usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The next job. Otherwise how long to wait for it, or `None` when no job waits.
    fn pop(&mut self, at: Instant) -> Result<Turn, Option<Duration>> {
        match self.jobs.pop(at) {
            Next::Job(lane, job) => {
                self.show_waiting();
                Ok(Turn { job, tenant: lane.tenant })
            }
            Next::Wait(wait) => Err(Some(wait)),
            Next::Nothing => Err(None),
        }
    }

    /// Updates the metric. The caller holds the lock, so that the metric ends with the newest value.
    fn show_waiting(&self) {
        // `MAX_WAITING` keeps the number within `u32`.
        self.waiting.set(u32::try_from(self.jobs.count().waiting).unwrap_or(u32::MAX));
    }
}
