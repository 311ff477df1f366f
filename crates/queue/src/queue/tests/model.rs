//! The same queue as lists that are searched from beginning to end: the tenant and the lane that have had their turn for
//! the longest time are next.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

type Place = Lane<&'static str, usize>;

#[derive(Debug, Clone)]
pub(super) enum Step {
    Push(Place),
    Pop,
    PopWithPermit,
    Take(Place),
    /// Of the permits that are taken, one.
    GiveBack(Index),
    Drain(Place, usize),
    ForgetOdd(Place),
}

/// What comes of a step: whether there was room, and the jobs that came out.
pub(super) type Outcome = (Result<(), Overloaded>, Vec<usize>);

pub(super) fn limits() -> impl Strategy<Value = Limits> {
    let bounds =
        || (1_usize..9, 1_usize..6, 1_usize..4).prop_map(|(all, tenant, lane)| Bounds { all, tenant, lane });
    (bounds(), bounds()).prop_map(|(permits, waiting)| Limits { permits, waiting })
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let tenants = vec![None, Some("a"), Some("b"), Some("c")];
    let place = move || {
        (prop::sample::select(tenants.clone()), 0_usize..3).prop_map(|(tenant, name)| Lane { tenant, name })
    };
    prop_oneof![
        6 => place().prop_map(Step::Push),
        1 => Just(Step::Pop),
        3 => Just(Step::PopWithPermit),
        2 => place().prop_map(Step::Take),
        4 => any::<Index>().prop_map(Step::GiveBack),
        1 => (place(), 0_usize..3).prop_map(|(place, most)| Step::Drain(place, most)),
        1 => place().prop_map(Step::ForgetOdd),
    ]
}

/// Takes the step on the queue.
pub(super) fn take(
    queue: &mut Queue<&'static str, usize, usize>,
    step: &Step,
    job: usize,
    given_back: Option<&Place>,
) -> Outcome {
    match step {
        Step::Push(place) => return (queue.push(place, job), vec![]),
        Step::Pop => return (Ok(()), queue.pop().into_iter().collect()),
        Step::PopWithPermit => {
            return (Ok(()), queue.pop_with_permit().into_iter().map(|(_, job)| job).collect());
        }
        Step::Take(place) => return (queue.take_permits(place, 1), vec![]),
        Step::GiveBack(_) => given_back.into_iter().for_each(|place| queue.give_back(place, 1)),
        Step::Drain(place, most) => return (Ok(()), queue.drain(place, *most)),
        Step::ForgetOdd(place) => queue.retain(place, |job| job % 2 == 0),
    }
    (Ok(()), vec![])
}

pub(super) struct Model {
    limits: Limits,
    /// In the order of arrival.
    waiting: Vec<(Place, usize)>,
    /// A lane for each permit.
    pub(super) permits: Vec<Place>,
    steps: usize,
    /// Since which step tenants and lanes have had their turn.
    tenants: HashMap<Option<&'static str>, usize>,
    lanes: HashMap<Place, usize>,
}

impl Model {
    pub(super) fn new(limits: Limits) -> Self {
        let (tenants, lanes) = (HashMap::new(), HashMap::new());
        Self { limits, waiting: Vec::new(), permits: Vec::new(), steps: 0, tenants, lanes }
    }

    pub(super) fn count(&self, is_counted: impl Fn(&Place) -> bool) -> Count {
        Count {
            permits: self.permits.iter().filter(|place| is_counted(place)).count(),
            waiting: self.waiting.iter().filter(|(place, _)| is_counted(place)).count(),
        }
    }

    /// The lane whose permit the step gives back, if it gives one back.
    pub(super) fn gives_back(&self, step: &Step) -> Option<Place> {
        match step {
            Step::GiveBack(index) if !self.permits.is_empty() => Some(index.get(&self.permits).clone()),
            _ => None,
        }
    }

