//! The parameter of a path.

use std::borrow::Cow;

use pointbook_domain::id::IdError;

use crate::body::{BodyFields, id};
use crate::query::percent::decode_segment;

/// Which segment the parameter is, from 0, in every path that has one.
const PLACE: usize = 3;

/// The id in a path, decoded after it was split off, so that `%2F` is part of it. None for what nothing
/// can have as its id, so that nothing has it.
pub(in crate::routes) fn path_id<T>(path: &str, new: impl Fn(Box<str>) -> Result<T, IdError>) -> Option<T> {
    new(segment(path)?.into()).ok()
}

/// The same for an operation that creates what it does not find: the id is a field beside those of the
/// body, read before them.
pub(in crate::routes) fn new_path_id<T>(
    fields: &mut BodyFields<'_>,
    name: &'static str,
    path: &str,
    new: impl Fn(Box<str>) -> Result<T, IdError>,
) -> Option<T> {
    let Some(text) = segment(path) else {
        fields.refuse(name, "must be UTF-8, percent-encoded");
        return None;
    };
    fields.beside(name, text.into_owned(), id(new))
}

/// The parameter decoded, for what only looks for it: a text that nothing can have as its id is not found.
pub(in crate::routes) fn segment(path: &str) -> Option<Cow<'_, str>> {
    let slash = |(place, byte)| (byte == b'/').then_some(place);
    let before = path.bytes().enumerate().filter_map(slash).nth(PLACE)?;
    let rest = path.get(before + 1..)?;
    let end = rest.bytes().position(|byte| byte == b'/').unwrap_or(rest.len());
    let segment = rest.get(..end)?;
    if segment.bytes().all(|byte| byte != b'%') { Some(segment.into()) } else { decode_segment(segment) }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::UserId;

    use super::super::routes;
    use super::*;

    #[test]
    fn every_parameter_is_the_fourth_segment_and_the_only_one() {
        for route in routes() {
            let segments = route.path.split('/').skip(1).enumerate();
            let places: Vec<_> = segments.filter(|(_, segment)| segment.starts_with('{')).collect();
            assert!(places.iter().all(|(place, _)| *place == PLACE), "{}", route.path);
        }
    }

    #[test]
    fn an_id_may_hold_any_character() {
        let id = |segment: &str| {
            path_id(&format!("/v1/manage/users/{segment}/tokens"), UserId::new).map(|id| id.to_string())
        };
        assert_eq!(id("a%2Fb%20%3F+c").as_deref(), Some("a/b ?+c"));
        assert_eq!(id("%E3%81%8B").as_deref(), Some("か"));
        for bad in ["%FF", "100%", "a%00b", &"a".repeat(256)] {
            assert_eq!(id(bad), None, "{bad}");
        }
    }
}
