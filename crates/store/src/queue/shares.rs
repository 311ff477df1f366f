//! How much time tenants take from a shared place, such as the writer of a file, and who goes first because of it.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::Key;

/// A tenant is light while it takes less than a tenth of the time, and has not taken much at once.
const LIGHT_DIVISOR: u32 = 10;
const BURST: Duration = Duration::from_millis(20);

/// A heavy tenant is light again after ten times this at the latest.
const MAX_DEBT: Duration = Duration::from_secs(1);

/// While a light tenant is active, heavy tenants together get a third of the time, in slices of this length. A job may be longer than
/// a slice. Then twice its time is free after it.
const HEAVY_DIVISOR: u32 = 2;
const SLICE: Duration = Duration::from_millis(1);

/// How long after its last job a light tenant is active.
const ACTIVE: Duration = Duration::from_secs(1);

/// From this number on, tenants without debt are forgotten.
const MIN_TO_FORGET: usize = 256;

/// The time that each tenant took. A light tenant goes before heavy ones. Heavy tenants leave time free while a light one is active,
/// so that its next job seldom waits for a job of theirs. A tenant that is alone gets all the time.
pub(crate) struct Shares<T> {
    debts: HashMap<T, Debt>,
    /// What heavy tenants took together while a light tenant was active.
    heavy: Debt,
    /// The two tenants that were the last ones to be light, and when. Two are enough to know one that is not the tenant in question.
    light: [Option<(T, Instant)>; 2],
}

/// Taken time, from which a part of the passed time is taken off.
#[derive(Clone, Copy)]
struct Debt {
    time: Duration,
    at: Instant,
}

impl Debt {
    fn left(self, now: Instant, divisor: u32) -> Duration {
        self.time.saturating_sub(now.saturating_duration_since(self.at) / divisor)
    }

    fn add(&mut self, time: Duration, now: Instant, divisor: u32) {
        *self = Self { time: self.left(now, divisor) + time, at: now };
    }
}

impl<T: Key> Shares<T> {
    pub(crate) fn new(now: Instant) -> Self {
        let heavy = Debt { time: Duration::ZERO, at: now };
        Self { debts: HashMap::new(), heavy, light: [None, None] }
    }

    /// The tenant took this much time.
    pub(crate) fn charge(&mut self, tenant: &T, time: Duration, now: Instant) {
        if self.is_light(tenant, now) {
            self.note_light(tenant, now);
        } else if self.has_light_other_than(tenant, now) {
            self.heavy.add(time.min(MAX_DEBT), now, HEAVY_DIVISOR);
        }
        let none = Debt { time: Duration::ZERO, at: now };
        let debt = self.debts.entry(tenant.clone()).or_insert(none);
        debt.add(time, now, LIGHT_DIVISOR);
        let beyond = debt.time.saturating_sub(MAX_DEBT);
        if !beyond.is_zero() {
            // The differences stay, because the smallest debt goes first. And who was heavy stays heavy.
            let heavy = BURST + Duration::from_nanos(1);
            for debt in self.debts.values_mut() {
                debt.time = debt.time.saturating_sub(beyond).max(debt.time.min(heavy));
            }
        }
        if self.debts.len() >= MIN_TO_FORGET {
            self.debts.retain(|_, debt| !debt.left(now, LIGHT_DIVISOR).is_zero());
        }
    }

    pub(crate) fn is_light(&self, tenant: &T, now: Instant) -> bool {
        self.debt(tenant, now) <= BURST
    }

    pub(crate) fn debt(&self, tenant: &T, now: Instant) -> Duration {
        self.debts.get(tenant).map_or(Duration::ZERO, |debt| debt.left(now, LIGHT_DIVISOR))
    }

    /// How long a heavy tenant must leave the place free.
    pub(crate) fn wait(&self, heavy: &T, now: Instant) -> Duration {
        let left = self.heavy.left(now, HEAVY_DIVISOR);
        if left < SLICE || !self.has_light_other_than(heavy, now) {
            return Duration::ZERO;
        }
        left.saturating_sub(SLICE) * HEAVY_DIVISOR + Duration::from_micros(1)
    }

    /// Whether a light tenant was active and this one is heavy. Notes a light tenant as active.
    pub(crate) fn must_yield(&mut self, tenant: &T, now: Instant) -> bool {
        if self.is_light(tenant, now) {
            self.note_light(tenant, now);
            return false;
        }
        self.has_light_other_than(tenant, now)
    }

    pub(crate) fn has_heavy(&self, now: Instant) -> bool {
        self.debts.values().any(|debt| debt.left(now, LIGHT_DIVISOR) > BURST)
    }

    fn note_light(&mut self, tenant: &T, now: Instant) {
        let [first, second] = &mut self.light;
        if !first.as_ref().is_some_and(|(known, _)| known == tenant) {
            std::mem::swap(first, second);
        }
        *first = Some((tenant.clone(), now));
    }

    fn has_light_other_than(&self, tenant: &T, now: Instant) -> bool {
        let is_active = |at: Instant| now.saturating_duration_since(at) < ACTIVE;
        self.light.iter().flatten().any(|(other, at)| other != tenant && is_active(*at))
    }
}
