//! Every error response of the service: the one table of statuses, codes and bodies.

mod conflict;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, StatusCode as Status};
pub use pointbook_domain::errors::{ErrorCode, FieldCode, FieldErrors, Rule};
use pointbook_domain::errors::{ErrorCode as Code, FieldCodes};
use pointbook_domain::json::JsonProblem;
use pointbook_domain::{Feed, Scope};
use pointbook_store::StoreError;
use serde::Serialize;

pub use self::conflict::Conflict;
use crate::body::BodyError;
pub use crate::body::Expected;
use crate::kernel::{RETRY_AFTER_SECONDS, Refusal, Response, json};
pub use crate::rate_limit::count::RateLimit;

/// How many bytes of an unknown method a message has, because clients may send long ones.
const MAX_SHOWN_METHOD_BYTES: usize = 32;

/// The header with the code of an error. Every error response has it.
pub const ERROR_CODE: HeaderName = HeaderName::from_static("error-code");

/// Which members the body of an error has. The status and the headers do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorShape {
    /// Only those of the documented interface: on its four reads, and on an error that belongs to no operation.
    Documented,
    /// Also the code and what explains it: on an operation that pointbook adds.
    WithCode,
}

/// An error response. Bodies and headers are those of the API guide. They contain no internal text.
#[derive(Debug)]
pub enum ApiError {
    /// 400: the body ended early, or its chunks are malformed.
    BadRequest,
    /// The `Host` header is missing, invalid or repeated.
    InvalidHost,
    MalformedJson(JsonProblem),
    /// 401: the token is missing or not valid. The response does not say which.
    Unauthenticated,
    /// 403: a customer's token on an operation of the back office.
    Forbidden,
    /// 403: the key lacks the scope of the operation.
    MissingScope(Scope),
    /// 403: the client's address is outside of the key's networks.
    ForeignAddress,
    UnknownBaseUrl,
    UnknownRoute,
    NotFound,
    /// 404 of the product detail, with its documented body.
    ProductNotFound,
    /// 405: the route has other methods, listed in `Allow`.
    MethodNotAllowed {
        method: Method,
        allowed: Cow<'static, str>,
    },
    RequestTimeout,
    Conflict(Conflict),
    /// 410: the events after the cursor are gone, or the feed begins anew.
    CursorGone(Feed),
    /// 412: the stored object does not match `If-Match` or `If-None-Match`.
    PreconditionFailed,
    PayloadTooLarge,
    UriTooLong,
    UnsupportedMediaType(Expected),
    /// 422: all parameters and fields that were refused.
    Invalid(FieldErrors),
    /// 429: the customer has used up the requests of this minute.
    TooManyRequests(RateLimit),
    /// 500: the server failed. The cause is logged where the error is handled, and never sent.
    Internal,
    /// 503: overloaded, out of time, or the database is away.
    Unavailable,
    /// [`ApiError::Unavailable`] or [`ApiError::Internal`], depending on the error of the store.
    Store(StoreError),
}

fn write_rate(rate: &RateLimit, headers: &mut HeaderMap) {
    headers.insert(RETRY_AFTER, rate.retry_after_seconds.into());
    headers.insert(HeaderName::from_static("x-ratelimit-limit"), rate.limit.into());
    headers.insert(HeaderName::from_static("x-ratelimit-remaining"), rate.remaining.into());
    headers.insert(HeaderName::from_static("x-ratelimit-reset"), rate.reset_at.into());
}

/// The members of the documented interface.
#[derive(Serialize)]
struct DocumentedBody<'e> {
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    message: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<&'e FieldErrors>,
}

/// The body of an error of an operation that pointbook adds.
#[derive(Serialize)]
struct BodyWithCode<'e> {
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    message: &'e str,
    code: ErrorCode,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    earliest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<&'e FieldErrors>,
    #[serde(skip_serializing_if = "Option::is_none")]
    codes: Option<FieldCodes<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'static str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    problem: Option<&'e JsonProblem>,
}

const fn too_many(message: &'static str) -> (StatusCode, ErrorCode, &'static str) {
    (StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, message)
}

const fn forbidden(code: ErrorCode) -> (StatusCode, ErrorCode, &'static str) {
    (StatusCode::FORBIDDEN, code, "This action is unauthorized.")
}

