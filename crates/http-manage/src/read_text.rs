//! For tests: reads a body as an operation does.

use pointbook_domain::json::Json;
use pointbook_endpoint_kit::error::FieldErrors;
use pointbook_requests::body::BodyFields;

pub(crate) fn read_text<T>(
    body: &str,
    read: impl FnOnce(BodyFields<'_>) -> Result<T, FieldErrors>,
) -> Result<T, FieldErrors> {
    let Ok(Json::Object(members)) = Json::parse(body.as_bytes()) else { panic!("no object: {body}") };
    read(BodyFields::new(&members, FieldErrors::default()))
}
