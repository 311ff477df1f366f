//! The parameter of a path.

use http::Uri;
use pointbook_domain::id::IdError;

use crate::ApiError;
use crate::query::percent::decode_segment;

/// Which segment the parameter is, from 0, in every path that has one.
const PLACE: usize = 3;

/// The id in a path, decoded after it was split off, so that `%2F` is part of it.
///
/// # Errors
/// [`ApiError::NotFound`]: an id that nothing can have is one that nothing has.
pub(in crate::routes) fn path_id<T>(
    uri: &Uri,
    new: impl FnOnce(Box<str>) -> Result<T, IdError>,
) -> Result<T, ApiError> {
    let segment = uri.path().split('/').skip(1).nth(PLACE).ok_or(ApiError::NotFound)?;
    let text = decode_segment(segment).ok_or(ApiError::NotFound)?;
    new(text.into()).map_err(|_| ApiError::NotFound)
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
            let uri: Uri = format!("/v1/manage/users/{segment}/tokens?x=/y").parse().unwrap();
            path_id(&uri, UserId::new).ok().map(|id| id.to_string())
        };
        assert_eq!(id("a%2Fb%20c").as_deref(), Some("a/b c"));
        for bad in ["%FF", "100%", "a%00b", &"a".repeat(256)] {
            assert_eq!(id(bad), None, "{bad}");
        }
    }
}
