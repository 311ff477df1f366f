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

    /// Takes the step on both: what came of it here and there.
    pub(super) fn step(
        &mut self,
        step: &Step,
        job: usize,
        queue: &mut Queue<&'static str, usize, usize>,
    ) -> [Outcome; 2] {
        self.steps += 1;
        let came_out = |jobs: Vec<usize>| (Ok(()), jobs);
        let outcomes = match step {
            Step::Push(place) => {
                let room = self.room(place, Count { permits: 0, waiting: 1 });
                self.waiting.extend(room.is_ok().then(|| (place.clone(), job)));
                [(queue.push(place, job), vec![]), (room, vec![])]
            }
            Step::Pop => [queue.pop().into_iter().collect(), self.pop(false)].map(came_out),
            Step::PopWithPermit => {
                let popped = queue.pop_with_permit().map(|(_, job)| job);
                [popped.into_iter().collect(), self.pop(true)].map(came_out)
            }
            Step::Take(place) => {
                let room = if self.has_turn() {
                    Err(Overloaded::All)
                } else {
                    self.room(place, Count { permits: 1, waiting: 0 })
                };
                self.permits.extend(room.is_ok().then(|| place.clone()));
                [(queue.take_permits(place, 1), vec![]), (room, vec![])]
            }
            Step::GiveBack(index) => {
                if !self.permits.is_empty() {
                    let place = self.permits.swap_remove(index.index(self.permits.len()));
                    queue.give_back(&place, 1);
                }
                [vec![], vec![]].map(came_out)
            }
            Step::Drain(place, most) => {
                let theirs = self.waiting.iter().filter(|(of, _)| of == place).take(*most);
                let drained: Vec<usize> = theirs.map(|(_, job)| *job).collect();
                self.waiting.retain(|(_, job)| !drained.contains(job));
                [queue.drain(place, *most), drained].map(came_out)
            }
            Step::ForgetOdd(place) => {
                queue.retain(place, |job| job % 2 == 0);
                self.waiting.retain(|(of, job)| of != place || job % 2 == 0);
                [vec![], vec![]].map(came_out)
            }
        };
        self.note_turns();
        outcomes
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
        let is_below = |tenant: &Option<&str>| {
            tenant.is_none() || self.count(|of| of.tenant == *tenant).permits < self.limits.permits.tenant
        };
        let tenants: Vec<_> = lanes.iter().map(|place| place.tenant).filter(is_below).collect();
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
