//! Permits that callers hold while they work. Waiting callers get them in fair order.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{Count, Key, Lane, Limits, Overloaded, Queue};

/// Gives permits. Clones share them.
#[derive(Clone)]
pub struct Permits<T: Key, L: Key> {
    shared: Arc<Shared<T, L>>,
}

struct Shared<T: Key, L: Key> {
    queue: Mutex<Waiters<T, L>>,
    max_wait: Option<Duration>,
    watch: Option<Box<dyn Fn(Count) + Send + Sync>>,
}

type Waiters<T, L> = Queue<T, L, oneshot::Sender<Permit<T, L>>>;

/// Permits of a lane. Dropping them gives them to waiting callers.
pub struct Permit<T: Key, L: Key> {
    shared: Arc<Shared<T, L>>,
    lane: Lane<T, L>,
    permits: usize,
}

impl<T: Key, L: Key> Permits<T, L> {
    /// Callers wait without a time limit.
    pub fn new(limits: Limits) -> Self {
        Self::with(limits, None, None)
    }

    /// Passes each change of the counts, in order, to a short function that takes no permits itself.
    pub fn watched(limits: Limits, watch: impl Fn(Count) + Send + Sync + 'static) -> Self {
        Self::with(limits, None, Some(Box::new(watch)))
    }

    /// As [`Self::watched`]. No caller waits longer than `max_wait`.
    pub fn with_max_wait(
        limits: Limits,
        max_wait: Duration,
        watch: impl Fn(Count) + Send + Sync + 'static,
    ) -> Self {
        Self::with(limits, Some(max_wait), Some(Box::new(watch)))
    }

    fn with(
        limits: Limits,
        max_wait: Option<Duration>,
        watch: Option<Box<dyn Fn(Count) + Send + Sync>>,
    ) -> Self {
        let queue = Mutex::new(Queue::new(limits));
        Self { shared: Arc::new(Shared { queue, max_wait, watch }) }
    }

    /// Takes permits without waiting.
    ///
    /// # Errors
    /// The exceeded limit of permits.
    pub fn try_acquire(&self, lane: Lane<T, L>, permits: usize) -> Result<Permit<T, L>, Overloaded> {
        self.shared.change(|queue| queue.take_permits(&lane, permits))?;
        Ok(self.shared.permit(lane, permits))
    }

    /// Waits for a permit. A caller who stops waiting leaves the queue.
    ///
    /// # Errors
    /// At once: the exceeded limit of waiting callers. After the longest wait: [`Overloaded::Wait`].
    pub async fn acquire(&self, lane: Lane<T, L>) -> Result<Permit<T, L>, Overloaded> {
        let turn = self.shared.change(|queue| {
            if queue.take_permits(&lane, 1).is_ok() {
                return Ok(None);
            }
            let (waiter, turn) = oneshot::channel();
            queue.push(&lane, waiter)?;
            Ok(Some(turn))
        })?;
        let Some(turn) = turn else { return Ok(self.shared.permit(lane, 1)) };
        let mut waiting = Waiting { shared: &self.shared, lane, turn };
        let granted = async { (&mut waiting.turn).await.map_err(|_| Overloaded::All) };
        match self.shared.max_wait {
            Some(max_wait) => timeout(max_wait, granted).await.map_err(|_| Overloaded::Wait)?,
            None => granted.await,
        }
    }
}

impl<T: Key, L: Key> Shared<T, L> {
    fn change<R>(&self, change: impl FnOnce(&mut Waiters<T, L>) -> R) -> R {
        // Nothing fails under the lock, so what it guards is whole.
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&mut queue);
        if let Some(watch) = &self.watch {
            watch(queue.count());
        }
        changed
    }

    fn permit(self: &Arc<Self>, lane: Lane<T, L>, permits: usize) -> Permit<T, L> {
        Permit { shared: self.clone(), lane, permits }
    }
}

impl<T: Key, L: Key> Permit<T, L> {
    /// Takes more permits of the lane without waiting.
    ///
    /// # Errors
    /// The exceeded limit of permits.
    pub fn grow(&mut self, more: usize) -> Result<(), Overloaded> {
        self.shared.change(|queue| queue.take_permits(&self.lane, more))?;
        self.permits += more;
        Ok(())
    }
}

impl<T: Key, L: Key> Drop for Permit<T, L> {
    fn drop(&mut self) {
        let granted: Vec<_> = self.shared.change(|queue| {
            queue.give_back(&self.lane, self.permits);
            std::iter::from_fn(|| queue.pop_with_permit()).collect()
        });
        for (lane, waiter) in granted {
            // A waiter that has just left drops the permit, which gives it back.
            drop(waiter.send(self.shared.permit(lane, 1)));
        }
    }
}

impl<T: Key, L: Key> fmt::Debug for Permit<T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").field("permits", &self.permits).finish_non_exhaustive()
    }
}

/// A caller in the queue.
struct Waiting<'p, T: Key, L: Key> {
    shared: &'p Shared<T, L>,
    lane: Lane<T, L>,
    turn: oneshot::Receiver<Permit<T, L>>,
}

impl<T: Key, L: Key> Drop for Waiting<'_, T, L> {
    fn drop(&mut self) {
        if !self.turn.is_terminated() {
            self.turn.close();
            self.shared.change(|queue| queue.retain(&self.lane, |waiter| !waiter.is_closed()));
        }
    }
}
