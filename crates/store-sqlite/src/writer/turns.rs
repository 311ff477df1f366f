//! What waits for the writer: tenants take turns, whatever their number of users.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::Arc;

use super::Lane;
use super::lanes::{Full, Lanes};

/// How many writes wait at most. Bounds memory, and how long the last of them waits.
pub(super) const MAX_WAITING_JOBS: usize = 4_096;

/// The lanes of each tenant, and those of the service itself. A tenant gives one job per turn; it goes when
/// its last job does.
pub(super) struct Turns<J> {
    tenants: HashMap<Option<Arc<str>>, Lanes<J>>,
    /// The tenants that have jobs, the next one first.
    order: VecDeque<Option<Arc<str>>>,
    waiting: usize,
}

impl<J> Turns<J> {
    pub(super) fn new() -> Self {
        Self { tenants: HashMap::new(), order: VecDeque::new(), waiting: 0 }
    }

    pub(super) fn push(&mut self, lane: Lane, job: J) -> Result<(), Full> {
        if self.waiting >= MAX_WAITING_JOBS {
            return Err(Full);
        }
        match self.tenants.entry(lane.tenant_id().cloned()) {
            Entry::Vacant(place) => {
                self.order.push_back(place.key().clone());
                place.insert(Lanes::new()).push(lane, job)?;
            }
            Entry::Occupied(mut place) => place.get_mut().push(lane, job)?,
        }
        self.waiting += 1;
        Ok(())
    }

    /// The next job of the tenant whose turn it is.
    pub(super) fn pop(&mut self) -> Option<J> {
        let Entry::Occupied(mut place) = self.tenants.entry(self.order.pop_front()?) else { return None };
        let job = place.get_mut().pop()?;
        self.waiting -= 1;
        if place.get().is_empty() {
            place.remove();
        } else {
            self.order.push_back(place.key().clone());
        }
        Some(job)
    }

    /// How many jobs wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::UserId;

    use super::super::lanes::MAX_JOBS_PER_TENANT;
    use super::*;

    fn user(tenant: &str, user: usize) -> Lane {
        Lane::user(&tenant.into(), &UserId::new(user.to_string()).unwrap())
    }

    fn drain(turns: &mut Turns<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| turns.pop()).collect()
    }

    #[test]
    fn a_tenant_of_many_users_gets_no_more_turns_than_one_of_few() {
        let mut turns = Turns::new();
        for number in 0..1_000 {
            turns.push(user("large", number), "large").unwrap();
        }
        for lane in [user("small", 1), user("small", 1), Lane::tenant(&"small".into()), Lane::Service] {
            let job = if lane == Lane::Service { "service" } else { "small" };
            turns.push(lane, job).unwrap();
        }
        let order = drain(&mut turns);
        let begin = ["large", "small", "service", "large", "small", "large", "small", "large", "large"];
        assert_eq!(order[..9], begin);
        assert_eq!(order.len(), 1_004);
    }

    #[test]
    fn a_full_tenant_refuses_and_another_takes() {
        let mut turns = Turns::new();
        for number in 0..MAX_JOBS_PER_TENANT {
            turns.push(user("a", number), "a").unwrap();
        }
        assert_eq!(turns.push(user("a", MAX_JOBS_PER_TENANT), "late"), Err(Full));
        assert_eq!(turns.push(Lane::tenant(&"a".into()), "late"), Err(Full));
        turns.push(user("b", 1), "b").unwrap();
        turns.pop().unwrap();
        turns.push(user("a", 0), "in time").unwrap();
    }

    #[test]
    fn all_tenants_together_are_bounded_and_given_back() {
        let mut turns = Turns::new();
        for number in 0..MAX_WAITING_JOBS {
            turns.push(user(&(number % 3).to_string(), number), "job").unwrap();
        }
        assert_eq!(turns.waiting(), MAX_WAITING_JOBS);
        assert_eq!(turns.push(user("new", 1), "late"), Err(Full));
        assert_eq!(drain(&mut turns).len(), MAX_WAITING_JOBS);
        let is_empty = turns.tenants.is_empty() && turns.order.is_empty() && turns.waiting() == 0;
        assert!(is_empty, "nothing is kept of tenants that are done");
        turns.push(user("new", 1), "in time").unwrap();
    }
}
