//! What waits for the writer, in lanes that take turns.

use std::collections::{HashMap, VecDeque};

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
    lanes: HashMap<Lane, VecDeque<J>>,
    /// The lanes that have jobs, the next one first.
    order: VecDeque<Lane>,
    waiting: usize,
}

impl<J> Turns<J> {
    pub(super) fn new() -> Self {
        Self { lanes: HashMap::new(), order: VecDeque::new(), waiting: 0 }
    }

    pub(super) fn push(&mut self, lane: Lane, job: J) -> Result<(), Full> {
        if self.waiting >= MAX_WAITING_JOBS {
            return Err(Full);
        }
        if let Some(jobs) = self.lanes.get_mut(&lane) {
            if jobs.len() >= MAX_JOBS_PER_LANE {
                return Err(Full);
            }
            jobs.push_back(job);
        } else {
            self.order.push_back(lane.clone());
            self.lanes.insert(lane, VecDeque::from([job]));
        }
        self.waiting += 1;
        Ok(())
    }

    /// The oldest job of the lane whose turn it is.
    pub(super) fn pop(&mut self) -> Option<J> {
        let lane = self.order.pop_front()?;
        let jobs = self.lanes.get_mut(&lane)?;
        let job = jobs.pop_front()?;
        self.waiting -= 1;
        if jobs.is_empty() {
            self.lanes.remove(&lane);
        } else {
            self.order.push_back(lane);
        }
        Some(job)
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
