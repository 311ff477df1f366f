//! What every answer gets before it is sent.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH};
use http::{HeaderValue, Method, Response, StatusCode};
use http_body_util::Full;

use super::conditional;
use super::request_id::X_REQUEST_ID;
use super::seen::Seen;

/// Nothing is for shared caches, and nothing is used again without asking.
pub(crate) const PRIVATE: HeaderValue = HeaderValue::from_static("no-cache, private");

/// How many headers are added at most, so that the map grows once.
const ADDED_HEADERS: usize = 6;

/// An answer of the interface.
pub(super) fn answer(mut answer: Response<Bytes>, seen: &mut Seen) -> Response<Bytes> {
    let headers = answer.headers_mut();
    headers.reserve(ADDED_HEADERS);
    // An operation may be stricter.
    headers.entry(CACHE_CONTROL).or_insert(PRIVATE);
    headers.insert(X_REQUEST_ID, seen.request_id.clone());
    std::mem::take(&mut seen.cors).write_headers(headers);
    let is_read = matches!(seen.method, Method::GET | Method::HEAD);
    if is_read && answer.status() == StatusCode::OK {
        conditional::apply(&mut answer, &seen.if_none_match);
    }
    if seen.method == Method::HEAD {
        drop_body(&mut answer);
    }
    answer
}

/// An answer about health.
pub(super) fn probe(mut answer: Response<Bytes>, method: &Method) -> Response<Full<Bytes>> {
    answer.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    if *method == Method::HEAD {
        drop_body(&mut answer);
    }
    answer.map(Full::new)
}

/// Leaves of a body only its length, as `HEAD` wants it.
fn drop_body(answer: &mut Response<Bytes>) {
    let body = std::mem::take(answer.body_mut());
    if !body.is_empty() {
        answer.headers_mut().insert(CONTENT_LENGTH, body.len().into());
    }
}
