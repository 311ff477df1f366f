//! What waits for the writer, in lanes that take turns.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};

use super::Lane;

/// How many writes wait in one lane at most: what a commit may take, so that a lane that is full is
/// still served within a few commits.
pub(super) const MAX_JOBS_PER_LANE: usize = 256;

/// How many writes wait in all lanes together at most. Bounds memory, and how long the last of them
/// waits.
pub(super) const MAX_WAITING_JOBS: usize = 4_096;

/// Whoever asked for more than may wait is told at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// One queue for each lane. A lane gives one job per turn; it goes when its last job does.
pub(super) struct Turns<J> {
    lanes: HashMap<Lane, Jobs<J>>,
    /// The lanes that have jobs, the next one first.
    order: VecDeque<Lane>,
    waiting: usize,
}

/// What waits in one lane. Most lanes are those of users who write once: a lone job needs no list.
struct Jobs<J> {
    oldest: J,
    others: VecDeque<J>,
}

impl<J> Turns<J> {
    pub(super) fn new() -> Self {
        Self { lanes: HashMap::new(), order: VecDeque::new(), waiting: 0 }
    }

    pub(super) fn push(&mut self, lane: Lane, job: J) -> Result<(), Full> {
        if self.waiting >= MAX_WAITING_JOBS {
            return Err(Full);
        }
        match self.lanes.entry(lane) {
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
        let Entry::Occupied(mut place) = self.lanes.entry(self.order.pop_front()?) else { return None };
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

    /// How many jobs wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(name: &str) -> Lane {
        Lane::tenant(&name.into())
    }

    fn drain(turns: &mut Turns<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| turns.pop()).collect()
    }

    #[test]
    fn lanes_take_turns_and_each_keeps_its_order() {
        let mut turns = Turns::new();
        for (name, job) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")] {
            turns.push(lane(name), job).unwrap();
        }
        assert_eq!(drain(&mut turns), ["a1", "b1", "c1", "a2", "b2", "a3"]);
        turns.push(lane("a"), "again").unwrap();
        assert_eq!(drain(&mut turns), ["again"]);
    }

    #[test]
    fn a_full_lane_refuses_and_another_takes() {
        let mut turns = Turns::new();
        for _ in 0..MAX_JOBS_PER_LANE {
            turns.push(lane("a"), "a").unwrap();
        }
        assert_eq!(turns.push(lane("a"), "late"), Err(Full));
        turns.push(lane("b"), "b").unwrap();
        turns.pop().unwrap();
        turns.push(lane("a"), "in time").unwrap();
    }

    #[test]
    fn all_lanes_together_are_bounded_and_given_back() {
        let mut turns = Turns::new();
        for number in 0..MAX_WAITING_JOBS {
            turns.push(lane(&number.to_string()), "job").unwrap();
        }
        assert_eq!(turns.push(lane("new"), "late"), Err(Full));
        assert_eq!(drain(&mut turns).len(), MAX_WAITING_JOBS);
        assert!(turns.lanes.is_empty() && turns.order.is_empty(), "nothing is kept of lanes that are done");
        turns.push(lane("new"), "in time").unwrap();
    }
}