impl ApiError {
    /// The table: the status, the code for programs, and the message for people.
    fn row(&self) -> (StatusCode, ErrorCode, Cow<'static, str>) {
        let (status, code, message) = match self {
            Self::BadRequest => (Status::BAD_REQUEST, Code::BrokenBody, "Bad request."),
            Self::InvalidHost => (Status::BAD_REQUEST, Code::InvalidHost, "Bad request."),
            Self::MalformedJson(_) => (Status::BAD_REQUEST, Code::MalformedJson, "Bad request."),
            Self::Unauthenticated => (Status::UNAUTHORIZED, Code::Unauthenticated, "Unauthenticated."),
            Self::Forbidden => forbidden(Code::Forbidden),
            Self::MissingScope(_) => forbidden(Code::MissingScope),
            Self::ForeignAddress => forbidden(Code::AddressNotAllowed),
            Self::UnknownBaseUrl => (Status::NOT_FOUND, Code::UnknownBaseUrl, "Not found."),
            Self::UnknownRoute => (Status::NOT_FOUND, Code::UnknownRoute, "Not found."),
            Self::NotFound => (Status::NOT_FOUND, Code::NotFound, "Not found."),
            Self::ProductNotFound => (Status::NOT_FOUND, Code::ProductNotFound, "Product not found"),
            Self::MethodNotAllowed { method, allowed } => {
                let message = method_not_allowed(method.as_str(), allowed);
                return (Status::METHOD_NOT_ALLOWED, Code::MethodNotAllowed, message.into());
            }
            Self::RequestTimeout => (Status::REQUEST_TIMEOUT, Code::RequestTimeout, "Request Timeout"),
            Self::Conflict(conflict) => (Status::CONFLICT, conflict.code(), conflict.message()),
            Self::CursorGone(_) => (
                Status::GONE,
                Code::CursorGone,
                "The events after this cursor are gone: begin at earliest, after an export.",
            ),
            Self::PreconditionFailed => {
                (Status::PRECONDITION_FAILED, Code::PreconditionFailed, "Precondition failed.")
            }
            Self::PayloadTooLarge => (Status::PAYLOAD_TOO_LARGE, Code::PayloadTooLarge, "Payload too large."),
            Self::UriTooLong => (Status::URI_TOO_LONG, Code::UriTooLong, "URI too long."),
            Self::UnsupportedMediaType(kind) => {
                (Status::UNSUPPORTED_MEDIA_TYPE, Code::UnsupportedMediaType, kind.message())
            }
            Self::Invalid(_) => (Status::UNPROCESSABLE_ENTITY, Code::Invalid, "The given data was invalid."),
            Self::TooManyRequests(_) => too_many("Too Many Attempts."),
            Self::Internal => (Status::INTERNAL_SERVER_ERROR, Code::ServerError, "Server Error."),
            Self::Unavailable => (Status::SERVICE_UNAVAILABLE, Code::Unavailable, "Service Unavailable"),
            Self::Store(error) => return without_cause(error).row(),
        };
        (status, code, message.into())
    }

    pub fn status(&self) -> StatusCode {
        self.row().0
    }

    pub fn body(&self, shape: ErrorShape) -> Vec<u8> {
        let (_, code, message) = self.row();
        let errors = if let Self::Invalid(errors) = self { Some(errors) } else { None };
        let success = matches!(self, Self::ProductNotFound).then_some(false);
        if shape == ErrorShape::Documented {
            let body = DocumentedBody { success, message: &message, errors };
            // Strings and lists of strings always serialise.
            return serde_json::to_vec(&body).unwrap_or_default();
        }
        let body = BodyWithCode {
            success,
            message: &message,
            code,
            scope: if let Self::MissingScope(scope) = self { Some(scope.as_str()) } else { None },
            earliest: if let Self::CursorGone(feed) = self { Some(feed.begin().to_string()) } else { None },
            errors,
            codes: errors.map(FieldErrors::codes),
            detail: matches!(self, Self::InvalidHost).then_some("The Host header is missing or invalid."),
            problem: if let Self::MalformedJson(problem) = self { Some(problem) } else { None },
        };
        serde_json::to_vec(&body).unwrap_or_default()
    }

    /// The response. It carries the store's error for the log only.
    pub fn into_response(self, shape: ErrorShape) -> Response {
        let mut response = json(self.status(), self.body(shape));
        self.write_headers(&mut response.headers);
        if let Self::Store(error) = self {
            response.failure = Some(Arc::new(error));
        }
        response
    }

    pub fn write_headers(&self, headers: &mut HeaderMap) {
        let (_, code, _) = self.row();
        headers.insert(ERROR_CODE, HeaderValue::from_static(code.as_str()));
        match self {
            Self::Unauthenticated => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::MethodNotAllowed { allowed, .. } => {
                // Contains only names of methods, so it is a valid header value.
                headers.extend(HeaderValue::try_from(&**allowed).ok().map(|allowed| (ALLOW, allowed)));
            }
            Self::TooManyRequests(rate) => write_rate(rate, headers),
            Self::Unavailable => {
                headers.insert(RETRY_AFTER, RETRY_AFTER_SECONDS.into());
            }
            Self::Store(error) => without_cause(error).write_headers(headers),
            _ => {}
        }
    }
}

fn method_not_allowed(method: &str, allowed: &str) -> String {
    let method = method.get(..MAX_SHOWN_METHOD_BYTES).unwrap_or(method);
    format!("The {method} method is not supported for this route. Supported methods: {allowed}.")
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.row().2)
    }
}

impl From<FieldErrors> for ApiError {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid(errors)
    }
}

impl From<Conflict> for ApiError {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

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

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::Refused(refusal) => refusal.into(),
            BodyError::Unauthenticated => Self::Unauthenticated,
            BodyError::UnsupportedMediaType(expected) => Self::UnsupportedMediaType(expected),
            BodyError::MalformedJson(problem) => Self::MalformedJson(problem),
            BodyError::Invalid(errors) => Self::Invalid(errors),
        }
    }
}

/// The error without the cause, for clients.
fn without_cause(error: &StoreError) -> ApiError {
    match error {
        StoreError::Unavailable(_) | StoreError::Overloaded => ApiError::Unavailable,
        StoreError::Failed(_) | StoreError::Corrupt(_) => ApiError::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_method_is_not_said_back_whole() {
        let message = |method: &str| {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            ApiError::MethodNotAllowed { method, allowed: "GET".into() }.to_string()
        };
        let said = |method: &str| {
            format!("The {method} method is not supported for this route. Supported methods: GET.")
        };
        assert_eq!(message(&"M".repeat(32)), said(&"M".repeat(32)));
        assert_eq!(message(&"M".repeat(33)), said(&"M".repeat(32)));
    }
}