    pub(super) fn take(&mut self, step: &Step, job: usize, given_back: Option<&Place>) -> Outcome {
        self.steps += 1;
        let outcome = match step {
            Step::Push(place) => (self.push(place, job), vec![]),
            Step::Pop => (Ok(()), self.pop(false)),
            Step::PopWithPermit => (Ok(()), self.pop(true)),
            Step::Take(place) => (self.take_permit(place), vec![]),
            Step::GiveBack(_) => {
                let taken = self.permits.iter().position(|place| Some(place) == given_back);
                taken.map(|taken| self.permits.swap_remove(taken));
                (Ok(()), vec![])
            }
            Step::Drain(place, most) => {
                let theirs = self.waiting.iter().filter(|(of, _)| of == place).take(*most);
                let drained: Vec<usize> = theirs.map(|(_, job)| *job).collect();
                self.waiting.retain(|(_, job)| !drained.contains(job));
                (Ok(()), drained)
            }
            Step::ForgetOdd(place) => {
                self.waiting.retain(|(of, job)| of != place || job % 2 == 0);
                (Ok(()), vec![])
            }
        };
        self.note_turns();
        outcome
    }

    fn push(&mut self, place: &Place, job: usize) -> Result<(), Overloaded> {
        self.room(place, Count { permits: 0, waiting: 1 })?;
        self.waiting.push((place.clone(), job));
        Ok(())
    }

    fn take_permit(&mut self, place: &Place) -> Result<(), Overloaded> {
        if self.has_turn() {
            return Err(Overloaded::All);
        }
        self.room(place, Count { permits: 1, waiting: 0 })?;
        self.permits.push(place.clone());
        Ok(())
    }

    /// The narrowest limit that leaves no room.
    fn room(&self, place: &Place, more: Count) -> Result<(), Overloaded> {
        let Limits { permits, waiting } = self.limits;
        let fits = |count: Count, permits, waiting| {
            count.permits + more.permits <= permits && count.waiting + more.waiting <= waiting
        };
        if !fits(self.count(|other| other == place), permits.lane, waiting.lane) {
            return Err(Overloaded::Lane);
        }
        let of_tenant = self.count(|other| other.tenant == place.tenant);
        if place.tenant.is_some() && !fits(of_tenant, permits.tenant, waiting.tenant) {
            return Err(Overloaded::Tenant);
        }
        if fits(self.count(|_| true), permits.all, waiting.all) { Ok(()) } else { Err(Overloaded::All) }
    }

    /// Whether a permit is free that a job waits for.
    fn has_turn(&self) -> bool {
        self.permits.len() < self.limits.permits.all && !self.tenants.is_empty()
    }

    fn pop(&mut self, with_permit: bool) -> Vec<usize> {
        if with_permit && !self.has_turn() {
            return vec![];
        }
        let Some((&tenant, _)) = self.tenants.iter().min_by_key(|(_, since)| **since) else { return vec![] };
        let lanes = self.lanes.iter().filter(|(place, _)| place.tenant == tenant);
        let place = lanes.min_by_key(|(_, since)| **since).unwrap().0.clone();
        let oldest = self.waiting.iter().position(|(of, _)| *of == place).unwrap();
        self.permits.extend(with_permit.then(|| place.clone()));
        self.tenants.remove(&tenant);
        self.lanes.remove(&place);
        vec![self.waiting.remove(oldest).1]
    }

    fn note_turns(&mut self) {
        let lane_has_turn = |place: &Place| {
            let count = self.count(|other| other == place);
            count.waiting > 0 && count.permits < self.limits.permits.lane
        };
        let lanes: Vec<Place> = self.waiting.iter().map(|(place, _)| place.clone()).collect();
        let lanes: Vec<Place> = lanes.into_iter().filter(lane_has_turn).collect();
        let is_below = |tenant: Option<&str>| {
            tenant.is_none() || self.count(|of| of.tenant == tenant).permits < self.limits.permits.tenant
        };
        let tenants = lanes.iter().map(|place| place.tenant).filter(|tenant| is_below(*tenant));
        let tenants: Vec<_> = tenants.collect();
        self.lanes.retain(|place, _| lanes.contains(place));
        self.tenants.retain(|tenant, _| tenants.contains(tenant));
        for place in lanes {
            self.lanes.entry(place).or_insert(self.steps);
        }
        for tenant in tenants {
            self.tenants.entry(tenant).or_insert(self.steps);
        }
    }
}
