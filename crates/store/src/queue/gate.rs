//! A gate before the threads of a runtime, which all requests share.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use super::{Key, Lane, Limits, Queue};

/// How long the gate is closed at least.
const CLOSED_FOR: Duration = Duration::from_millis(100);

/// While a light tenant is active, the gate bounds how many requests of heavy tenants are polled at once. Light tenants never wait here.
/// Heavy tenants do not wait either while no light one is active.
pub struct Gate<T: Key, L: Key> {
    threads: u32,
    /// Heavy tenants together get this many.
    slots: usize,
    /// Whether a tenant may be heavy. Otherwise a poll needs no lock before it begins.
    is_closed: AtomicBool,
    state: Mutex<State<T, L>>,
}

struct State<T: Key, L: Key> {
    /// The requests without a slot, and the time that tenants took.
    waiting: Queue<T, L, Arc<Waiter>>,
    taken_slots: usize,
    /// When to find out whether a tenant is still heavy.
    look_at: Instant,
}

struct Waiter {
    waker: Mutex<Waker>,
    has_slot: AtomicBool,
}

/// A request, which is polled until it is ready.
pub struct GatedRequest<'g, T: Key, L: Key> {
    gate: &'g Gate<T, L>,
    /// It waits for a slot, or has one.
    waiter: Option<(Lane<T, L>, Arc<Waiter>)>,
}

impl<T: Key, L: Key> Gate<T, L> {
    /// A gate before this many threads. It keeps a quarter of them free for light tenants, and at least one of two.
    pub fn new(threads: usize) -> Self {
        let state = State { waiting: Queue::new(Limits::default()), taken_slots: 0, look_at: Instant::now() };
        let free = (threads / 4).max(1);
        let slots = threads.saturating_sub(free).max(1);
        let threads = u32::try_from(threads).unwrap_or(u32::MAX).max(1);
        Self { threads, slots, is_closed: AtomicBool::new(false), state: Mutex::new(state) }
    }

    /// Whether a tenant may be heavy.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    pub fn request(&self) -> GatedRequest<'_, T, L> {
        GatedRequest { gate: self, waiter: None }
    }

    /// A request of the tenant took this much time of a thread, until `now`.
    pub fn charge(&self, tenant: &T, time: Duration, now: Instant) {
        let mut state = self.state();
        state.waiting.charge(Some(tenant), time / self.threads, now);
        if !state.waiting.shares.is_light(tenant, now) && !self.is_closed.swap(true, Ordering::Relaxed) {
            state.look_at = now + CLOSED_FOR;
        }
    }

    fn give_back_slot(&self, now: Instant) {
        let mut state = self.state();
        state.taken_slots -= 1;
        while state.taken_slots < self.slots {
            let Some((_, waiter)) = state.waiting.pop_now(now) else { return };
            state.taken_slots += 1;
            waiter.has_slot.store(true, Ordering::Relaxed);
            waiter.waker().wake_by_ref();
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T, L>> {
        // Nothing fails under the lock, so what it guards is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Key, L: Key> GatedRequest<'_, T, L> {
    /// Whether the request of this tenant may be polled now. If not, the gate wakes it when it may. `lane` is its lane within the tenant.
    /// Call [`Self::leave`] after the poll.
    pub fn enter(
        &mut self,
        cx: &Context<'_>,
        now: impl FnOnce() -> Instant,
        tenant: impl FnOnce() -> T,
        lane: impl FnOnce() -> L,
    ) -> bool {
        if self.waiter.is_none() && !self.gate.is_closed() {
            return true;
        }
        let mut state = self.gate.state();
        if let Some((_, waiter)) = &self.waiter {
            waiter.waker().clone_from(cx.waker());
            return waiter.has_slot.load(Ordering::Relaxed);
        }
        let (now, tenant) = (now(), tenant());
        if now >= state.look_at {
            state.look_at = now + CLOSED_FOR;
            self.gate.is_closed.store(state.waiting.shares.has_heavy(now), Ordering::Relaxed);
        }
        if !state.waiting.shares.must_yield(&tenant, now) {
            return true;
        }
        let lane = Lane::of(tenant, lane());
        let has_slot = state.taken_slots < self.gate.slots;
        let waiter = Waiter { waker: Mutex::new(cx.waker().clone()), has_slot: AtomicBool::new(has_slot) };
        let waiter = Arc::new(waiter);
        if has_slot {
            state.taken_slots += 1;
        } else if state.waiting.push(&lane, waiter.clone()).is_err() {
            // The queue has no limits, so this does not happen.
            return true;
        }
        self.waiter = Some((lane, waiter));
        has_slot
    }

    /// Gives back the slot of a poll.
    pub fn leave(&mut self, now: Instant) {
        if self.waiter.take().is_some() {
            self.gate.give_back_slot(now);
        }
    }
}

/// A request that was given up.
impl<T: Key, L: Key> Drop for GatedRequest<'_, T, L> {
    fn drop(&mut self) {
        let Some((lane, waiter)) = self.waiter.take() else { return };
        let mut state = self.gate.state();
        let has_slot = waiter.has_slot.load(Ordering::Relaxed);
        if !has_slot {
            state.waiting.retain(&lane, |other| !Arc::ptr_eq(other, &waiter));
        }
        drop(state);
        if has_slot {
            self.gate.give_back_slot(Instant::now());
        }
    }
}

impl Waiter {
    fn waker(&self) -> MutexGuard<'_, Waker> {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
