//! What waits for a group, and who is under way.

use std::collections::{BTreeMap, HashSet, VecDeque};

use pointbook_domain::UserId;

/// How many activities one group takes.
const MAX_GROUP: usize = 256;

/// How many groups of a tenant are under way at once: while one waits for the disk, another computes.
const MAX_GROUPS: usize = 4;

/// How many activities of a tenant are not answered yet: what SQLite's writer lets wait.
const MAX_UNANSWERED: usize = 2_048;

/// Whoever asked for more than may wait is told at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// What is recorded together.
pub(super) struct Group<M> {
    pub(super) members: Vec<M>,
    /// Whose they are, and how many each has.
    pub(super) users: BTreeMap<UserId, usize>,
}

/// Activities in the order of asking, and the users who are under way.
pub(super) struct Queue<M> {
    waiting: VecDeque<(UserId, M)>,
    under_way: HashSet<UserId>,
    groups: usize,
    unanswered: usize,
}

impl<M> Queue<M> {
    pub(super) fn new() -> Self {
        Self { waiting: VecDeque::new(), under_way: HashSet::new(), groups: 0, unanswered: 0 }
    }

    pub(super) fn push(&mut self, user: UserId, member: M) -> Result<(), Full> {
        if self.unanswered >= MAX_UNANSWERED {
            return Err(Full);
        }
        self.unanswered += 1;
        self.waiting.push_back((user, member));
        Ok(())
    }

    /// The oldest of those whose users are not under way, if there may be another group.
    pub(super) fn begin_group(&mut self) -> Option<Group<M>> {
        if self.groups >= MAX_GROUPS {
            return None;
        }
        let mut group = Group { members: Vec::new(), users: BTreeMap::new() };
        let mut left = VecDeque::new();
        for (user, member) in self.waiting.drain(..) {
            if group.members.len() >= MAX_GROUP || self.under_way.contains(&user) {
                left.push_back((user, member));
            } else {
                *group.users.entry(user).or_default() += 1;
                group.members.push(member);
            }
        }
        self.waiting = left;
        if group.members.is_empty() {
            return None;
        }
        self.under_way.extend(group.users.keys().cloned());
        self.groups += 1;
        Some(group)
    }

    /// These users are not under way any more, and all of theirs that were are answered.
    pub(super) fn end(&mut self, users: &BTreeMap<UserId, usize>, is_group: bool) {
        for (user, members) in users {
            self.under_way.remove(user);
            self.unanswered -= members;
        }
        self.groups -= usize::from(is_group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(users: &[&str]) -> Queue<usize> {
        let mut queue = Queue::new();
        for (place, user) in users.iter().enumerate() {
            queue.push(UserId::new(*user).unwrap(), place).unwrap();
        }
        queue
    }

    #[test]
    fn a_group_takes_all_that_waits_in_order() {
        let mut queue = queue(&["b", "a", "b", "c"]);
        let group = queue.begin_group().unwrap();
        assert_eq!(group.members, [0, 1, 2, 3]);
        assert_eq!(group.users.values().copied().collect::<Vec<_>>(), [1, 2, 1]);
        assert!(queue.begin_group().is_none());
    }

    #[test]
    fn nobody_is_in_two_groups_at_once() {
        let mut queue = queue(&["a"]);
        let first = queue.begin_group().unwrap();
        for (user, member) in [("a", 1), ("b", 2), ("a", 3)] {
            queue.push(UserId::new(user).unwrap(), member).unwrap();
        }
        assert_eq!(queue.begin_group().unwrap().members, [2]);
        assert!(queue.begin_group().is_none());
        queue.end(&first.users, true);
        assert_eq!(queue.begin_group().unwrap().members, [1, 3]);
    }

    #[test]
    fn groups_are_bounded_in_size_and_number() {
        let users: Vec<String> = (0..MAX_GROUP * (MAX_GROUPS + 1)).map(|user| user.to_string()).collect();
        let mut queue = queue(&users.iter().map(String::as_str).collect::<Vec<_>>());
        let groups: Vec<_> = std::iter::from_fn(|| queue.begin_group()).collect();
        assert_eq!(
            groups.iter().map(|group| group.members.len()).collect::<Vec<_>>(),
            [MAX_GROUP; MAX_GROUPS]
        );
        queue.end(&groups[0].users, true);
        assert_eq!(queue.begin_group().unwrap().members.len(), MAX_GROUP);
    }

    #[test]
    fn what_is_under_way_counts_until_it_is_answered() {
        let mut queue = queue(&vec!["a"; MAX_UNANSWERED]);
        let group = queue.begin_group().unwrap();
        let late = || UserId::new("late").unwrap();
        assert_eq!(queue.push(late(), 0), Err(Full));
        queue.end(&group.users, true);
        queue.push(late(), 0).unwrap();
        assert_eq!(queue.unanswered, MAX_UNANSWERED - MAX_GROUP + 1);
    }
}
