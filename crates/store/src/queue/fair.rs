//! A queue of jobs in lanes.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap, OccupiedEntry};
use std::time::{Duration, Instant};

use super::shares::Shares;
use super::{Key, Lane, Limits, Overloaded};

/// Jobs in lanes of tenants, and the permits of the lanes. Tenants take turns, then the lanes of a tenant. A tenant that took much time
/// waits for those that took little. A lane or tenant with all its permits is skipped until it returns one. A lane or tenant without
/// jobs and permits takes no memory, except for the time that a tenant took.
pub struct Queue<T, L, J> {
    limits: Limits,
    count: Count,
    pub(super) shares: Shares<T>,
    tenants: HashMap<Option<T>, Tenant<L, J>>,
    /// The tenants with a turn, the next one first.
    turns: VecDeque<Option<T>>,
}

struct Tenant<L, J> {
    count: Count,
    lanes: HashMap<L, Jobs<J>>,
    /// The lanes with a turn, the next one first.
    turns: VecDeque<L>,
}

struct Jobs<J> {
    permits: usize,
    waiting: VecDeque<J>,
}

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next<T, L, J> {
    /// Do this job, then call [`Queue::charge`].
    Job(Lane<T, L>, J),
    /// Only tenants that took much time have jobs. Ask again after this time, or when a job arrives.
    Wait(Duration),
    /// No job has a turn.
    Nothing,
}

/// The number of taken permits and of waiting jobs.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Given back by those who work.
    pub permits: usize,
    /// Jobs without a permit.
    pub waiting: usize,
}

impl<T: Key, L: Key, J> Queue<T, L, J> {
    /// An empty queue.
    pub fn new(limits: Limits) -> Self {
        let shares = Shares::new(Instant::now());
        Self { limits, count: Count::default(), shares, tenants: HashMap::new(), turns: VecDeque::new() }
    }

    /// The counts of all tenants together.
    pub fn count(&self) -> Count {
        self.count
    }

    /// Whether [`Self::pop_with_permit`] would return a job.
    pub fn has_turn(&self) -> bool {
        self.place_with_room().is_some()
    }

    /// The first tenant in the order of turns that may have one more permit.
    fn place_with_room(&self) -> Option<usize> {
        if self.count.permits >= self.limits.permits.all {
            return None;
        }
        let one = Count { permits: 1, ..Count::default() };
        self.turns.iter().position(|turn| {
            let tenant = self.tenants.get(turn);
            let lane = tenant.and_then(|tenant| tenant.lanes.get(tenant.turns.front()?));
            let (lane, tenant) = (lane.map(Jobs::count), tenant.map(|tenant| tenant.count));
            let of_tenant = turn.as_ref().map(|_| tenant.unwrap_or_default().plus(one));
            self.limits.check(lane.unwrap_or_default().plus(one), of_tenant, self.count.plus(one)).is_ok()
        })
    }

    /// Adds a job.
    ///
    /// # Errors
    /// The exceeded limit of waiting jobs.
    pub fn push(&mut self, lane: &Lane<T, L>, job: J) -> Result<(), Overloaded> {
        let one = Count { waiting: 1, ..Count::default() };
        self.update(lane.clone(), one, |jobs| jobs.waiting.push_back(job))
    }

    /// The next job by the time that tenants took.
    pub fn pop(&mut self, now: Instant) -> Next<T, L, J> {
        let Some(place) = self.place_of_next(now) else { return Next::Nothing };
        if let Some(Some(tenant)) = self.turns.get(place)
            && !self.shares.is_light(tenant, now)
        {
            let wait = self.shares.wait(tenant, now);
            if !wait.is_zero() {
                return Next::Wait(wait);
            }
        }
        self.take(place).map_or(Next::Nothing, |(lane, job)| Next::Job(lane, job))
    }

    /// As [`Self::pop`], but no tenant leaves time free.
    pub(crate) fn pop_now(&mut self, now: Instant) -> Option<(Lane<T, L>, J)> {
        self.take(self.place_of_next(now)?)
    }

    /// The next job of the turn at this place.
    fn take(&mut self, place: usize) -> Option<(Lane<T, L>, J)> {
        let lane = self.next(place)?;
        let job = self.change(lane.clone(), |jobs| jobs.waiting.pop_front()).flatten()?;
        Some((lane, job))
    }

    /// Charges a tenant for the time of a job. The service is never charged.
    pub fn charge(&mut self, tenant: Option<&T>, time: Duration, now: Instant) {
        if let Some(tenant) = tenant {
            self.shares.charge(tenant, time, now);
        }
    }

    /// The next job whose lane may have one more permit. The lane has the permit until [`Self::give_back`].
    pub fn pop_with_permit(&mut self) -> Option<(Lane<T, L>, J)> {
        let lane = self.next(self.place_with_room()?)?;
        let job = self.change(lane.clone(), |jobs| {
            jobs.permits += 1;
            jobs.waiting.pop_front()
        });
        Some((lane, job??))
    }

    /// Takes permits, unless a job waits for one of them.
    ///
    /// # Errors
    /// The exceeded limit of permits.
    pub fn take_permits(&mut self, lane: &Lane<T, L>, permits: usize) -> Result<(), Overloaded> {
        if self.has_turn() {
            return Err(Overloaded::All);
        }
        self.update(lane.clone(), Count { permits, waiting: 0 }, |jobs| jobs.permits += permits)
    }

