//! What every answer gets before it is sent.

use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, ETAG};
use http::{HeaderMap, Method, StatusCode};

use super::call::call;
use super::compression::Compression;
use super::conditional;
use super::request_body::RequestBody;
use super::request_id::X_REQUEST_ID;
use super::seen::Seen;
use crate::interface::Interface;
use crate::response::{Payload, Response, Tag};

/// Room for the headers of most answers.
const HEADERS: usize = 12;
/// The most room that the headers of a request may leave behind them on their connection.
const MAX_KEPT_HEADERS: usize = 48;

/// What the last steps of a request need beside it.
pub(super) struct Finish<'g, I> {
    pub(super) interface: &'g I,
    pub(super) compression: Option<&'g Compression>,
    pub(super) timeout: Duration,
}

impl<I: Interface> Finish<'_, I> {
    /// Leaves of an answer's body what the client is to get.
    pub(super) async fn settle(&self, answer: &mut Response, seen: &Seen<'_, I>, body: &RequestBody<'_>) {
        if matches!(seen.method, Method::GET | Method::HEAD) {
            // Who made it with a tag has looked already whether the client has it.
            let has_known_tag = answer.tag.is_some();
            if answer.status == StatusCode::OK && !has_known_tag {
                self.tag(answer, seen, body).await;
            }
            if let Some(compression) = self.compression {
                compression.apply(answer, seen, has_known_tag).await;
            }
        }
        if seen.method == Method::HEAD {
            drop_body(answer);
        }
    }

    /// Gives a 200 the tag of its body under the key of its tenant. Where the key cannot be read within the time of a
    /// request, the answer is the failure.
    async fn tag(&self, answer: &mut Response, seen: &Seen<'_, I>, body: &RequestBody<'_>) {
        let Some(found) = &seen.found else { return };
        let has_own_tag = answer.headers.contains_key(ETAG);
        let bytes = if has_own_tag { Bytes::new() } else { answer.body.bytes().clone() };
        let hash = call(I::content_hash(found.served, seen.now, &bytes), self.timeout, body).await;
        let refused = match hash {
            Ok(Ok(_)) if has_own_tag => return,
            Ok(Ok(hash)) => return conditional::apply(answer, Tag::of_hash(hash), &seen.headers),
            Ok(Err(refused)) => refused,
            Err(failure) => I::refuse(seen.blame(failure)),
        };
        *answer = refused;
        seen.log_failure(answer, self.interface);
    }
}

/// An answer of the interface as it is sent.
pub(super) fn answer<I: Interface>(answer: Response, seen: Seen<'_, I>) -> http::Response<Payload> {
    let Seen { headers, request_id, cors, .. } = seen;
    answer.sent(emptied(headers), |headers| {
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

/// An answer that belongs to no tenant, as it is sent.
pub(super) fn at_root(mut answer: Response, method: &Method) -> http::Response<Payload> {
    if *method == Method::HEAD {
        drop_body(&mut answer);
    }
    answer.sent(HeaderMap::new(), |_| {})
}

/// Leaves of a body only its length, as `HEAD` wants it.
fn drop_body(answer: &mut Response) {
    let body = std::mem::take(&mut answer.body);
    if !body.is_empty() {
        answer.headers.insert(CONTENT_LENGTH, body.len().into());
    }
}
