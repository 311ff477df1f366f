//! Parameter names: `a[b][c]` is a path.

use std::borrow::Cow;

use super::percent::decode_form;

/// The most levels of a name: `a` has one, `a[b]` two.
pub(super) const MAX_DEPTH: usize = 8;

/// The levels of most names with brackets.
const USUAL_DEPTH: usize = 2;

/// The path of a name, decoded. A name whose brackets do not pair up is a path of its own.
///
/// Brackets are looked for before anything is decoded, because then most segments need no copy. It
/// comes to the same: an encoded bracket is always a whole escape, for no escape holds a `%`.
pub(super) fn split_name(raw: &str) -> Vec<Cow<'_, [u8]>> {
    nested(raw).unwrap_or_else(|| vec![decode_form(raw)])
}

/// The path of a name with well-formed brackets behind at least one character.
fn nested(raw: &str) -> Option<Vec<Cow<'_, [u8]>>> {
    let (top, inner) = split_at_bracket(raw, "[", "%5B", "%5b")?;
    if top.is_empty() {
        return None;
    }
    let mut path = Vec::with_capacity(USUAL_DEPTH);
    path.push(decode_form(top));
    let mut rest = Some(inner);
    while let Some(inner) = rest {
        let (segment, behind) = split_at_bracket(inner, "]", "%5D", "%5d")?;
        path.push(decode_form(segment));
        rest = match behind {
            "" => None,
            behind => Some(split_at_bracket(behind, "[", "%5B", "%5b").filter(|(gap, _)| gap.is_empty())?.1),
        };
    }
    Some(path)
}

/// What stands before and behind the first bracket, plain or encoded.
fn split_at_bracket<'q>(raw: &'q str, plain: &str, upper: &str, lower: &str) -> Option<(&'q str, &'q str)> {
    let starts = raw.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'[' | b']' | b'%'));
    starts.into_iter().find_map(|(at, _)| {
        let (before, from) = raw.split_at_checked(at)?;
        let behind = [plain, upper, lower].into_iter().find_map(|bracket| from.strip_prefix(bracket))?;
        Some((before, behind))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