    /// Returns permits of a lane, which may get a turn again.
    pub fn give_back(&mut self, lane: &Lane<T, L>, permits: usize) {
        self.change(lane.clone(), |jobs| jobs.permits = jobs.permits.saturating_sub(permits));
    }

    /// Takes more jobs of a lane at once, the oldest first.
    pub fn drain(&mut self, lane: &Lane<T, L>, most: usize) -> Vec<J> {
        let drained =
            self.change(lane.clone(), |jobs| jobs.waiting.drain(..most.min(jobs.waiting.len())).collect());
        drained.unwrap_or_default()
    }

    /// Removes the jobs of a lane that are not kept.
    pub fn retain(&mut self, lane: &Lane<T, L>, keep: impl FnMut(&J) -> bool) {
        self.change(lane.clone(), |jobs| jobs.waiting.retain(keep));
    }

    /// The first light tenant or service in the order of turns. Without one, the tenant with the smallest debt.
    fn place_of_next(&self, now: Instant) -> Option<usize> {
        let debts = || {
            self.turns
                .iter()
                .map(|turn| turn.as_ref().map_or(Duration::ZERO, |tenant| self.shares.debt(tenant, now)))
        };
        let is_light =
            |turn: &Option<T>| turn.as_ref().is_none_or(|tenant| self.shares.is_light(tenant, now));
        let light = self.turns.iter().position(is_light);
        light.or_else(|| debts().enumerate().min_by_key(|(_, debt)| *debt).map(|(place, _)| place))
    }

    /// The lane of the turn at this place. It and its tenant then go to the end.
    fn next(&mut self, place: usize) -> Option<Lane<T, L>> {
        let tenant = self.turns.remove(place)?;
        self.turns.push_back(tenant.clone());
        let lanes = &mut self.tenants.get_mut(&tenant)?.turns;
        let name = lanes.front()?.clone();
        lanes.rotate_left(1);
        Some(Lane { tenant, name })
    }

    /// A change that needs no room.
    fn change<R>(&mut self, at: Lane<T, L>, change: impl FnOnce(&mut Jobs<J>) -> R) -> Option<R> {
        self.update(at, Count::default(), change).ok()
    }

    /// Changes a lane if the limits leave room for `more`, then updates the counts and turns.
    fn update<R>(
        &mut self,
        at: Lane<T, L>,
        more: Count,
        change: impl FnOnce(&mut Jobs<J>) -> R,
    ) -> Result<R, Overloaded> {
        let is_tenant = at.tenant.is_some();
        let (of_lane, of_tenant) = (self.limits.permits.lane, self.limits.permits_of(is_tenant));
        let mut tenant = occupied(self.tenants.entry(at.tenant));
        let tenant_had_turn = tenant.get().has_turn(of_tenant);
        let Tenant { count, lanes, turns } = tenant.get_mut();
        let mut lane = occupied(lanes.entry(at.name));
        let (before, lane_had_turn) = (lane.get().count(), lane.get().has_turn(of_lane));
        let count_of_tenant = is_tenant.then(|| count.plus(more));
        let room = match more {
            Count { permits: 0, waiting: 0 } => Ok(()),
            _ => self.limits.check(before.plus(more), count_of_tenant, self.count.plus(more)),
        };
        let changed = room.map(|()| change(lane.get_mut()));
        let after = lane.get().count();
        set_turn(turns, lane.key(), lane_had_turn, lane.get().has_turn(of_lane));
        if after == Count::default() {
            lane.remove();
        }
        *count = count.minus(before).plus(after);
        self.count = self.count.minus(before).plus(after);
        set_turn(&mut self.turns, tenant.key(), tenant_had_turn, tenant.get().has_turn(of_tenant));
        if tenant.get().count == Count::default() {
            tenant.remove();
        }
        changed
    }
}

fn occupied<K, V: Default>(entry: Entry<'_, K, V>) -> OccupiedEntry<'_, K, V> {
    match entry {
        Entry::Occupied(entry) => entry,
        Entry::Vacant(entry) => entry.insert_entry(V::default()),
    }
}

/// Searches from the back: a key that leaves has usually just had its turn.
fn set_turn<K: Key>(turns: &mut VecDeque<K>, key: &K, before: bool, after: bool) {
    if after && !before {
        turns.push_back(key.clone());
    } else if before && !after {
        let place = turns.iter().rposition(|other| other == key);
        place.and_then(|place| turns.remove(place));
    }
}

impl<L, J> Tenant<L, J> {
    fn has_turn(&self, max_permits: usize) -> bool {
        !self.turns.is_empty() && self.count.permits < max_permits
    }
}

impl<L, J> Default for Tenant<L, J> {
    fn default() -> Self {
        Self { count: Count::default(), lanes: HashMap::new(), turns: VecDeque::new() }
    }
}

impl<J> Jobs<J> {
    fn count(&self) -> Count {
        Count { permits: self.permits, waiting: self.waiting.len() }
    }

    fn has_turn(&self, max_permits: usize) -> bool {
        !self.waiting.is_empty() && self.permits < max_permits
    }
}

impl<J> Default for Jobs<J> {
    fn default() -> Self {
        Self { permits: 0, waiting: VecDeque::new() }
    }
}

impl Count {
    fn plus(self, more: Self) -> Self {
        Self {
            permits: self.permits.saturating_add(more.permits),
            waiting: self.waiting.saturating_add(more.waiting),
        }
    }

    fn minus(self, less: Self) -> Self {
        Self {
            permits: self.permits.saturating_sub(less.permits),
            waiting: self.waiting.saturating_sub(less.waiting),
        }
    }
}
