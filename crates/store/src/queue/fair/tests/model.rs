//! The same queue as plain lists: the tenant and the lane whose last turn is the longest ago are next.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

type AnyLane = Lane<&'static str, usize>;

#[derive(Debug, Clone)]
pub(super) enum Step {
    Push(AnyLane),
    Pop,
    PopWithPermit,
    Take(AnyLane),
    /// One of the taken permits.
    GiveBack(Index),
    Drain(AnyLane, usize),
    ForgetOdd(AnyLane),
}

/// The result of a step: whether there was room, and the jobs that came out.
pub(super) type Outcome = (Result<(), Overloaded>, Vec<usize>);

pub(super) fn limits() -> impl Strategy<Value = Limits> {
    let bounds =
        || (1_usize..9, 1_usize..6, 1_usize..4).prop_map(|(all, tenant, lane)| Bounds { all, tenant, lane });
    (bounds(), bounds()).prop_map(|(permits, waiting)| Limits { permits, waiting, leaves_room: false })
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let tenants = vec![None, Some("a"), Some("b"), Some("c")];
    let lane = move || {
        (prop::sample::select(tenants.clone()), 0_usize..3).prop_map(|(tenant, name)| Lane { tenant, name })
    };
    prop_oneof![
        6 => lane().prop_map(Step::Push),
        1 => Just(Step::Pop),
        3 => Just(Step::PopWithPermit),
        2 => lane().prop_map(Step::Take),
        4 => any::<Index>().prop_map(Step::GiveBack),
        1 => (lane(), 0_usize..3).prop_map(|(lane, most)| Step::Drain(lane, most)),
        1 => lane().prop_map(Step::ForgetOdd),
    ]
}

/// Takes the step on the queue.
pub(super) fn take(
    queue: &mut Queue<&'static str, usize, usize>,
    step: &Step,
    job: usize,
    given_back: Option<&AnyLane>,
) -> Outcome {
    match step {
        Step::Push(lane) => return (queue.push(lane, job), vec![]),
        Step::Pop => return (Ok(()), popped(queue).into_iter().collect()),
        Step::PopWithPermit => {
            return (Ok(()), queue.pop_with_permit().into_iter().map(|(_, job)| job).collect());
        }
        Step::Take(lane) => return (queue.take_permits(lane, 1), vec![]),
        Step::GiveBack(_) => given_back.into_iter().for_each(|lane| queue.give_back(lane, 1)),
        Step::Drain(lane, most) => return (Ok(()), queue.drain(lane, *most)),
        Step::ForgetOdd(lane) => queue.retain(lane, |job| job % 2 == 0),
    }
    (Ok(()), vec![])
}

pub(super) struct Model {
    limits: Limits,
    /// In the order of arrival.
    waiting: Vec<(AnyLane, usize)>,
    pub(super) permits: Vec<AnyLane>,
    steps: usize,
    /// The step of the last turn of tenants and lanes.
    tenants: HashMap<Option<&'static str>, usize>,
    lanes: HashMap<AnyLane, usize>,
}

impl Model {
    pub(super) fn new(limits: Limits) -> Self {
        let (tenants, lanes) = (HashMap::new(), HashMap::new());
        Self { limits, waiting: Vec::new(), permits: Vec::new(), steps: 0, tenants, lanes }
    }

    pub(super) fn count(&self, is_counted: impl Fn(&AnyLane) -> bool) -> Count {
        Count {
            permits: self.permits.iter().filter(|lane| is_counted(lane)).count(),
            waiting: self.waiting.iter().filter(|(lane, _)| is_counted(lane)).count(),
        }
    }

    /// The lane whose permit the step returns, if any.
    pub(super) fn gives_back(&self, step: &Step) -> Option<AnyLane> {
        match step {
            Step::GiveBack(index) if !self.permits.is_empty() => Some(index.get(&self.permits).clone()),
            _ => None,
        }
    }

