//! The commands that wait for a group, and the lanes that are running.

use std::collections::BTreeSet;

use crate::commands::Lane;
use crate::queue::{self as queue, Bounds, Limits, Overloaded, Queue};

const MAX_GROUP: usize = 256;

/// The commands of a tenant by lane. Each lane has one permit, which a running group holds.
pub(super) struct GroupQueue<M> {
    queue: Queue<(), Lane, M>,
    /// Whether a group was started but has not taken its commands yet.
    is_called: bool,
}

impl<M> GroupQueue<M> {
    pub(super) fn new() -> Self {
        let permits = Bounds { lane: 1, ..Bounds::default() };
        Self { queue: Queue::new(Limits { permits, ..Limits::default() }), is_called: false }
    }

    pub(super) fn push(&mut self, lane: Lane, member: M) -> Result<(), Overloaded> {
        self.queue.push(&queue::Lane::of((), lane), member)
    }

    /// Whether the caller must start a group. Returns false while a started group has not begun, because it will take all
    /// commands.
    pub(super) fn call(&mut self) -> bool {
        let calls = !self.is_called && self.queue.has_turn();
        self.is_called |= calls;
        calls
    }

    /// Begins the started group. Returns the commands that are still wanted, and their lanes.
    pub(super) fn begin(&mut self, is_wanted: impl Fn(&M) -> bool) -> (Vec<M>, BTreeSet<Lane>) {
        self.is_called = false;
        let (mut members, mut lanes) = (Vec::new(), BTreeSet::new());
        while members.len() < MAX_GROUP {
            let Some((lane, first)) = self.queue.pop_with_permit() else { break };
            let before = members.len();
            members.extend(Some(first).filter(&is_wanted));
            self.queue.retain(&lane, &is_wanted);
            members.extend(self.queue.drain(&lane, MAX_GROUP - members.len()));
            if members.len() == before {
                self.queue.give_back(&lane, 1);
            } else {
                lanes.insert(lane.name);
            }
        }
        (members, lanes)
    }

    pub(super) fn end(&mut self, lanes: &BTreeSet<Lane>) {
        for lane in lanes {
            self.queue.give_back(&queue::Lane::of((), lane.clone()), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::UserId;

    use super::*;
    use crate::queue::Count;

    fn user(name: &str) -> Lane {
        Lane::User(UserId::new(name).unwrap())
    }

    fn queue(users: &[&str]) -> GroupQueue<usize> {
        let mut queue = GroupQueue::new();
        for (index, name) in users.iter().enumerate() {
            queue.push(user(name), index).unwrap();
        }
        queue
    }

    /// The next group, if one must be started.
    fn next(queue: &mut GroupQueue<usize>) -> Option<(Vec<usize>, BTreeSet<Lane>)> {
        queue.call().then(|| queue.begin(|_| true))
    }

    #[test]
    fn group_takes_all_commands_that_wait_when_it_begins() {
        let mut queue = queue(&["b", "a", "b"]);
        assert!(queue.call() && !queue.call());
        queue.push(user("c"), 3).unwrap();
        let (members, lanes) = queue.begin(|_| true);
        assert_eq!(members, [0, 2, 1, 3]);
        assert!(lanes.into_iter().eq(["a", "b", "c"].map(user)));
        assert!(next(&mut queue).is_none());
    }

    #[test]
    fn lane_is_in_one_group_at_a_time() {
        let mut queue = queue(&["a"]);
        let first = next(&mut queue).unwrap();
        for (name, member) in [("a", 1), ("b", 2), ("a", 3)] {
            queue.push(user(name), member).unwrap();
        }
        assert_eq!(next(&mut queue).unwrap().0, [2]);
        assert!(next(&mut queue).is_none());
        queue.end(&first.1);
        assert_eq!(next(&mut queue).unwrap().0, [1, 3]);
    }

    #[test]
    fn group_size_is_bounded() {
        let users: Vec<String> = (0..=2 * MAX_GROUP).map(|user| user.to_string()).collect();
        let mut queue = queue(&users.iter().map(String::as_str).collect::<Vec<_>>());
        let groups: Vec<_> = std::iter::from_fn(|| next(&mut queue)).collect();
        assert!(groups.iter().map(|(members, _)| members.len()).eq([MAX_GROUP, MAX_GROUP, 1]));
    }

    #[test]
    fn command_that_does_not_fit_waits_until_its_lane_is_free() {
        let mut queue = queue(&[&["a"][..], &["b"; MAX_GROUP]].concat());
        let first = next(&mut queue).unwrap();
        assert_eq!(first.0.len(), MAX_GROUP);
        assert!(next(&mut queue).is_none());
        queue.end(&first.1);
        assert_eq!(next(&mut queue).unwrap().0, [MAX_GROUP]);
    }

    #[test]
    fn unwanted_commands_are_skipped() {
        let mut queue = queue(&["a", "b", "a"]);
        assert!(queue.call());
        let (members, lanes) = queue.begin(|member| *member == 2);
        assert_eq!((members, lanes.len()), (vec![2], 1));
        assert_eq!(queue.queue.count(), Count { permits: 1, waiting: 0 });
    }
}
