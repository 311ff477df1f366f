//! Parameters as a tree, in the order in which they first appeared.

use std::borrow::Cow;

use super::percent::decode_form;

/// What a name stands for.
#[derive(Debug)]
pub enum Value<'q> {
    /// One value, trimmed. It may be empty.
    Text(Cow<'q, str>),
    /// One value that is not UTF-8, without ASCII white space at both ends.
    Bytes(Vec<u8>),
    /// The names in brackets after it.
    Members(Members<'q>),
}

/// Names and their values. Each name appears once, where it first appeared.
#[derive(Debug)]
pub struct Members<'q> {
    entries: Vec<(Cow<'q, [u8]>, Value<'q>)>,
    /// The index of the next `[]`: one above the highest index so far.
    next_index: u64,
}

/// Capacity for the filters of most lists.
pub(super) const USUAL_MEMBERS: usize = 8;

/// `filter`, `page` and a few other names.
const USUAL_GROUPS: usize = 4;

impl<'q> Value<'q> {
    /// A value of the query string.
    pub(super) fn of(raw: &'q str) -> Self {
        let Cow::Owned(bytes) = decode_form(raw.as_bytes()) else { return Self::Text(trim(raw).into()) };
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(trim(&text).to_owned().into()),
            Err(error) => Self::Bytes(error.as_bytes().trim_ascii().to_vec()),
        }
    }

    /// Whether the value is empty, or all of its members are.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::Members(members) => members.iter().next().is_none(),
        }
    }

    /// `None` for members and for text that is not UTF-8.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// Trims. Most values are trimmed already.
pub(super) fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

impl<'q> Members<'q> {
    pub const NONE: Self = Self { entries: Vec::new(), next_index: 0 };

    pub(super) fn with_room(members: usize) -> Self {
        Self { entries: Vec::with_capacity(members), next_index: 0 }
    }

    /// A member. `None` when it is absent or empty.
    pub fn get(&self, name: &str) -> Option<&Value<'q>> {
        let found = self.entries.iter().find(|(known, _)| **known == *name.as_bytes());
        found.map(|(_, value)| value).filter(|value| !value.is_empty())
    }

    /// The names of all members, empty ones included.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|(name, _)| &**name)
    }

    /// All members that are not empty, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &Value<'q>)> {
        let given = self.entries.iter().filter(|(_, value)| !value.is_empty());
        given.map(|(name, value)| (&**name, value))
    }

    /// Gives a path its value, and replaces an older value. Values on the path become members. `own` keeps a new name.
    pub(super) fn set<'n>(
        &mut self,
        path: &[&'n [u8]],
        own: fn(&'n [u8]) -> Cow<'q, [u8]>,
        value: Value<'q>,
    ) {
        let Some((name, inner)) = path.split_first() else { return };
        let place = self.place(name).unwrap_or_else(|| self.add(name, own));
        let Some((_, known)) = self.entries.get_mut(place) else { return };
        if inner.is_empty() {
            *known = value;
            return;
        }
        if !matches!(known, Value::Members(_)) {
            // The first groups are the usual ones. A client may send thousands more.
            let is_usual = place < USUAL_GROUPS && inner.len() == 1;
            *known = Value::Members(Members::with_room(if is_usual { USUAL_MEMBERS } else { 1 }));
        }
        if let Value::Members(members) = known {
            members.set(inner, own, value);
        }
    }

    /// The index of a known name. An empty name is always new.
    fn place(&self, name: &[u8]) -> Option<usize> {
        self.entries.iter().position(|(known, _)| **known == *name && !name.is_empty())
    }

    /// Adds a name. An empty name becomes the next index.
    fn add<'n>(&mut self, name: &'n [u8], own: fn(&'n [u8]) -> Cow<'q, [u8]>) -> usize {
        let name = if name.is_empty() { self.next_index.to_string().into_bytes().into() } else { own(name) };
        if let Some(index) = list_index(&name) {
            self.next_index = self.next_index.max(index + 1);
        }
        self.entries.push((name, Value::Text(Cow::Borrowed(""))));
        self.entries.len() - 1
    }
}

/// The index in brackets, if it is a short number.
pub fn list_index(name: &[u8]) -> Option<u64> {
    const MAX_DIGITS: usize = 18;
    let is_index = name.len() <= MAX_DIGITS && name.iter().all(u8::is_ascii_digit);
    if is_index { std::str::from_utf8(name).ok()?.parse().ok() } else { None }
}
