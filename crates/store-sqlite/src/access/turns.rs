//! Who reads for long, and who waits for it: tenants take turns.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// A tenant; none for the service itself.
pub(super) type Whose = Option<Arc<str>>;

/// How many long reads run and wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// How many run at once. Bounds connections and their memory.
    pub(super) reading: usize,
    /// How many of these are of one tenant: there is always a place that another need not wait for, and a core
    /// that is left to what is quick.
    pub(super) reading_of_tenant: usize,
    /// How many of one tenant wait. Some milliseconds each: the last one waits for some tenths of a second, and
    /// whoever is refused knows so at once.
    pub(super) waiting_of_tenant: usize,
}

impl Bounds {
    /// Those of a machine with so many cores.
    pub(super) fn with_cores(cores: usize) -> Self {
        let reading = cores.clamp(2, 8);
        Self { reading, reading_of_tenant: reading - 1, waiting_of_tenant: 48 }
    }

    fn most_reading(&self, whose: &Whose) -> usize {
        if whose.is_some() { self.reading_of_tenant } else { self.reading }
    }
}

/// Too many of the tenant wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// Counts who reads, and keeps who waits.
pub(super) struct Turns<W> {
    bounds: Bounds,
    reading: usize,
    tenants: HashMap<Whose, Tenant<W>>,
    /// Those for whom somebody waits, the next one first.
    order: VecDeque<Whose>,
}

struct Tenant<W> {
    reading: usize,
    waiting: VecDeque<W>,
}

impl<W> Turns<W> {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { bounds, reading: 0, tenants: HashMap::new(), order: VecDeque::new() }
    }

    /// Takes a place for somebody, if there is one that nobody waits for.
    pub(super) fn enter(&mut self, whose: &Whose) -> bool {
        if self.reading >= self.bounds.reading {
            return false;
        }
        let tenant = self.tenants.entry(whose.clone()).or_insert_with(Tenant::new);
        if tenant.reading >= self.bounds.most_reading(whose) {
            return false;
        }
        tenant.reading += 1;
        self.reading += 1;
        true
    }

    /// Lets somebody wait. Where it is full, those who are gone make room first.
    pub(super) fn wait(
        &mut self,
        whose: &Whose,
        waiter: W,
        is_gone: impl Fn(&W) -> bool,
    ) -> Result<(), Full> {
        let Tenant { waiting, .. } = self.tenants.entry(whose.clone()).or_insert_with(Tenant::new);
        if whose.is_some() && waiting.len() >= self.bounds.waiting_of_tenant {
            waiting.retain(|waiter| !is_gone(waiter));
            if waiting.len() >= self.bounds.waiting_of_tenant {
                return Err(Full);
            }
        }
        waiting.push_back(waiter);
        if !self.order.contains(whose) {
            self.order.push_back(whose.clone());
        }
        Ok(())
    }

    /// Gives back a place.
    pub(super) fn leave(&mut self, whose: &Whose) {
        self.reading = self.reading.saturating_sub(1);
        if let Some(tenant) = self.tenants.get_mut(whose) {
            tenant.reading = tenant.reading.saturating_sub(1);
            if tenant.reading == 0 && tenant.waiting.is_empty() {
                self.tenants.remove(whose);
            }
        }
    }

    /// Takes a place for the next who waits: the oldest of the tenant whose turn it is and who may read more.
    pub(super) fn next(&mut self) -> Option<(Whose, W)> {
        if self.reading >= self.bounds.reading {
            return None;
        }
        let (tenants, bounds) = (&self.tenants, &self.bounds);
        let may_read =
            |whose: &Whose| tenants.get(whose).is_some_and(|one| one.reading < bounds.most_reading(whose));
        let place = self.order.iter().position(may_read)?;
        let whose = self.order.remove(place)?;
        let tenant = self.tenants.get_mut(&whose)?;
        let waiter = tenant.waiting.pop_front()?;
        tenant.reading += 1;
        self.reading += 1;
        if !tenant.waiting.is_empty() {
            self.order.push_back(whose.clone());
        }
        Some((whose, waiter))
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.tenants.values().map(|tenant| tenant.waiting.len()).sum()
    }
}

impl<W> Tenant<W> {
    fn new() -> Self {
        Self { reading: 0, waiting: VecDeque::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { reading: 4, reading_of_tenant: 3, waiting_of_tenant: 48 };

    fn wait(turns: &mut Turns<u32>, name: &str, number: u32) {
        turns.wait(&Some(name.into()), number, |_| false).unwrap();
    }

    fn next(turns: &mut Turns<u32>) -> Option<u32> {
        turns.next().map(|(_, number)| number)
    }

    #[test]
    fn a_tenant_leaves_a_place_for_another() {
        let mut turns: Turns<u32> = Turns::new(BOUNDS);
        let entered = (0..BOUNDS.reading).filter(|_| turns.enter(&Some("a".into()))).count();
        assert_eq!(entered, BOUNDS.reading_of_tenant);
        wait(&mut turns, "a", 1);
        assert_eq!(next(&mut turns), None);
        assert!(turns.enter(&Some("b".into())));
        assert!(!turns.enter(&None), "all places are taken");
        turns.leave(&Some("a".into()));
        assert_eq!(next(&mut turns), Some(1));
    }

    #[test]
    fn tenants_take_turns_and_each_keeps_its_order() {
        let mut turns = Turns::new(BOUNDS);
        assert!((0..BOUNDS.reading).all(|_| turns.enter(&None)));
        for (name, number) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
            wait(&mut turns, name, number);
        }
        assert_eq!(turns.waiting(), 6);
        let mut order = Vec::new();
        turns.leave(&None);
        while let Some((whose, number)) = turns.next() {
            order.push(number);
            turns.leave(&whose);
        }
        assert_eq!(order, [1, 4, 5, 2, 6, 3]);
        assert!(turns.order.is_empty() && turns.waiting() == 0);
        (0..BOUNDS.reading - 1).for_each(|_| turns.leave(&None));
        assert!(turns.tenants.is_empty() && turns.reading == 0, "nothing is kept of those who are done");
    }

    #[test]
    fn a_full_tenant_is_refused_and_another_waits() {
        let mut turns = Turns::new(BOUNDS);
        for number in 0..48 {
            wait(&mut turns, "a", number);
        }
        assert_eq!(turns.wait(&Some("a".into()), 64, |_| false), Err(Full));
        wait(&mut turns, "b", 65);
        turns.wait(&Some("a".into()), 66, |number| *number == 7).unwrap();
        assert_eq!(turns.waiting(), 49);
        for number in 0..100 {
            turns.wait(&None, number, |_| false).unwrap();
        }
    }

    #[test]
    fn a_tenant_leaves_a_core_to_what_is_quick() {
        for (cores, reading, of_tenant) in [(1, 2, 1), (2, 2, 1), (4, 4, 3), (64, 8, 7)] {
            let bounds = Bounds::with_cores(cores);
            assert_eq!((bounds.reading, bounds.reading_of_tenant), (reading, of_tenant), "{cores}");
        }
    }
}
