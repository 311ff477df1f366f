//! For tests: reads a body as an operation does.

use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;

use super::BodyFields;

/// What an operation reads from the text of a body.
///
/// # Errors
/// Those of the operation.
///
/// # Panics
/// When the text is no JSON object.
#[doc(hidden)]
#[expect(clippy::panic, reason = "only tests call it")]
pub fn read_text<T>(
    body: &str,
    read: impl FnOnce(BodyFields<'_>) -> Result<T, FieldErrors>,
) -> Result<T, FieldErrors> {
    let Ok(Json::Object(members)) = Json::parse(body.as_bytes()) else { panic!("no object: {body}") };
    read(BodyFields::new(&members, FieldErrors::default()))
}
