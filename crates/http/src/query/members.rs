//! Parameters as a tree, in the order in which they first appeared.

use std::borrow::Cow;
use std::iter;

use super::text::Text;

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub enum Value<'v> {
    /// One value, trimmed, perhaps empty, perhaps no UTF-8.
    Scalar(&'v Text<'v>),
    /// Names in brackets behind it.
    Members(Members<'v>),
}

/// Names and what they stand for. Each name stands once, where it first appeared.
#[derive(Debug, Clone, Copy)]
pub struct Members<'v> {
    tree: &'v [Node<'v>],
    first: Link,
}

pub(super) const NO_MEMBERS: Members<'static> = Members { tree: &[], first: Link::NONE };

impl<'v> Value<'v> {
    /// Whether nothing was given: an empty value, or members that all are.
    pub fn is_empty(self) -> bool {
        match self {
            Self::Scalar(value) => value.is_empty(),
            Self::Members(members) => members.all().all(|(_, value)| value.is_empty()),
        }
    }

    /// The text of a scalar; none for members and for what is no UTF-8.
    pub fn text(self) -> Option<&'v str> {
        match self {
            Self::Scalar(Text::Raw(value)) => Some(value),
            Self::Scalar(Text::Decoded(value)) => std::str::from_utf8(value).ok(),
            Self::Members(_) => None,
        }
    }
}

impl<'v> Members<'v> {
    /// A member; none when it is absent or empty.
    pub fn get(self, name: &str) -> Option<Value<'v>> {
        let found = self.all().find(|(known, _)| *known == name.as_bytes());
        found.map(|(_, value)| value).filter(|value| !value.is_empty())
    }

    /// All members that are not empty, in order.
    pub fn iter(self) -> impl Iterator<Item = (&'v [u8], Value<'v>)> {
        self.all().filter(|(_, value)| !value.is_empty())
    }

    fn all(self) -> impl Iterator<Item = (&'v [u8], Value<'v>)> {
        let nodes = iter::successors(self.first.of(self.tree), move |node| node.next.of(self.tree));
        nodes.map(move |node| {
            let value = match node.first {
                Link::NONE => Value::Scalar(&node.value),
                first => Value::Members(Members { tree: self.tree, first }),
            };
            (&*node.name, value)
        })
    }
}

/// A name within the names around it: all of them stand in one list, so that a tree is one allocation.
#[derive(Debug, Default)]
struct Node<'q> {
    name: Cow<'q, [u8]>,
    /// Of a scalar.
    value: Text<'q>,
    /// The first of its members; a scalar has none.
    first: Link,
    next: Link,
    /// What `[]` behind it stands for next: one above the highest index so far.
    next_index: u64,
}

/// The place of a node in its tree. That of the root links to nothing, because it is nobody's member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Link(u32);

impl Link {
    const NONE: Self = Self(0);

    fn of<'t, 'q>(self, tree: &'t [Node<'q>]) -> Option<&'t Node<'q>> {
        if self == Self::NONE { None } else { tree.get(self.0 as usize) }
    }
}

/// A tree that grows.
#[derive(Debug, Default)]
pub(super) struct Parameters<'q> {
    /// The root, whose members are the parameters, and all others as they came; nothing for no parameters.
    nodes: Vec<Node<'q>>,
}

/// Room for all filters of a list of products at once.
const USUAL_NODES: usize = 14;

impl<'q> Parameters<'q> {
    /// The parameters themselves.
    pub(super) fn members(&self) -> Members<'_> {
        Members { tree: &self.nodes, first: self.nodes.first().map_or(Link::NONE, |root| root.first) }
    }

    /// Gives a path its value, in place of anything it had; scalars on the way become members.
    pub(super) fn set(&mut self, path: impl Iterator<Item = Cow<'q, [u8]>>, value: Text<'q>) {
        if self.nodes.is_empty() {
            self.nodes.reserve_exact(USUAL_NODES);
            self.nodes.push(Node::default());
        }
        let mut place = 0;
        for name in path {
            place = self.member(place, name);
        }
        if let Some(node) = self.nodes.get_mut(place) {
            (node.value, node.first, node.next_index) = (value, Link::NONE, 0);
        }
    }

    /// The place of a member, which is added when it is new; an empty name is the next index.
    fn member(&mut self, parent: usize, name: Cow<'q, [u8]>) -> usize {
        let mut before = 0;
        let mut link = self.nodes.get(parent).map_or(Link::NONE, |node| node.first);
        while let Some(node) = link.of(&self.nodes) {
            if *node.name == *name && !name.is_empty() {
                return link.0 as usize;
            }
            before = link.0 as usize;
            link = node.next;
        }
        self.add(parent, before, name)
    }

    /// Adds a member behind another one, or as the first.
    fn add(&mut self, parent: usize, before: usize, name: Cow<'q, [u8]>) -> usize {
        let place = self.nodes.len();
        // So many as not to fit would not fit into a query string.
        let link = Link(u32::try_from(place).unwrap_or_default());
        let Some(node) = self.nodes.get_mut(parent) else { return place };
        let name = node.name_for_member(name);
        if node.first == Link::NONE {
            (node.first, node.value) = (link, Text::default());
        } else if let Some(before) = self.nodes.get_mut(before) {
            before.next = link;
        }
        self.nodes.push(Node { name, ..Node::default() });
        place
    }
}

impl<'q> Node<'q> {
    /// What a new member is called: as it is, or by the next index.
    fn name_for_member(&mut self, name: Cow<'q, [u8]>) -> Cow<'q, [u8]> {
        let name = if name.is_empty() { Cow::Owned(self.next_index.to_string().into_bytes()) } else { name };
        if let Some(index) = list_index(&name) {
            self.next_index = self.next_index.max(index + 1);
        }
        name
    }
}

/// The index that a name in brackets is: digits, few enough to be counted.
pub(super) fn list_index(name: &[u8]) -> Option<u64> {
    const MAX_DIGITS: usize = 18;
    let is_index = name.len() <= MAX_DIGITS && name.iter().all(u8::is_ascii_digit);
    if is_index { std::str::from_utf8(name).ok()?.parse().ok() } else { None }
}
