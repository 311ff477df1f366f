//! The commands that wait for a group, and the lanes that are under way.

use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeSet, HashSet, VecDeque};

use pointbook_app::commands::Lane;

/// How many commands one group takes.
const MAX_GROUP: usize = 256;

/// How many groups of a tenant are under way at once: while one waits for the disk, another computes.
const MAX_GROUPS: usize = 4;

/// Commands that are executed together.
pub(super) struct Group<M> {
    pub(super) members: Vec<M>,
    /// The lanes that they come from.
    pub(super) lanes: BTreeSet<Lane>,
}

/// How far the lanes that are under way have come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// A group is called, and takes what waits when it begins.
    CalledGroup,
    /// A group has begun.
    Group,
    /// A lane's commands are executed one by one, outside the group.
    Alone,
}

/// Commands by lane, and the lanes that are under way. A lane that is neither takes no memory.
pub(super) struct Queue<M> {
    /// What waits, in the order of arrival.
    waiting: HashMap<Lane, VecDeque<M>>,
    /// Lanes that wait and are not under way, the longest wait first.
    free: VecDeque<Lane>,
    under_way: HashSet<Lane>,
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

    pub(super) fn push(&mut self, lane: Lane, member: M) {
        match self.waiting.entry(lane) {
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
        let mut group = Group { members: Vec::new(), lanes: BTreeSet::new() };
        while group.members.len() < MAX_GROUP {
            let Some(lane) = self.free.pop_front() else { break };
            let mut theirs = self.waiting.remove(&lane).unwrap_or_default();
            theirs.retain(&is_wanted);
            if theirs.is_empty() {
                continue;
            }
            let room = MAX_GROUP - group.members.len();
            let rest = theirs.split_off(room.min(theirs.len()));
            if !rest.is_empty() {
                self.waiting.insert(lane.clone(), rest);
            }
            group.members.extend(theirs);
            self.under_way.insert(lane.clone());
            group.lanes.insert(lane);
        }
        group
    }

    /// These lanes are not under way any more.
    pub(super) fn end(&mut self, lanes: &BTreeSet<Lane>, stage: Stage) {
        for lane in lanes {
            self.under_way.remove(lane);
            if self.waiting.contains_key(lane) {
                self.free.push_back(lane.clone());
            }
        }
        self.groups -= usize::from(stage != Stage::Alone);
        self.is_called &= stage != Stage::CalledGroup;
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::UserId;

    use super::*;

    fn user(name: &str) -> Lane {
        Lane::User(UserId::new(name).unwrap())
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
        assert!(group.lanes.into_iter().eq(["a", "b", "c"].map(user)));
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
        queue.end(&first.lanes, Stage::Group);
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
        queue.end(&groups[0].lanes, Stage::Group);
        assert_eq!(next(&mut queue).unwrap().members.len(), MAX_GROUP);
    }

    #[test]
    fn what_finds_no_room_in_a_group_waits_for_its_user() {
        let mut queue = queue(&[&["a"][..], &["b"; MAX_GROUP]].concat());
        let first = next(&mut queue).unwrap();
        assert_eq!(first.members.len(), MAX_GROUP);
        assert!(next(&mut queue).is_none());
        queue.end(&first.lanes, Stage::Group);
        assert_eq!(next(&mut queue).unwrap().members, [MAX_GROUP]);
    }

    #[test]
    fn those_who_have_left_are_left_out() {
        let mut queue = queue(&["a", "b", "a"]);
        assert!(queue.call());
        let group = queue.begin(|member| *member == 2);
        assert_eq!((group.members, group.lanes.len()), (vec![2], 1));
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
