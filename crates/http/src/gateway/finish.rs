//! What every answer gets before it is sent.

use http::header::{CACHE_CONTROL, CONTENT_LENGTH};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use super::compression::Compression;
use super::conditional;
use super::request_id::X_REQUEST_ID;
use super::seen::Seen;
use crate::response::{Payload, Response};

/// Nothing is for shared caches, and nothing is used again without asking.
pub(crate) const PRIVATE: HeaderValue = HeaderValue::from_static("no-cache, private");

/// Room for the headers of most answers.
const HEADERS: usize = 6;
/// The most room that the headers of a request may leave behind them on their connection.
const MAX_KEPT_HEADERS: usize = 48;

/// Leaves of an answer's body what the client is to get.
pub(super) async fn settle(answer: &mut Response, seen: &Seen<'_>, compression: Option<&Compression>) {
    if matches!(seen.method, Method::GET | Method::HEAD) {
        let has_known_tag = answer.tag.is_some();
        if answer.status == StatusCode::OK {
            conditional::apply(answer, &seen.headers);
        }
        if let Some(compression) = compression {
            compression.apply(answer, seen, has_known_tag).await;
        }
    }
    if seen.method == Method::HEAD {
        drop_body(answer);
    }
}

/// An answer of the interface as it is sent.
pub(super) fn answer(answer: Response, seen: Seen<'_>) -> http::Response<Payload> {
    let Seen { headers, request_id, cors, .. } = seen;
    answer.sent(emptied(headers), |headers| {
        // An operation may be stricter.
        headers.entry(CACHE_CONTROL).or_insert(PRIVATE);
        headers.insert(X_REQUEST_ID, request_id);
        cors.write_headers(headers);
    })
}

/// The map of a request for the headers of its answer. hyper takes that of an answer for the connection's next
/// request, so that one map goes back and forth.
fn emptied(mut headers: HeaderMap) -> HeaderMap {
    if headers.capacity() > MAX_KEPT_HEADERS {
        return HeaderMap::with_capacity(HEADERS);
    }
    headers.clear();
    headers.reserve(HEADERS);
    headers
}

/// An answer that belongs to nobody's interface.
pub(super) fn probe(mut answer: Response, method: &Method) -> http::Response<Payload> {
    if *method == Method::HEAD {
        drop_body(&mut answer);
    }
    answer.sent(HeaderMap::new(), |headers| {
        headers.entry(CACHE_CONTROL).or_insert(PRIVATE);
    })
}

/// Leaves of a body only its length, as `HEAD` wants it.
fn drop_body(answer: &mut Response) {
    let body = std::mem::take(&mut answer.body);
    if !body.is_empty() {
        answer.headers.insert(CONTENT_LENGTH, body.len().into());
    }
}
