//! What waits for a group, and who is under way.

use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeSet, HashSet, VecDeque};

use pointbook_domain::UserId;

/// How many activities one group takes.
const MAX_GROUP: usize = 256;

/// How many groups of a tenant are under way at once: while one waits for the disk, another computes.
const MAX_GROUPS: usize = 4;

/// What is recorded together.
pub(super) struct Group<M> {
    pub(super) members: Vec<M>,
    /// Whose they are.
    pub(super) users: BTreeSet<UserId>,
}

/// How far those who are under way have come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// A group is called, and takes what waits when it begins.
    CalledGroup,
    /// A group has begun.
    Group,
    /// A user is recorded outside the group.
    Alone,
}

/// Activities by user, and the users who are under way. Nothing is kept of users who are neither.
pub(super) struct Queue<M> {
    /// What waits, in the order of asking.
    waiting: HashMap<UserId, VecDeque<M>>,
    /// Those who wait and are not under way, whoever has waited longest first.
    free: VecDeque<UserId>,
    under_way: HashSet<UserId>,
    groups: usize,
    is_called: bool,
}

impl<M> Queue<M> {
    pub(super) fn new() -> Self {
        Self {
            waiting: HashMap::new(),
            free: VecDeque::new(),
            under_way: HashSet::new(),
            groups: 0,
            is_called: false,
        }
    }

    pub(super) fn push(&mut self, user: UserId, member: M) {
        match self.waiting.entry(user) {
            Entry::Occupied(mut theirs) => theirs.get_mut().push_back(member),
            Entry::Vacant(place) => {
                if !self.under_way.contains(place.key()) {
                    self.free.push_back(place.key().clone());
                }
                place.insert(VecDeque::from([member]));
            }
        }
    }

    /// Whether one more group is to begin. Until it does, no other one is called: it takes all that comes.
    pub(super) fn call(&mut self) -> bool {
        let calls = !self.is_called && self.groups < MAX_GROUPS && !self.free.is_empty();
        if calls {
            self.is_called = true;
            self.groups += 1;
        }
        calls
    }

    /// Begins the group that was called, with those that are still wanted.
    pub(super) fn begin(&mut self, is_wanted: impl Fn(&M) -> bool) -> Group<M> {
        self.is_called = false;
        let mut group = Group { members: Vec::new(), users: BTreeSet::new() };
        while group.members.len() < MAX_GROUP {
            let Some(user) = self.free.pop_front() else { break };
            let mut theirs = self.waiting.remove(&user).unwrap_or_default();
            theirs.retain(&is_wanted);
            if theirs.is_empty() {
                continue;
            }
            let room = MAX_GROUP - group.members.len();
            let rest = theirs.split_off(room.min(theirs.len()));
            if !rest.is_empty() {
                self.waiting.insert(user.clone(), rest);
            }
            group.members.extend(theirs);
            self.under_way.insert(user.clone());
            group.users.insert(user);
        }
        group
    }

    /// These users are not under way any more.
    pub(super) fn end(&mut self, users: &BTreeSet<UserId>, stage: Stage) {
        for user in users {
            self.under_way.remove(user);
            if self.waiting.contains_key(user) {
                self.free.push_back(user.clone());
            }
        }
        self.groups -= usize::from(stage != Stage::Alone);
        self.is_called &= stage != Stage::CalledGroup;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> UserId {
        UserId::new(name).unwrap()
    }

    fn queue(users: &[&str]) -> Queue<usize> {
        let mut queue = Queue::new();
        for (place, name) in users.iter().enumerate() {
            queue.push(user(name), place);
        }
        queue
    }

    /// The next group, if one is called.
    fn next(queue: &mut Queue<usize>) -> Option<Group<usize>> {
        queue.call().then(|| queue.begin(|_| true))
    }

    #[test]
    fn a_group_takes_all_that_waits_when_it_begins() {
        let mut queue = queue(&["b", "a", "b"]);
        assert!(queue.call() && !queue.call());
        queue.push(user("c"), 3);
        let group = queue.begin(|_| true);
        assert_eq!(group.members, [0, 2, 1, 3]);
        assert!(group.users.iter().map(UserId::as_str).eq(["a", "b", "c"]));
        assert!(next(&mut queue).is_none());
    }

    #[test]
    fn nobody_is_in_two_groups_at_once() {
        let mut queue = queue(&["a"]);
        let first = next(&mut queue).unwrap();
        for (name, member) in [("a", 1), ("b", 2), ("a", 3)] {
            queue.push(user(name), member);
        }
        assert_eq!(next(&mut queue).unwrap().members, [2]);
        assert!(next(&mut queue).is_none());
        queue.end(&first.users, Stage::Group);
        assert_eq!(next(&mut queue).unwrap().members, [1, 3]);
    }

    #[test]
    fn groups_are_bounded_in_size_and_number() {
        let users: Vec<String> = (0..MAX_GROUP * (MAX_GROUPS + 1)).map(|user| user.to_string()).collect();
        let mut queue = queue(&users.iter().map(String::as_str).collect::<Vec<_>>());
        let groups: Vec<_> = std::iter::from_fn(|| next(&mut queue)).collect();
        assert_eq!(
            groups.iter().map(|group| group.members.len()).collect::<Vec<_>>(),
            [MAX_GROUP; MAX_GROUPS]
        );
        queue.end(&groups[0].users, Stage::Group);
        assert_eq!(next(&mut queue).unwrap().members.len(), MAX_GROUP);
    }

    #[test]
    fn what_finds_no_room_in_a_group_waits_for_its_user() {
        let mut queue = queue(&[&["a"][..], &["b"; MAX_GROUP]].concat());
        let first = next(&mut queue).unwrap();
        assert_eq!(first.members.len(), MAX_GROUP);
        assert!(next(&mut queue).is_none());
        queue.end(&first.users, Stage::Group);
        assert_eq!(next(&mut queue).unwrap().members, [MAX_GROUP]);
    }

    #[test]
    fn those_who_have_left_are_left_out() {
        let mut queue = queue(&["a", "b", "a"]);
        assert!(queue.call());
        let group = queue.begin(|member| *member == 2);
        assert_eq!((group.members, group.users.len()), (vec![2], 1));
        assert!(queue.waiting.is_empty() && queue.under_way.len() == 1);
    }

    #[test]
    fn a_called_group_that_ends_early_is_called_again() {
        let mut queue = queue(&["a"]);
        assert!(queue.call());
        queue.end(&BTreeSet::new(), Stage::CalledGroup);
        assert!(queue.call());
    }
}
