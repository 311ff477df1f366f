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

/// While a light tenant is active, the gate bounds how many requests of heavy tenants are polled at once. A light tenant never waits
/// here, and neither does one that is alone.
pub struct Gate<T: Key, L: Key> {
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
    /// Heavy tenants together get this many slots.
    pub fn new(slots: usize) -> Self {
        let state = State { waiting: Queue::new(Limits::default()), taken_slots: 0, look_at: Instant::now() };
        Self { slots, is_closed: AtomicBool::new(false), state: Mutex::new(state) }
    }

    pub fn request(&self) -> GatedRequest<'_, T, L> {
        GatedRequest { gate: self, waiter: None }
    }

    /// A poll took this much time of the tenant, until `now`.
    pub fn charge(&self, tenant: &T, time: Duration, now: Instant) {
        let mut state = self.state();
        state.waiting.charge(Some(tenant), time, now);
        if !state.waiting.shares.is_light(tenant, now) && !self.is_closed.swap(true, Ordering::Relaxed) {
            state.look_at = now + CLOSED_FOR;
        }
    }

    fn give_back_slot(&self) {
        let mut state = self.state();
        state.taken_slots -= 1;
        while state.taken_slots < self.slots {
            let Some((_, waiter)) = state.waiting.pop_now(Instant::now()) else { return };
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
    /// Whether the request may be polled now. If not, the gate wakes it when it may. Call [`Self::leave`] after the poll.
    pub fn enter(&mut self, cx: &Context<'_>, lane: impl FnOnce() -> Lane<T, L>) -> bool {
        if self.waiter.is_none() && !self.gate.is_closed.load(Ordering::Relaxed) {
            return true;
        }
        let mut state = self.gate.state();
        if let Some((_, waiter)) = &self.waiter {
            waiter.waker().clone_from(cx.waker());
            return waiter.has_slot.load(Ordering::Relaxed);
        }
        let now = Instant::now();
        if now >= state.look_at {
            state.look_at = now + CLOSED_FOR;
            self.gate.is_closed.store(state.waiting.shares.has_heavy(now), Ordering::Relaxed);
        }
        let lane = lane();
        if !lane.tenant.as_ref().is_some_and(|tenant| state.waiting.shares.must_yield(tenant, now)) {
            return true;
        }
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
    pub fn leave(&mut self) {
        if self.waiter.take().is_some() {
            self.gate.give_back_slot();
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
            self.gate.give_back_slot();
        }
    }
}

impl Waiter {
    fn waker(&self) -> MutexGuard<'_, Waker> {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
