//! What every answer gets before it is sent.

use http::header::{CACHE_CONTROL, CONTENT_LENGTH};
use http::{HeaderValue, Method, StatusCode};

use super::conditional;
use super::request_id::X_REQUEST_ID;
use super::seen::Seen;
use crate::response::Response;

/// Nothing is for shared caches, and nothing is used again without asking.
pub(crate) const PRIVATE: HeaderValue = HeaderValue::from_static("no-cache, private");

/// An answer of the interface.
pub(super) fn answer(answer: &mut Response, seen: &Seen) {
    // An operation may be stricter.
    answer.headers.entry(CACHE_CONTROL).or_insert(PRIVATE);
    answer.headers.insert(X_REQUEST_ID, seen.request_id.clone());
    seen.cors.write_headers(&mut answer.headers);
    let is_read = matches!(seen.method, Method::GET | Method::HEAD);
    if is_read && answer.status == StatusCode::OK {
        conditional::apply(answer, &seen.headers);
    }
    if seen.method == Method::HEAD {
        drop_body(answer);
    }
}

/// An answer about health.
pub(super) fn probe(answer: &mut Response, method: &Method) {
    answer.headers.insert(CACHE_CONTROL, PRIVATE);
    if *method == Method::HEAD {
        drop_body(answer);
    }
}

/// Leaves of a body only its length, as `HEAD` wants it.
fn drop_body(answer: &mut Response) {
    let body = std::mem::take(&mut answer.body);
    if !body.is_empty() {
        answer.headers.insert(CONTENT_LENGTH, body.len().into());
    }
}
