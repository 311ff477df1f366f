//! Responses: pages, redirects, and the pages of errors.

use std::sync::Arc;

use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY,
    RETRY_AFTER,
};
use http::{HeaderValue, StatusCode};
use maud::Markup;
use pointbook_store::StoreError;

use crate::kernel::{RETRY_AFTER_SECONDS, Refusal, Response};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// Pages load only from this server, except pictures of products. No page may frame them.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; \
     manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/// Addresses of pages may contain a one-time link, so no other server learns them.
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");
/// Pages show what is of one member, perhaps on a shared computer.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// A response with a page in a language.
pub fn html_in(language: &HeaderValue, status: StatusCode, markup: Markup) -> Response {
    let mut response = Response::empty(status);
    response.body = markup.into_string().into();
    response.headers.insert(CONTENT_TYPE, HTML);
    response.headers.insert(CONTENT_LANGUAGE, language.clone());
    response.headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    response.headers.insert(REFERRER_POLICY, SAME_ORIGIN);
    response.headers.insert(CACHE_CONTROL, NO_STORE);
    response
}

/// Sends the browser to another page with GET. The path is encoded.
pub fn see_other(path: &str) -> Response {
    let mut response = Response::empty(StatusCode::SEE_OTHER);
    response.headers.insert(CACHE_CONTROL, NO_STORE);
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers.insert(LOCATION, path);
    }
    response
}

/// Why a page cannot be shown.
#[derive(Debug)]
pub enum PageError {
    NotFound,
    /// It has only these methods.
    MethodNotAllowed(String),
    /// Only visitors who are signed in may see it.
    SignedOut,
    /// A form that another site may have sent, or that is of another session.
    ForeignForm,
    /// The visitor is signed in, and the role of the visitor does not allow the page.
    Forbidden,
    /// A form or an address that no page of this server makes.
    BadRequest,
    /// What a page says of a request that it cannot serve: the texts of its heading and of what to do.
    Said {
        status: StatusCode,
        texts: [&'static str; 2],
    },
    /// The visitor sent too many requests. `None` when the wait has no known end.
    TooManyRequests {
        retry_after_seconds: Option<u64>,
    },
    /// The one-time link cannot be used, for the reason of this text.
    Link(&'static str),
    Store(StoreError),
    /// The gateway refuses the request, or the body of a form.
    Refused(Refusal),
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl PageError {
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::SignedOut => StatusCode::UNAUTHORIZED,
            Self::ForeignForm | Self::Forbidden => StatusCode::FORBIDDEN,
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Store(StoreError::Unavailable(_) | StoreError::Overloaded) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Refused(refusal) => status_of(refusal),
            Self::Said { status, .. } => *status,
            Self::BadRequest | Self::Link(_) => StatusCode::BAD_REQUEST,
        }
    }

    /// The messages with its heading and with what to do.
    pub fn texts(&self) -> [&'static str; 2] {
        match self {
            Self::NotFound | Self::MethodNotAllowed(_) => NOT_FOUND,
            Self::SignedOut => ["sign-in", "sign-in-hint"],
            Self::ForeignForm => ["error-form", "error-form-hint"],
            Self::BadRequest => ["error-request", "error-request-hint"],
            Self::Refused(refusal) => texts_of(refusal),
            Self::Forbidden => ["error-forbidden", "error-forbidden-hint"],
            Self::Said { texts, .. } => *texts,
            Self::TooManyRequests { .. } => ["error-too-many", "error-too-many-hint"],
            Self::Link(reason) => ["error-link", reason],
            Self::Store(StoreError::Unavailable(_) | StoreError::Overloaded) => BUSY,
            Self::Store(_) => INTERNAL,
        }
    }

    /// Adds what clients and the log get besides the page.
    pub fn add_headers(self, response: &mut Response) {
        if response.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers.insert(RETRY_AFTER, RETRY_AFTER_SECONDS.into());
        }
        match self {
            Self::Store(error) => response.failure = Some(Arc::new(error)),
            Self::TooManyRequests { retry_after_seconds } => {
                response.headers.extend(retry_after_seconds.map(|seconds| (RETRY_AFTER, seconds.into())));
            }
            Self::MethodNotAllowed(methods) => {
                response.headers.extend(HeaderValue::from_str(&methods).ok().map(|methods| (ALLOW, methods)));
            }
            _ => {}
        }
    }
}

const NOT_FOUND: [&str; 2] = ["error-not-found", "error-not-found-hint"];
const BUSY: [&str; 2] = ["error-busy", "error-busy-hint"];
const INTERNAL: [&str; 2] = ["error-internal", "error-internal-hint"];

/// The status of a refusal, as the interface has it.
fn status_of(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::BadRequest | Refusal::InvalidHost => StatusCode::BAD_REQUEST,
        Refusal::UnknownBaseUrl | Refusal::NotFound => StatusCode::NOT_FOUND,
        Refusal::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
        Refusal::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
        Refusal::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::UriTooLong => StatusCode::URI_TOO_LONG,
        Refusal::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Refusal::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

fn texts_of(refusal: &Refusal) -> [&'static str; 2] {
    match refusal {
        Refusal::UnknownBaseUrl | Refusal::NotFound | Refusal::MethodNotAllowed { .. } => NOT_FOUND,
        Refusal::RequestTimeout => ["error-slow", "error-slow-hint"],
        Refusal::Internal => INTERNAL,
        Refusal::Unavailable => BUSY,
        Refusal::PayloadTooLarge => ["error-too-large", "error-too-large-hint"],
        Refusal::BadRequest | Refusal::InvalidHost | Refusal::UriTooLong => {
            ["error-request", "error-request-hint"]
        }
    }
}
