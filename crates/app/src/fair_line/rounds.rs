//! Queues that take turns.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::hash::Hash;

/// What waits for one of those who take turns.
pub trait Queue {
    /// Whether nothing waits.
    fn is_empty(&self) -> bool;
}

/// A queue for each of those who want something. Each gives once per turn; one goes when it is empty, so
/// that nothing is kept of those who are done.
pub struct Rounds<K, Q> {
    queues: HashMap<K, Q>,
    /// Whose queues there are, the next one first.
    order: VecDeque<K>,
}

impl<K, Q> Default for Rounds<K, Q> {
    fn default() -> Self {
        Self { queues: HashMap::new(), order: VecDeque::new() }
    }
}

impl<K: Clone + Eq + Hash, Q: Queue> Rounds<K, Q> {
    /// The queue of this one, to put something into. One that is new comes last in the round.
    pub fn queue(&mut self, whose: K, new: impl FnOnce() -> Q) -> &mut Q {
        match self.queues.entry(whose) {
            Entry::Occupied(queue) => queue.into_mut(),
            Entry::Vacant(place) => {
                self.order.push_back(place.key().clone());
                place.insert(new())
            }
        }
    }

    /// Takes from the queue whose turn it is; none when there is no queue.
    pub fn turn<T>(&mut self, take: impl FnOnce(&K, &mut Q) -> T) -> Option<T> {
        let whose = self.order.pop_front()?;
        let queue = self.queues.get_mut(&whose)?;
        let taken = take(&whose, queue);
        if queue.is_empty() {
            self.queues.remove(&whose);
        } else {
            self.order.push_back(whose);
        }
        Some(taken)
    }

    /// Whether nobody waits for a turn.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Queue for VecDeque<u32> {
        fn is_empty(&self) -> bool {
            VecDeque::is_empty(self)
        }
    }

    #[test]
    fn each_gives_once_per_turn_and_nothing_is_kept_of_those_who_are_done() {
        let mut rounds: Rounds<&str, VecDeque<u32>> = Rounds::default();
        for (whose, what) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
            rounds.queue(whose, VecDeque::new).push_back(what);
        }
        let order: Vec<u32> =
            std::iter::from_fn(|| rounds.turn(|_, queue| queue.pop_front()).flatten()).collect();
        assert_eq!(order, [1, 4, 5, 2, 6, 3]);
        assert!(rounds.is_empty() && rounds.queues.is_empty());
    }
}
