//! Short reads of requests, each on the thread that asks, in turns between tenants.
//!
//! A read holds its thread until it is done, and the runtime lets requests run in the order in which they
//! came: a tenant with a hundred connections would be before everybody else a hundred times. So a request
//! that comes to read lets the thread look first what else has come. If that wants to read too, it waits in
//! the thread's line, and the thread reads for one tenant after the other.

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pointbook_app::StoreResult;
use pointbook_app::fair_line::{FairQueue, Patience, Waiter};
use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::Instant;

use super::Access;
use crate::error::{Outcome, StoreFailure};

/// Ordinary reads take a tenth of a millisecond or less. A burst of thousands is over within the first time, and
/// one of hundreds on a slow disk too. Whoever waits for longer than the second, in a queue that does not end,
/// is one of hundreds, or asks a machine that has no time.
pub(super) const PATIENCE: Patience =
    Patience { burst: Duration::from_millis(500), standing: Duration::from_millis(50) };

/// Reads of others get half of the time that all else took which the thread had to do. Enough not to starve beside
/// a flood of lists; and less than what a read costs beside itself, so that a flood of reads waits in the line,
/// where tenants take turns, and not between the runtime and its sockets, where nobody does.
const SHARE_OF_READS: u32 = 2;

/// The short reads that wait for one thread.
pub(super) struct ShortLine {
    state: Mutex<State>,
}

struct State {
    queue: FairQueue<AnyRead>,
    /// Whether somebody is there to see to those who wait.
    is_tended: bool,
}

impl Default for ShortLine {
    fn default() -> Self {
        Self { state: Mutex::new(State { queue: FairQueue::new(PATIENCE), is_tended: false }) }
    }
}

/// The duty to see to a line. Whoever has it reads next; dropped, it goes to the one whose turn it is then.
struct Tending {
    line: Arc<ShortLine>,
}

impl Access {
    /// Reads on the calling thread on behalf of a tenant, when it is its turn. For work whose number of
    /// rows is small and known: a hop to another thread costs more than such a query. Refused when too
    /// many ask.
    pub(crate) async fn read_in_turn<T: Send + 'static>(
        &self,
        operation: &'static str,
        tenant: &Arc<str>,
        work: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let line = self.short_lines.get_or_default();
        let turn = match line.enter(tenant, work) {
            Entered::First(work, tending) => Turn::Own(work, tending),
            Entered::Waits(waits) => self.turn_of(waits).await?,
        };
        let (work, tending) = match turn {
            Turn::Own(work, tending) => (work, tending),
            Turn::Done(read) => return Ok(read?),
        };
        let yielded_at = Instant::now();
        yield_now().await;
        let until = Instant::now() + yielded_at.elapsed() / SHARE_OF_READS;
        let read = self.read_here(work);
        tending.read_for_others(self, until);
        Ok(read?)
    }

    async fn turn_of<T, W>(&self, Waits { asked_at, turn }: Waits<T, W>) -> Outcome<Turn<T, W>> {
        let _waiting = self.short_counts.waiting();
        match turn.await {
            Ok(turn) => Ok(turn),
            Err(_dropped) => Err(StoreFailure::Refused(self.short_counts.refuse(asked_at).await)),
        }
    }
}

impl ShortLine {
    /// Takes the duty if nobody has it, for then nobody waits; else waits.
    fn enter<T: Send + 'static, W: FnOnce(&Connection) -> Outcome<T> + Send + 'static>(
        self: &Arc<Self>,
        tenant: &Arc<str>,
        work: W,
    ) -> Entered<T, W> {
        let mut state = self.state();
        if !std::mem::replace(&mut state.is_tended, true) {
            return Entered::First(work, Tending { line: self.clone() });
        }
        let (asked_at, (caller, turn)) = (Instant::now(), oneshot::channel());
        // Whoever comes to a full line learns it when this is dropped.
        drop(state.queue.push(Some(tenant), asked_at, Box::new(ShortRead { work, caller })));
        Entered::Waits(Waits { asked_at, turn })
    }

    fn next(&self) -> Option<AnyRead> {
        let now = Instant::now();
        self.state().queue.next(now)
    }

    /// Whose duty the line is from now on; nobody's if nobody waits.
    fn next_to_tend(&self) -> Option<AnyRead> {
        let mut state = self.state();
        if state.queue.is_empty() {
            state.is_tended = false;
            return None;
        }
        let next = state.queue.next(Instant::now());
        state.is_tended = next.is_some();
        next
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing fails under the lock, so what it guards is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tending {
    fn read_for_others(&self, access: &Access, until: Instant) {
        while Instant::now() < until {
            let Some(read) = self.line.next() else { return };
            read.run(access);
        }
    }
}

impl Drop for Tending {
    fn drop(&mut self) {
        if let Some(next) = self.line.next_to_tend() {
            // One who has just left passes it on by dropping it.
            next.hand_over(Self { line: self.line.clone() });
        }
    }
}

/// How somebody finds the line.
enum Entered<T, W> {
    First(W, Tending),
    Waits(Waits<T, W>),
}

struct Waits<T, W> {
    asked_at: Instant,
    turn: oneshot::Receiver<Turn<T, W>>,
}

/// What comes of waiting.
enum Turn<T, W> {
    /// It was read by whoever had the duty.
    Done(Outcome<T>),
    /// The work is one's own, and so is the duty.
    Own(W, Tending),
}

/// A read of whatever type, as those who tend see it.
trait Read: Send {
    fn is_wanted(&self) -> bool;
    fn run(self: Box<Self>, access: &Access);
    fn hand_over(self: Box<Self>, duty: Tending);
}

type AnyRead = Box<dyn Read>;

/// Work that gives a `T`, and who waits for it.
struct ShortRead<T, W> {
    work: W,
    caller: oneshot::Sender<Turn<T, W>>,
}

impl<T: Send, W: FnOnce(&Connection) -> Outcome<T> + Send> Read for ShortRead<T, W> {
    fn is_wanted(&self) -> bool {
        !self.caller.is_closed()
    }

    fn run(self: Box<Self>, access: &Access) {
        let Self { work, caller } = *self;
        // What the work left behind is seen by nobody; a transaction that it began ends with it.
        let read = catch_unwind(AssertUnwindSafe(|| access.read_here(work)));
        // A caller that left meanwhile wants no answer.
        drop(caller.send(Turn::Done(read.unwrap_or(Err(StoreFailure::Panicked)))));
    }

    fn hand_over(self: Box<Self>, duty: Tending) {
        drop(self.caller.send(Turn::Own(self.work, duty)));
    }
}

impl Waiter for AnyRead {
    fn is_wanted(&self) -> bool {
        (**self).is_wanted()
    }

    fn refuse(self) {
        // Dropped, it says so.
    }
}
