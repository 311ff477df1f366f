//! Parameter names: `a[b][c]` is a path.

use std::borrow::Cow;

/// The most levels of a name: `a` has one, `a[b]` two.
pub(super) const MAX_DEPTH: usize = 8;

/// The levels of a decoded name from the outside in. A name whose brackets do not pair up is one level.
pub(super) fn levels(name: Cow<'_, [u8]>) -> Vec<Cow<'_, [u8]>> {
    match name {
        Cow::Borrowed(name) => split(name).into_iter().map(Cow::Borrowed).collect(),
        Cow::Owned(name) => split(&name).into_iter().map(|level| Cow::Owned(level.to_vec())).collect(),
    }
}

fn split(name: &[u8]) -> Vec<&[u8]> {
    nested(name).unwrap_or_else(|| vec![name])
}

/// The levels of a name with well-formed brackets behind at least one character.
fn nested(name: &[u8]) -> Option<Vec<&[u8]>> {
    let (top, mut rest) = name.split_at(memchr::memchr(b'[', name).filter(|&opening| opening > 0)?);
    let mut levels = vec![top];
    while !rest.is_empty() {
        let inner = rest.strip_prefix(b"[")?;
        let (level, behind) = inner.split_at(memchr::memchr(b']', inner)?);
        levels.push(level);
        rest = behind.get(1..)?;
    }
    Some(levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::percent::decode_form;

    fn path(name: &str) -> Vec<String> {
        let levels = levels(decode_form(name));
        levels.iter().map(|level| String::from_utf8_lossy(level).into_owned()).collect()
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
