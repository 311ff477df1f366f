//! Parameters as a tree, in the order in which they first appeared.

use std::borrow::Cow;
use std::vec;

/// What a name stands for.
#[derive(Debug)]
pub enum Value<'q> {
    /// One value, trimmed, perhaps empty, perhaps no UTF-8.
    Scalar(Cow<'q, [u8]>),
    /// Names in brackets behind it.
    Members(Members<'q>),
}

/// Names and what they stand for. Each name stands once, where it first appeared.
#[derive(Debug, Default)]
pub struct Members<'q> {
    entries: Vec<(Cow<'q, [u8]>, Value<'q>)>,
    /// What `[]` stands for next: one above the highest index so far.
    next_index: u64,
}

/// No members.
pub(super) static NO_MEMBERS: Members<'static> = Members { entries: Vec::new(), next_index: 0 };

impl Value<'_> {
    /// Whether nothing was given: an empty value, or members that all are.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Scalar(value) => value.is_empty(),
            Self::Members(members) => members.entries.iter().all(|(_, value)| value.is_empty()),
        }
    }

    /// The text of a scalar; none for members and for what is no UTF-8.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(value) => std::str::from_utf8(value).ok(),
            Self::Members(_) => None,
        }
    }
}

impl<'q> Members<'q> {
    /// A member; none when it is absent or empty.
    pub fn get(&self, name: &str) -> Option<&Value<'q>> {
        let found = self.entries.iter().find(|(known, _)| **known == *name.as_bytes());
        found.map(|(_, value)| value).filter(|value| !value.is_empty())
    }

    /// All members that are not empty, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &Value<'q>)> {
        let given = self.entries.iter().filter(|(_, value)| !value.is_empty());
        given.map(|(name, value)| (&**name, value))
    }

    /// Gives a path its value, in place of anything it had; scalars on the way become members.
    pub(super) fn set(&mut self, mut path: vec::IntoIter<Cow<'q, [u8]>>, value: Cow<'q, [u8]>) {
        let Some(slot) = path.next().and_then(|first| self.slot(first)) else { return };
        if path.len() == 0 {
            *slot = Value::Scalar(value);
            return;
        }
        if let Value::Scalar(_) = slot {
            *slot = Value::Members(Members::default());
        }
        if let Value::Members(members) = slot {
            members.set(path, value);
        }
    }

    /// The value of a name, which is added when it is new; an empty name is the next index.
    fn slot(&mut self, name: Cow<'q, [u8]>) -> Option<&mut Value<'q>> {
        let known = self.entries.iter().position(|(known, _)| !name.is_empty() && *known == name);
        let place = known.unwrap_or_else(|| {
            let name =
                if name.is_empty() { Cow::Owned(self.next_index.to_string().into_bytes()) } else { name };
            if let Some(index) = list_index(&name) {
                self.next_index = self.next_index.max(index + 1);
            }
            self.entries.push((name, Value::Scalar(Cow::Borrowed(b""))));
            self.entries.len() - 1
        });
        self.entries.get_mut(place).map(|(_, value)| value)
    }
}

/// The index that a name in brackets is: digits, few enough to be counted.
pub(super) fn list_index(name: &[u8]) -> Option<u64> {
    const MAX_DIGITS: usize = 18;
    let text = std::str::from_utf8(name).ok()?;
    let is_index = name.len() <= MAX_DIGITS && name.iter().all(u8::is_ascii_digit);
    if is_index { text.parse().ok() } else { None }
}
