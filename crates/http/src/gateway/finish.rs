//! What every answer gets before it is sent.

use http::header::CONTENT_LENGTH;
use http::{HeaderMap, Method, StatusCode};

use super::call::call;
use super::request_body::RequestBody;
use super::request_id::X_REQUEST_ID;
use super::seen::Seen;
use super::{Gateway, conditional};
use crate::response::{Payload, Response};

/// Room for the headers of most answers.
const HEADERS: usize = 12;
/// The most room that the headers of a request may leave behind them on their connection.
const MAX_KEPT_HEADERS: usize = 48;

/// Leaves of an answer's body what the client is to get.
pub(super) async fn settle(
    answer: &mut Response,
    seen: &Seen<'_>,
    body: &RequestBody<'_>,
    gateway: &Gateway,
) {
    if matches!(seen.method, Method::GET | Method::HEAD) {
        // Who made it with a tag has looked already whether the client has it.
        let has_known_tag = answer.tag.is_some();
        if answer.status == StatusCode::OK && !has_known_tag {
            tag(answer, seen, body, gateway).await;
        }
        if let Some(compression) = &gateway.compression {
            compression.apply(answer, seen, has_known_tag).await;
        }
    }
    if seen.method == Method::HEAD {
        drop_body(answer);
    }
}

/// Gives a 200 the tag of its body under the key of its tenant. Where the secret cannot be read within the time of a
/// request, the answer is the failure.
async fn tag(answer: &mut Response, seen: &Seen<'_>, body: &RequestBody<'_>, gateway: &Gateway) {
    let Some(found) = &seen.found else { return };
    let secret = call(found.tenant.secrets.get(seen.now), gateway.limits.request_timeout(), body).await;
    let error = match secret {
        Ok(Ok(secret)) => return conditional::apply(answer, secret.content_key(), &seen.headers),
        Ok(Err(error)) => error.into(),
        Err(failure) => seen.blame(failure),
    };
    *answer = error.into_response();
    seen.log_store_failure(answer, &found.tenant.health);
}

/// An answer of the interface as it is sent.
pub(super) fn answer(answer: Response, seen: Seen<'_>) -> http::Response<Payload> {
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

/// An answer that belongs to nobody's interface.
pub(super) fn probe(mut answer: Response, method: &Method) -> http::Response<Payload> {
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
