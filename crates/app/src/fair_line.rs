//! A bounded number of things at once, in turns between tenants.
//!
//! Under more load than can be served somebody has to wait, and somebody has to be refused. Here tenants
//! take turns, so that the one who asks for too much waits for itself; and what has waited for too long is
//! refused, so that what is answered is answered soon (docs/adr/0014).

mod queue;
mod rounds;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::{Counter, Gauge};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout_at};

pub use self::queue::{FairQueue, MAX_WAITING_OF_TENANT, Patience, Waiter};
pub use self::rounds::{Queue, Rounds};

/// How long after its question a refusal is told, at the earliest. A refusal costs a good part of what
/// a cheap answer does, and many clients ask again at once: told at once, refusals alone would take the
/// processor from those who are served.
pub const REFUSED_AFTER: Duration = Duration::from_millis(100);

/// So many at once pass here; the others wait until it is their turn. Cheap to clone.
#[derive(Clone)]
pub struct FairLine {
    shared: Arc<Shared>,
}

struct Shared {
    patience: Patience,
    counts: LineCounts,
    state: Mutex<State>,
}

struct State {
    free: usize,
    queue: FairQueue<Waiting>,
}

/// One of those at once; the next one's when this is dropped.
pub struct Place {
    line: Arc<Shared>,
}

/// Too many are asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too much is waiting")]
pub struct Refused;

/// Somebody who waits for a place.
struct Waiting(oneshot::Sender<Place>);

impl FairLine {
    /// A line with so many places. Its name is a label of the metrics.
    pub fn new(name: &'static str, places: usize, patience: Patience) -> Self {
        let state = Mutex::new(State { free: places, queue: FairQueue::new(patience) });
        Self { shared: Arc::new(Shared { patience, counts: LineCounts::new(name), state }) }
    }

    /// Waits for a place on behalf of a tenant, or of the service itself, which is never refused.
    ///
    /// # Errors
    /// [`Refused`] when it would take too long.
    pub async fn enter(&self, tenant: Option<&Arc<str>>) -> Result<Place, Refused> {
        let asked_at = Instant::now();
        let answer = match self.place_or_wait(tenant, asked_at) {
            Ok(place) => return Ok(place),
            Err(answer) => answer,
        };
        let _waiting = self.shared.counts.waiting();
        let place = match tenant {
            None => answer.await.ok(),
            // Those before it may take longer than anybody is patient.
            Some(_) => {
                timeout_at(asked_at + self.shared.patience.burst, answer).await.ok().and_then(Result::ok)
            }
        };
        match place {
            Some(place) => Ok(place),
            None => Err(self.shared.counts.refuse(asked_at).await),
        }
    }

    /// A place, or where one will come from; from nowhere if the line is full.
    fn place_or_wait(
        &self,
        tenant: Option<&Arc<str>>,
        now: Instant,
    ) -> Result<Place, oneshot::Receiver<Place>> {
        let mut state = self.shared.state();
        if state.free > 0 {
            state.free -= 1;
            return Ok(Place { line: self.shared.clone() });
        }
        let (waiting, answer) = oneshot::channel();
        // Whoever came to a full line learns it when this is dropped.
        drop(state.queue.push(tenant, now, Waiting(waiting)));
        Err(answer)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing fails under the lock, so what it guards is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who gets a place that became free.
    fn next(&self) -> Option<Waiting> {
        let mut state = self.state();
        let next = state.queue.next(Instant::now());
        if next.is_none() {
            state.free += 1;
        }
        next
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(Waiting(next)) = self.line.next() {
            // One who has just left gives it back by dropping it.
            drop(next.send(Self { line: self.line.clone() }));
        }
    }
}

impl Waiter for Waiting {
    fn is_wanted(&self) -> bool {
        !self.0.is_closed()
    }

    fn refuse(self) {
        // Dropped, it says so.
    }
}

/// What operators see of a line.
pub struct LineCounts {
    waiting: Gauge,
    refused: Counter,
}

/// One who waits, to be held meanwhile.
pub struct Counted<'l>(&'l Gauge);

impl LineCounts {
    /// Those of the line of this name.
    pub fn new(name: &'static str) -> Self {
        Self {
            waiting: metrics::gauge!("pointbook_reads_waiting", "line" => name),
            refused: metrics::counter!("pointbook_reads_refused_total", "line" => name),
        }
    }

    /// Counts somebody who waits.
    pub fn waiting(&self) -> Counted<'_> {
        self.waiting.increment(1);
        Counted(&self.waiting)
    }

    /// Counts somebody who is refused, and tells them when it is time, for a question of then.
    pub async fn refuse(&self, asked_at: Instant) -> Refused {
        self.refused.increment(1);
        sleep_until(asked_at + REFUSED_AFTER).await;
        Refused
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}
