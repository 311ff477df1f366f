//! Parameter names: `a[b][c]` is a path.

/// The most levels of a name: `a` has one, `a[b]` two.
pub(super) const MAX_DEPTH: usize = 8;

/// The levels of a name from the outside in, not decoded.
#[derive(Debug, Default)]
pub(super) struct Path<'q> {
    levels: [&'q str; MAX_DEPTH],
    depth: usize,
}

impl<'q> Path<'q> {
    /// The path of a name. A name whose brackets do not pair up is a path of its own.
    ///
    /// Brackets are looked for before anything is decoded, because then most levels need no copy. It
    /// comes to the same: an encoded bracket is always a whole escape, for no escape holds a `%`.
    pub(super) fn of(name: &'q str) -> Self {
        Self::nested(name).unwrap_or_else(|| {
            let mut path = Self::default();
            path.push(name);
            path
        })
    }

    /// The path of a name with well-formed brackets behind at least one character.
    fn nested(name: &'q str) -> Option<Self> {
        let (top, mut rest) = split_at_bracket(name, OPENING).filter(|(top, _)| !top.is_empty())?;
        let mut path = Self::default();
        path.push(top);
        loop {
            let (level, behind) = split_at_bracket(rest, CLOSING)?;
            path.push(level);
            if behind.is_empty() {
                return Some(path);
            }
            rest = split_at_bracket(behind, OPENING).filter(|(gap, _)| gap.is_empty())?.1;
        }
    }

    fn push(&mut self, level: &'q str) {
        if let Some(place) = self.levels.get_mut(self.depth) {
            *place = level;
        }
        self.depth += 1;
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > MAX_DEPTH
    }

    /// The first [`MAX_DEPTH`] levels.
    pub(super) fn levels(&self) -> &[&'q str] {
        self.levels.get(..self.depth).unwrap_or(&self.levels)
    }
}

/// A bracket: as it is, and the second digit of it encoded.
type Bracket = (u8, u8);
const OPENING: Bracket = (b'[', b'b');
const CLOSING: Bracket = (b']', b'd');

/// What stands before and behind the first bracket of a kind, plain or encoded.
fn split_at_bracket(raw: &str, (plain, digit): Bracket) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let rest = raw.as_bytes().get(from..)?;
        let at = from + rest.iter().position(|&byte| byte == plain || byte == b'%')?;
        let length = match raw.as_bytes().get(at..)? {
            [b'%', b'5', second, ..] if second.to_ascii_lowercase() == digit => 3,
            [b'%', ..] => 0,
            _ => 1,
        };
        if length > 0 {
            return Some((raw.get(..at)?, raw.get(at + length..)?));
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::query::percent::decode_form;

    fn split_name(raw: &str) -> Vec<Cow<'_, [u8]>> {
        Path::of(raw).levels().iter().map(|level| decode_form(level)).collect()
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
