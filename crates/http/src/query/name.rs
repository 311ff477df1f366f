//! Parameter names: `a[b][c]` is a path.

use super::scan::find_either;

/// The most levels of a name: `a` has one, `a[b]` two.
pub(super) const MAX_DEPTH: usize = 8;

/// The levels of a name from the outside in, not decoded.
#[derive(Debug, Default)]
pub(super) struct Path<'q> {
    levels: [&'q [u8]; MAX_DEPTH],
    depth: usize,
}

impl<'q> Path<'q> {
    /// The path of a name. A name whose brackets do not pair up is a path of its own.
    ///
    /// Brackets are looked for before anything is decoded, because then most levels need no copy. It
    /// comes to the same: an encoded bracket is always a whole escape, for no escape holds a `%`.
    pub(super) fn of(name: &'q [u8]) -> Self {
        let mut path = Self::default();
        if path.nest(name).is_none() {
            path.depth = 0;
            path.push(name);
        }
        path
    }

    /// Takes the levels of a name with well-formed brackets behind at least one character.
    fn nest(&mut self, name: &'q [u8]) -> Option<()> {
        let (top, mut rest) = split_at_bracket(name, OPENING).filter(|(top, _)| !top.is_empty())?;
        self.push(top);
        loop {
            let (level, behind) = split_at_bracket(rest, CLOSING)?;
            self.push(level);
            if behind.is_empty() {
                return Some(());
            }
            rest = split_at_bracket(behind, OPENING).filter(|(gap, _)| gap.is_empty())?.1;
        }
    }

    fn push(&mut self, level: &'q [u8]) {
        if let Some(place) = self.levels.get_mut(self.depth) {
            *place = level;
        }
        self.depth += 1;
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > MAX_DEPTH
    }

    /// The first [`MAX_DEPTH`] levels.
    pub(super) fn levels(&self) -> &[&'q [u8]] {
        self.levels.get(..self.depth).unwrap_or(&self.levels)
    }
}

/// A bracket: as it is, and the second digit of it encoded.
type Bracket = (u8, u8);
const OPENING: Bracket = (b'[', b'b');
const CLOSING: Bracket = (b']', b'd');

/// What stands before and behind the first bracket of a kind, plain or encoded.
fn split_at_bracket(raw: &[u8], (plain, digit): Bracket) -> Option<(&[u8], &[u8])> {
    let mut from = 0;
    loop {
        let at = from + find_either(raw.get(from..)?, plain, b'%')?;
        let (before, behind) = raw.split_at_checked(at)?;
        match behind {
            [b'%', b'5', second, behind @ ..] if second.to_ascii_lowercase() == digit => {
                return Some((before, behind));
            }
            [b'%', ..] => from = at + 1,
            behind => return Some((before, behind.get(1..)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::query::percent::decode_form;

    fn split_name(raw: &str) -> Vec<Cow<'_, [u8]>> {
        Path::of(raw.as_bytes()).levels().iter().map(|&level| decode_form(level)).collect()
    }

    fn path(name: &str) -> Vec<String> {
        let parts = split_name(name);
        parts.iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect()
    }

    #[test]
    fn brackets_nest() {
        assert_eq!(path("page"), ["page"]);
        assert_eq!(path("filter[title][]"), ["filter", "title", ""]);
        assert_eq!(path("a[b c][0][d]"), ["a", "b c", "0", "d"]);
        assert_eq!(path("a[b[c]"), ["a", "b[c"]);
    }

    #[test]
    fn encoded_brackets_are_brackets() {
        for name in ["a[b]", "a%5Bb%5D", "%61%5b%62]", "a[b%5d"] {
            assert_eq!(path(name), ["a", "b"], "{name}");
        }
        assert_eq!(path("a%%5Bb%5D"), ["a%", "b"]);
        assert_eq!(path("a%255Bb%255D"), ["a%5Bb%5D"]);
        assert_eq!(path("か%5Bき%5D"), ["か", "き"]);
    }

    #[test]
    fn brackets_that_do_not_pair_up_are_part_of_the_name() {
        for name in ["a[", "a[b", "a]b", "a[b]c", "[a]", "[]", "a[b][", ""] {
            assert_eq!(path(name), [name]);
        }
    }
}
