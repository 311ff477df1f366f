//! Reads a body as an operation does, without a request.

use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;
use pointbook_http::body::BodyFields;

/// What an operation reads from the text of a body.
///
/// # Errors
/// Those of the operation.
///
/// # Panics
/// When the text is no JSON object: the test is wrong.
pub fn read_text<T>(
    body: &str,
    read: impl FnOnce(BodyFields<'_>) -> Result<T, FieldErrors>,
) -> Result<T, FieldErrors> {
    let Ok(Json::Object(members)) = Json::parse(body.as_bytes()) else { panic!("no object: {body}") };
    read(BodyFields::new(&members, FieldErrors::default()))
}
