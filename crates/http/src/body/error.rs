//! Why a body cannot be read.

use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::JsonProblem;

use crate::kernel::Refusal;

/// Why a body is refused. The table of errors has the response to each (`crate::error`).
#[derive(Debug)]
pub enum BodyError {
    /// The body did not arrive as a whole.
    Refused(Refusal),
    /// The request has an idempotency key, but no known sender who could own it.
    Unauthenticated,
    UnsupportedMediaType(Expected),
    MalformedJson(JsonProblem),
    /// The errors of the whole body, or of its idempotency key.
    Invalid(FieldErrors),
}

/// The body that the operation expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Json,
    /// A JSON value on each line.
    Lines,
    NoCoding,
}

impl Expected {
    pub fn message(self) -> &'static str {
        match self {
            Self::Json => "Unsupported media type. Send the body as application/json.",
            Self::Lines => "Unsupported media type. Send the body as application/x-ndjson.",
            Self::NoCoding => "Unsupported media type. Send the body without a Content-Encoding.",
        }
    }
}

impl From<Refusal> for BodyError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<FieldErrors> for BodyError {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid(errors)
    }
}
