//! The last steps of every response.

use std::time::Duration;

use http::header::{ACCESS_CONTROL_EXPOSE_HEADERS, CONNECTION, CONTENT_LENGTH, ETAG};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use pointbook_domain::Timestamp;

use super::Gateway;
use super::call::call;
use super::request_body::RequestBody;
use super::request_id::X_REQUEST_ID;
use super::seen::Seen;
use crate::kernel::response::{Response, Sent};
use crate::kernel::{Interface, Tag, is_known};

/// The time of a tenant with a virtual clock, at which the request arrived.
const X_POINTBOOK_CLOCK: HeaderName = HeaderName::from_static("x-pointbook-clock");

/// Capacity for the headers of most responses.
const HEADERS: usize = 12;
/// The largest capacity of headers that a connection keeps from a request.
const MAX_KEPT_HEADERS: usize = 48;

impl<I: Interface> Gateway<I> {
    /// Cuts the body to the part that the client gets.
    pub(super) async fn settle(&self, answer: &mut Response, seen: &Seen<'_, I>, body: &RequestBody<'_>) {
        if matches!(seen.method, Method::GET | Method::HEAD) {
            // An operation with its own `ETag` has already checked whether the client has it.
            let has_known_tag = answer.tag.is_some();
            if answer.status == StatusCode::OK && !has_known_tag && !answer.headers.contains_key(ETAG) {
                self.tag(answer, seen, body).await;
            }
            if let Some(compression) = &self.compression {
                compression.apply(answer, seen, has_known_tag).await;
            }
        }
        if seen.method == Method::HEAD {
            drop_body(answer);
        }
    }

    /// Gives a 200 the `ETag` of its body under the key of its tenant, and turns it into a 304 when the client has that
    /// response. If the key cannot be read in time, the response is the failure.
    async fn tag(&self, answer: &mut Response, seen: &Seen<'_, I>, body: &RequestBody<'_>) {
        let Some(found) = &seen.found else { return };
        let bytes = answer.body.clone();
        let timeout = Duration::from_millis(self.limits.request_timeout_ms);
        let hash = self.interface.content_hash(found.served, seen.tenant_now, &bytes, seen.target());
        let refused = match call(
            hash,
            timeout,
            (&self.threads, true),
            body,
            || seen.worker(|| None),
            || seen.lane(|| None),
        )
        .await
        {
            Ok(Ok(hash)) => {
                let tag = Tag::of_hash(hash);
                answer.tag = Some(tag);
                if is_known(tag, &seen.headers) {
                    let headers = std::mem::take(&mut answer.headers);
                    *answer = Response { headers, ..Response::not_modified(tag) };
                }
                return;
            }
            Ok(Err(refused)) => refused,
            Err(reason) => self.interface.refuse(seen.blame(reason), seen.target()),
        };
        *answer = refused;
        seen.log_failure(answer, &self.interface);
    }
}

pub(super) fn sent<I: Interface>(answer: Response, seen: Seen<'_, I>) -> Sent {
    let virtual_now = seen.virtual_now();
    answer.sent(emptied(seen.headers), |headers| {
        headers.insert(X_REQUEST_ID, seen.request_id);
        seen.cors.write_headers(headers);
        if let Some(now) = virtual_now {
            write_clock(headers, now);
        }
    })
}

/// Tells the time of a tenant with a virtual clock, so that its clients do not take it for the real time.
fn write_clock(headers: &mut HeaderMap, now: Timestamp) {
    if let Ok(now) = HeaderValue::from_bytes(&now.to_ascii()) {
        headers.insert(X_POINTBOOK_CLOCK, now);
    }
    // Scripts of other origins may read it too.
    if headers.contains_key(ACCESS_CONTROL_EXPOSE_HEADERS) {
        headers.append(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("X-Pointbook-Clock"));
    }
}

/// Reuses the header map of a request for its response. hyper uses the map of a response for the connection's next request, so
/// one map goes back and forth.
fn emptied(mut headers: HeaderMap) -> HeaderMap {
    if headers.capacity() > MAX_KEPT_HEADERS {
        return HeaderMap::with_capacity(HEADERS);
    }
    headers.clear();
    headers.reserve(HEADERS);
    headers
}

/// A response without a tenant.
pub(super) fn sent_at_root(mut answer: Response, method: &Method) -> Sent {
    if *method == Method::HEAD {
        drop_body(&mut answer);
    }
    answer.sent(HeaderMap::new(), |_| {})
}

/// Keeps only the length of a body, for `HEAD`.
fn drop_body(answer: &mut Response) {
    let body = std::mem::take(&mut answer.body);
    if !body.is_empty() {
        answer.headers.insert(CONTENT_LENGTH, body.len().into());
    }
}

/// Closes the connection after this response, when the rest of the request's body requires it.
pub(super) fn close_after(answer: &mut Response, body: &RequestBody<'_>, headers: &HeaderMap) {
    if body.settle(headers) {
        answer.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
}
