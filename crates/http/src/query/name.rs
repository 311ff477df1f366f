//! Parameter names: `a[b][c]` is a path.

use std::borrow::Cow;

/// The most levels of a name: `a` has one, `a[b]` two.
pub(super) const MAX_DEPTH: usize = 8;

/// Splits a decoded name into its path. A name whose brackets do not pair up is a path of its own.
pub(super) fn split_name(name: Cow<'_, [u8]>) -> Vec<Cow<'_, [u8]>> {
    match name {
        Cow::Borrowed(name) => segments(name).into_iter().map(Cow::Borrowed).collect(),
        Cow::Owned(name) => segments(&name).into_iter().map(|part| Cow::Owned(part.to_vec())).collect(),
    }
}

fn segments(name: &[u8]) -> Vec<&[u8]> {
    nested(name).unwrap_or_else(|| vec![name])
}

/// The path of a name with well-formed brackets behind at least one character.
fn nested(name: &[u8]) -> Option<Vec<&[u8]>> {
    let (top, mut rest) = name.split_at(name.iter().position(|byte| *byte == b'[')?);
    if top.is_empty() {
        return None;
    }
    let mut path = vec![top];
    while !rest.is_empty() {
        let inner = rest.strip_prefix(b"[")?;
        let (segment, behind) = inner.split_at(inner.iter().position(|byte| *byte == b']')?);
        path.push(segment);
        rest = behind.strip_prefix(b"]")?;
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> Vec<String> {
        let parts = split_name(Cow::Borrowed(name.as_bytes()));
        parts.iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect()
    }

    #[test]
    fn brackets_nest() {
        assert_eq!(path("page"), ["page"]);
        assert_eq!(path("filter[title][]"), ["filter", "title", ""]);
        assert_eq!(path("a[b c][0][d]"), ["a", "b c", "0", "d"]);
    }

    #[test]
    fn brackets_that_do_not_pair_up_are_part_of_the_name() {
        for name in ["a[", "a[b", "a]b", "a[b]c", "[a]", "[]", "a[b][", ""] {
            assert_eq!(path(name), [name]);
        }
    }
}
