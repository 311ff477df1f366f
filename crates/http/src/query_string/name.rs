//! Parameter names: `a[b][c]` is a path.

use super::TooMany;
use super::scan::find;

/// The most levels of a name: `a` has one, `a[b]` two.
pub const MAX_DEPTH: usize = 8;

/// Capacity for the levels of a name.
pub(super) const NO_LEVELS: [&[u8]; MAX_DEPTH] = [&[]; MAX_DEPTH];

/// The levels of a decoded name from the outside in. A name with unpaired brackets is one level.
///
/// # Errors
/// For too many levels.
pub(super) fn path<'n, 'l>(
    name: &'n [u8],
    levels: &'l mut [&'n [u8]; MAX_DEPTH],
) -> Result<&'l [&'n [u8]], TooMany> {
    let depth = nest(name, levels).unwrap_or_else(|| {
        levels[0] = name;
        1
    });
    levels.get(..depth).ok_or(TooMany { what: "levels", max: MAX_DEPTH })
}

/// Collects and counts the levels of a name with well-formed brackets after at least one character.
fn nest<'n>(name: &'n [u8], levels: &mut [&'n [u8]; MAX_DEPTH]) -> Option<usize> {
    let (top, mut rest) = name.split_at(find(name, b'[').filter(|&opening| opening > 0)?);
    levels[0] = top;
    let mut depth = 1;
    while !rest.is_empty() {
        let inner = rest.strip_prefix(b"[")?;
        let (level, behind) = inner.split_at(find(inner, b']')?);
        if let Some(place) = levels.get_mut(depth) {
            *place = level;
        }
        depth += 1;
        rest = behind.get(1..)?;
    }
    Some(depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_string::percent::decode_form;

    fn path(name: &str) -> Vec<String> {
        let name = decode_form(name.as_bytes());
        let mut levels = NO_LEVELS;
        let levels = super::path(&name, &mut levels).unwrap();
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
