//! What waits for the writer on behalf of one tenant, in lanes that take turns.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};

use super::Lane;
use super::turns::MAX_WAITING_JOBS;

/// How many writes wait in one lane at most: what a commit may take, so that a lane that is full is
/// still served within a few commits.
pub(super) const MAX_JOBS_PER_LANE: usize = 256;

/// How many writes wait in all lanes of a tenant at most: half of all that may wait, so that no tenant
/// takes the place of all others.
pub(super) const MAX_JOBS_PER_TENANT: usize = MAX_WAITING_JOBS / 2;

/// Whoever asked for more than may wait is told at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// One queue for each lane. A lane gives one job per turn; it goes when its last job does.
pub(super) struct Lanes<J> {
    jobs: HashMap<Lane, Jobs<J>>,
    /// The lanes that have jobs, the next one first.
    order: VecDeque<Lane>,
    waiting: usize,
}

/// What waits in one lane. Most lanes are those of users who write once: a lone job needs no list.
struct Jobs<J> {
    oldest: J,
    others: VecDeque<J>,
}

impl<J> Lanes<J> {
    pub(super) fn new() -> Self {
        Self { jobs: HashMap::new(), order: VecDeque::new(), waiting: 0 }
    }

    pub(super) fn push(&mut self, lane: Lane, job: J) -> Result<(), Full> {
        if self.waiting >= MAX_JOBS_PER_TENANT {
            return Err(Full);
        }
        match self.jobs.entry(lane) {
            Entry::Vacant(place) => {
                self.order.push_back(place.key().clone());
                place.insert(Jobs { oldest: job, others: VecDeque::new() });
            }
            Entry::Occupied(mut place) => {
                let others = &mut place.get_mut().others;
                if others.len() + 1 >= MAX_JOBS_PER_LANE {
                    return Err(Full);
                }
                others.push_back(job);
            }
        }
        self.waiting += 1;
        Ok(())
    }

    /// The oldest job of the lane whose turn it is.
    pub(super) fn pop(&mut self) -> Option<J> {
        let Entry::Occupied(mut place) = self.jobs.entry(self.order.pop_front()?) else { return None };
        self.waiting -= 1;
        let Jobs { oldest, others } = place.get_mut();
        Some(match others.pop_front() {
            Some(next) => {
                let oldest = std::mem::replace(oldest, next);
                self.order.push_back(place.key().clone());
                oldest
            }
            None => place.remove().oldest,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::UserId;

    use super::*;

    fn lane(user: &str) -> Lane {
        Lane::user(&"acme".into(), &UserId::new(user).unwrap())
    }

    fn drain(lanes: &mut Lanes<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| lanes.pop()).collect()
    }

    #[test]
    fn lanes_take_turns_and_each_keeps_its_order() {
        let mut lanes = Lanes::new();
        for (user, job) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")] {
            lanes.push(lane(user), job).unwrap();
        }
        assert_eq!(drain(&mut lanes), ["a1", "b1", "c1", "a2", "b2", "a3"]);
        lanes.push(lane("a"), "again").unwrap();
        assert_eq!(drain(&mut lanes), ["again"]);
    }

    #[test]
    fn a_full_lane_refuses_and_another_takes() {
        let mut lanes = Lanes::new();
        for _ in 0..MAX_JOBS_PER_LANE {
            lanes.push(lane("a"), "a").unwrap();
        }
        assert_eq!(lanes.push(lane("a"), "late"), Err(Full));
        lanes.push(lane("b"), "b").unwrap();
        lanes.pop().unwrap();
        lanes.push(lane("a"), "in time").unwrap();
    }

    #[test]
    fn the_lanes_of_a_tenant_are_bounded_together_and_given_back() {
        let mut lanes = Lanes::new();
        for user in 0..MAX_JOBS_PER_TENANT {
            lanes.push(lane(&user.to_string()), "job").unwrap();
        }
        assert_eq!(lanes.push(lane("new"), "late"), Err(Full));
        assert!(!lanes.is_empty());
        assert_eq!(drain(&mut lanes).len(), MAX_JOBS_PER_TENANT);
        assert!(lanes.jobs.is_empty() && lanes.order.is_empty(), "nothing is kept of lanes that are done");
        assert!(lanes.is_empty());
        lanes.push(lane("new"), "in time").unwrap();
    }
}
