//! The ids in a path.

use pointbook_domain::id::IdError;

use crate::body::{BodyFields, Reader};
use crate::error::{ApiError, FieldCode, Rule};
use crate::path_params::PathParams;

/// The id in a path parameter.
///
/// # Errors
/// [`ApiError::NotFound`] for a value that cannot be an id.
pub fn path_id<T>(
    params: PathParams<'_>,
    param: &str,
    new: impl Fn(Box<str>) -> Result<T, IdError>,
) -> Result<T, ApiError> {
    let text = params.text(param).ok_or(ApiError::NotFound)?;
    new(text.into()).map_err(|_| ApiError::NotFound)
}

/// The same for an operation that creates a missing object: the id is the field `name`, read before the fields of the body by a reader such as
/// `new_user_id`.
pub fn new_path_id<R: Reader>(
    fields: &mut BodyFields<'_>,
    name: &'static str,
    params: PathParams<'_>,
    param: &str,
    reader: R,
) -> Option<R::Item> {
    let Some(text) = params.text(param) else {
        fields.refuse(name, Rule::new(FieldCode::NotUtf8, "must be UTF-8, percent-encoded"));
        return None;
    };
    fields.beside(name, text.into_owned(), reader)
}

#[cfg(test)]
mod tests {
    use pointbook_domain::UserId;

    use super::*;

    #[test]
    fn an_id_may_hold_any_character() {
        let id = |segment: &str| {
            let path = format!("/users/{segment}/tokens");
            let params = PathParams { pattern: "/users/{userId}/tokens", path: &path };
            path_id(params, "userId", UserId::new).ok().map(|id| id.to_string())
        };
        assert_eq!(id("a%2Fb%20%3F+c").as_deref(), Some("a/b ?+c"));
        assert_eq!(id("%E3%81%8B").as_deref(), Some("か"));
        for bad in ["", "%FF", "100%", "a%00b", &"a".repeat(256)] {
            assert_eq!(id(bad), None, "{bad}");
        }
    }
}
