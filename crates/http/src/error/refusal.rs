//! What the gateway refuses, in the words of the interface.

use pointbook_http_kernel::Refusal;

use super::ApiError;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::BadRequest => Self::BadRequest,
            Refusal::InvalidHost => Self::InvalidHost,
            Refusal::UnknownBaseUrl => Self::UnknownBaseUrl,
            Refusal::NotFound => Self::NotFound,
            Refusal::MethodNotAllowed { method, allowed } => Self::MethodNotAllowed { method, allowed },
            Refusal::RequestTimeout => Self::RequestTimeout,
            Refusal::PayloadTooLarge => Self::PayloadTooLarge,
            Refusal::UriTooLong => Self::UriTooLong,
            Refusal::Internal => Self::Internal,
            Refusal::Unavailable => Self::Unavailable,
        }
    }
}
