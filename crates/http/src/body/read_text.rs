//! For tests: reads a body as an operation does.

use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;

use super::BodyFields;

/// What an operation reads from the text of a body.
///
/// # Errors
/// Those of the operation, and none when the text is no JSON object.
#[doc(hidden)]
pub fn read_text<T>(
    body: &str,
    read: impl FnOnce(BodyFields<'_>) -> Result<T, FieldErrors>,
) -> Result<T, FieldErrors> {
    let Ok(Json::Object(members)) = Json::parse(body.as_bytes()) else { return Err(FieldErrors::default()) };
    read(BodyFields::new(&members, FieldErrors::default()))
}
