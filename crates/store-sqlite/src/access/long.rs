//! Places for long reads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::Gauge;
use tokio::sync::oneshot;

use super::turns::{Bounds, Turns, Whose};
use crate::error::{Outcome, StoreFailure};

/// So many long reads at once, in turns between tenants; a few more wait, and the rest are refused.
pub(super) struct LongReads {
    line: Arc<Line>,
}

struct Line {
    turns: Mutex<Turns<oneshot::Sender<Place>>>,
    waiting: Gauge,
}

/// One of those at once; the next one's when this is dropped.
pub(super) struct Place {
    line: Arc<Line>,
    whose: Whose,
}

impl LongReads {
    pub(super) fn new(bounds: Bounds) -> Self {
        let (turns, waiting) =
            (Mutex::new(Turns::new(bounds)), metrics::gauge!("pointbook_long_reads_waiting"));
        Self { line: Arc::new(Line { turns, waiting }) }
    }

    /// Waits for a place.
    pub(super) async fn enter(&self, whose: Whose) -> Outcome<Place> {
        let turn = {
            let mut turns = self.line.turns();
            if turns.enter(&whose) {
                return Ok(Place { line: self.line.clone(), whose });
            }
            let (waiter, turn) = oneshot::channel();
            turns
                .wait(&whose, waiter, oneshot::Sender::is_closed)
                .map_err(|_| StoreFailure::TooManyWaiting)?;
            self.line.show_waiting(&turns);
            turn
        };
        // Nobody drops who waits but who knows that they are gone.
        turn.await.map_err(|_| StoreFailure::TooManyWaiting)
    }
}

impl Line {
    fn turns(&self) -> MutexGuard<'_, Turns<oneshot::Sender<Place>>> {
        // Nothing fails under the lock, so what it guards is whole.
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who gets the place that this one had.
    fn leave(&self, whose: &Whose) -> Option<(Whose, oneshot::Sender<Place>)> {
        let mut turns = self.turns();
        turns.leave(whose);
        let mut next = turns.next();
        while let Some((gone, _)) = next.take_if(|(_, waiter)| waiter.is_closed()) {
            turns.leave(&gone);
            next = turns.next();
        }
        self.show_waiting(&turns);
        next
    }

    /// Under the lock, so that the last value that is shown is the last there was.
    fn show_waiting(&self, turns: &Turns<oneshot::Sender<Place>>) {
        self.waiting.set(u32::try_from(turns.waiting()).unwrap_or(u32::MAX));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((whose, next)) = self.line.leave(&self.whose) {
            // One who has just gone gives it back by dropping it.
            drop(next.send(Self { line: self.line.clone(), whose }));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    const BOUNDS: Bounds = Bounds { reading: 4, reading_of_tenant: 3, waiting_of_tenant: 48 };

    type Entering<'l> = std::pin::Pin<Box<dyn Future<Output = Outcome<Place>> + 'l>>;

    fn poll(entering: &mut Entering<'_>) -> Poll<Outcome<Place>> {
        entering.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    fn enter<'l>(reads: &'l LongReads, name: &str) -> (Entering<'l>, Poll<Outcome<Place>>) {
        let mut entering: Entering<'l> = Box::pin(reads.enter(Some(name.into())));
        let place = poll(&mut entering);
        (entering, place)
    }

    #[test]
    fn a_place_goes_to_the_next_and_not_to_one_who_is_gone() {
        let reads = LongReads::new(BOUNDS);
        let mut places: Vec<_> = (0..BOUNDS.reading_of_tenant).map(|_| enter(&reads, "a").1).collect();
        let [(gone, first), (mut stays, second)] = [enter(&reads, "a"), enter(&reads, "a")];
        assert!(first.is_pending() && second.is_pending());
        drop(gone);
        places.pop();
        let place = poll(&mut stays);
        assert!(matches!(place, Poll::Ready(Ok(_))));
        drop((places, place));
        assert!(matches!(enter(&reads, "a").1, Poll::Ready(Ok(_))));
    }

    #[test]
    fn a_place_that_was_given_to_one_who_goes_is_given_on() {
        let reads = LongReads::new(BOUNDS);
        let mut places: Vec<_> = (0..BOUNDS.reading_of_tenant).map(|_| enter(&reads, "a").1).collect();
        let [(first, _), (mut second, _)] = [enter(&reads, "a"), enter(&reads, "a")];
        places.pop();
        drop(first);
        assert!(matches!(poll(&mut second), Poll::Ready(Ok(_))));
    }

    #[test]
    fn more_than_may_wait_are_refused_at_once() {
        let reads = LongReads::new(BOUNDS);
        let entered: Vec<_> =
            (0..BOUNDS.reading_of_tenant + BOUNDS.waiting_of_tenant).map(|_| enter(&reads, "a")).collect();
        assert!(matches!(enter(&reads, "a").1, Poll::Ready(Err(StoreFailure::TooManyWaiting))));
        assert!(matches!(enter(&reads, "b").1, Poll::Ready(Ok(_))));
        drop(entered);
        assert!(matches!(enter(&reads, "a").1, Poll::Ready(Ok(_))));
    }
}
