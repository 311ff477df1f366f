//! Parameters as a tree, in the order in which they first appeared.

use std::borrow::Cow;

/// What a name stands for.
#[derive(Debug)]
pub enum Value<'q> {
    /// One value, trimmed. It may be empty, and may be no UTF-8.
    Scalar(Cow<'q, [u8]>),
    /// The names in brackets behind it.
    Members(Members<'q>),
}

/// Names and what they stand for. Each name stands once, where it first appeared.
#[derive(Debug, Default)]
pub struct Members<'q> {
    entries: Vec<(Cow<'q, [u8]>, Value<'q>)>,
    /// What `[]` stands for next: one above the highest index so far.
    next_index: u64,
}

pub(super) static NO_MEMBERS: Members<'static> = Members { entries: Vec::new(), next_index: 0 };

impl Value<'_> {
    /// Whether nothing was given: an empty value, or members that all are empty.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Scalar(value) => value.is_empty(),
            Self::Members(members) => members.iter().next().is_none(),
        }
    }

    /// The text of a scalar; `None` for members and for a value that is no UTF-8.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(value) => std::str::from_utf8(value).ok(),
            Self::Members(_) => None,
        }
    }
}

impl<'q> Members<'q> {
    /// A member; `None` when it is absent or empty.
    pub fn get(&self, name: &str) -> Option<&Value<'q>> {
        self.iter().find(|(known, _)| *known == name.as_bytes()).map(|(_, value)| value)
    }

    /// All members that are not empty, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &Value<'q>)> {
        let given = self.entries.iter().filter(|(_, value)| !value.is_empty());
        given.map(|(name, value)| (&**name, value))
    }

    /// Gives a path its value, in place of anything it had; scalars on the way become members.
    pub(super) fn set(&mut self, path: impl IntoIterator<Item = Cow<'q, [u8]>>, value: Cow<'q, [u8]>) {
        let mut path = path.into_iter();
        let Some(name) = path.next() else { return };
        let mut place = self.member(name);
        for name in path {
            if let Value::Scalar(_) = place {
                *place = Value::Members(Members::default());
            }
            let Value::Members(inner) = place else { return };
            place = inner.member(name);
        }
        *place = Value::Scalar(value);
    }

    /// The value of a name, which is added when it is new; an empty name is the next index.
    fn member(&mut self, name: Cow<'q, [u8]>) -> &mut Value<'q> {
        let name = if name.is_empty() { Cow::Owned(self.next_index.to_string().into_bytes()) } else { name };
        if let Some(index) = list_index(&name) {
            self.next_index = self.next_index.max(index + 1);
        }
        let place = self.entries.iter().position(|(known, _)| *known == name).unwrap_or(self.entries.len());
        if place == self.entries.len() {
            self.entries.push((name, Value::Scalar(Cow::default())));
        }
        &mut self.entries[place].1
    }
}

/// The index that a name in brackets is: digits, few enough to be counted.
pub(super) fn list_index(name: &[u8]) -> Option<u64> {
    const MAX_DIGITS: usize = 18;
    let is_index = name.len() <= MAX_DIGITS && name.iter().all(u8::is_ascii_digit);
    if is_index { std::str::from_utf8(name).ok()?.parse().ok() } else { None }
}