    pub(super) fn take(&mut self, step: &Step, job: usize, given_back: Option<&AnyLane>) -> Outcome {
        self.steps += 1;
        let outcome = match step {
            Step::Push(lane) => (self.push(lane, job), vec![]),
            Step::Pop => (Ok(()), self.pop(false)),
            Step::PopWithPermit => (Ok(()), self.pop(true)),
            Step::Take(lane) => (self.take_permit(lane), vec![]),
            Step::GiveBack(_) => {
                let taken = self.permits.iter().position(|lane| Some(lane) == given_back);
                taken.map(|taken| self.permits.swap_remove(taken));
                (Ok(()), vec![])
            }
            Step::Drain(lane, most) => {
                let theirs = self.waiting.iter().filter(|(of, _)| of == lane).take(*most);
                let drained: Vec<usize> = theirs.map(|(_, job)| *job).collect();
                self.waiting.retain(|(_, job)| !drained.contains(job));
                (Ok(()), drained)
            }
            Step::ForgetOdd(lane) => {
                self.waiting.retain(|(of, job)| of != lane || job % 2 == 0);
                (Ok(()), vec![])
            }
        };
        self.note_turns();
        outcome
    }

    fn push(&mut self, lane: &AnyLane, job: usize) -> Result<(), Overloaded> {
        self.room(lane, Count { permits: 0, waiting: 1 })?;
        self.waiting.push((lane.clone(), job));
        Ok(())
    }

    fn take_permit(&mut self, lane: &AnyLane) -> Result<(), Overloaded> {
        if self.has_turn() {
            return Err(Overloaded::All);
        }
        self.room(lane, Count { permits: 1, waiting: 0 })?;
        self.permits.push(lane.clone());
        Ok(())
    }

    /// The narrowest exceeded limit.
    fn room(&self, lane: &AnyLane, more: Count) -> Result<(), Overloaded> {
        let Limits { permits, waiting, .. } = self.limits;
        let fits = |count: Count, permits, waiting| {
            count.permits + more.permits <= permits && count.waiting + more.waiting <= waiting
        };
        if !fits(self.count(|other| other == lane), permits.lane, waiting.lane) {
            return Err(Overloaded::Lane);
        }
        let of_tenant = self.count(|other| other.tenant == lane.tenant);
        if lane.tenant.is_some() && !fits(of_tenant, permits.tenant, waiting.tenant) {
            return Err(Overloaded::Tenant);
        }
        if fits(self.count(|_| true), permits.all, waiting.all) { Ok(()) } else { Err(Overloaded::All) }
    }

    /// Whether a job waits for a free permit.
    fn has_turn(&self) -> bool {
        self.permits.len() < self.limits.permits.all && !self.tenants.is_empty()
    }

    fn pop(&mut self, with_permit: bool) -> Vec<usize> {
        if with_permit && !self.has_turn() {
            return vec![];
        }
        let Some((&tenant, _)) = self.tenants.iter().min_by_key(|(_, since)| **since) else { return vec![] };
        let lanes = self.lanes.iter().filter(|(lane, _)| lane.tenant == tenant);
        let lane = lanes.min_by_key(|(_, since)| **since).unwrap().0.clone();
        let oldest = self.waiting.iter().position(|(of, _)| *of == lane).unwrap();
        self.permits.extend(with_permit.then(|| lane.clone()));
        self.tenants.remove(&tenant);
        self.lanes.remove(&lane);
        vec![self.waiting.remove(oldest).1]
    }

    fn note_turns(&mut self) {
        let lane_has_turn = |lane: &AnyLane| {
            let count = self.count(|other| other == lane);
            count.waiting > 0 && count.permits < self.limits.permits.lane
        };
        let lanes: Vec<AnyLane> = self.waiting.iter().map(|(lane, _)| lane.clone()).collect();
        let lanes: Vec<AnyLane> = lanes.into_iter().filter(lane_has_turn).collect();
        let is_below = |tenant: Option<&str>| {
            tenant.is_none() || self.count(|of| of.tenant == tenant).permits < self.limits.permits.tenant
        };
        let tenants = lanes.iter().map(|lane| lane.tenant).filter(|tenant| is_below(*tenant));
        let tenants: Vec<_> = tenants.collect();
        self.lanes.retain(|lane, _| lanes.contains(lane));
        self.tenants.retain(|tenant, _| tenants.contains(tenant));
        for lane in lanes {
            self.lanes.entry(lane).or_insert(self.steps);
        }
        for tenant in tenants {
            self.tenants.entry(tenant).or_insert(self.steps);
        }
    }
}
