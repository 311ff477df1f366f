//! The `Idempotency-Key` of a request, with its owner and the hash of the request.

use bytes::Bytes;
use http::header::IF_MATCH;
use http::{HeaderMap, HeaderName, Method};
use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_store::ports::RequestKey;
use sha2::{Digest, Sha256};

use super::error::BodyError;
use crate::head::Head;
use crate::kernel::{Repeated, only_header};

static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

const FIELD: &str = "Idempotency-Key";

const MAX_KEY_CHARS: usize = 255;

pub(super) struct Received {
    pub(super) bytes: Bytes,
    pub(super) key: Option<RequestKey>,
    /// An invalid header.
    pub(super) errors: FieldErrors,
}

/// Reads a body to its end, so that the hash covers the whole request.
pub(super) async fn receive(head: Head<'_>) -> Result<Received, BodyError> {
    let bytes = head.receive_body().await?;
    let mut errors = FieldErrors::default();
    let key = header(head.method, head.headers).unwrap_or_else(|rule| {
        let message = format!("The {FIELD} {rule}.");
        errors.refuse(FIELD, Rule::sentence(FieldCode::InvalidIdempotencyKey, message));
        None
    });
    let key = key.map(|key| sealed(key, head, &bytes)).transpose()?;
    Ok(Received { bytes, key, errors })
}

/// The key of a POST: 1 to 255 visible ASCII characters, once. Other methods are safe to repeat without a key.
fn header<'h>(method: &Method, headers: &'h HeaderMap) -> Result<Option<&'h str>, String> {
    if *method != Method::POST {
        return Ok(None);
    }
    let only = only_header(headers, &IDEMPOTENCY_KEY).map_err(|Repeated| "header stands twice".to_owned())?;
    let Some(value) = only else { return Ok(None) };
    let is_good = |text: &&str| {
        (1..=MAX_KEY_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    let text = value.to_str().ok().filter(is_good);
    text.map(Some).ok_or_else(|| format!("must have 1 to {MAX_KEY_CHARS} visible characters of ASCII"))
}

/// The key, bound to its sender and to the method, the path with its query, and the body.
fn sealed(key: &str, head: Head<'_>, body: &[u8]) -> Result<RequestKey, BodyError> {
    let sender = head.sender.ok_or(BodyError::Unauthenticated)?;
    let mut hash = Sha256::new();
    // No method and no target contains a line end, so the parts cannot be confused.
    hash.update(head.method.as_str());
    hash.update(b"\n");
    hash.update(head.path);
    if let Some(query) = head.query {
        hash.update(b"?");
        hash.update(query);
    }
    hash.update(b"\n");
    // A client that read again sends another condition, and must not get the first response.
    for tags in head.headers.get_all(IF_MATCH) {
        hash.update(tags.as_bytes());
        hash.update(b"\n");
    }
    hash.update(body);
    let (principal, max_kept) = (sender.key_owner(), sender.max_kept_keys());
    Ok(RequestKey { principal, key: key.to_owned(), fingerprint: hash.finalize().into(), max_kept })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(values: &[&str]) -> Result<Option<String>, String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&IDEMPOTENCY_KEY, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        assert_eq!(header(&Method::PUT, &headers), Ok(None));
        header(&Method::POST, &headers).map(|key| key.map(str::to_owned))
    }

    #[test]
    fn a_key_is_1_to_255_visible_characters_of_ascii() {
        assert_eq!(read(&[]), Ok(None));
        let longest = "x".repeat(255);
        for good in ["a", "!~", "5f0e-\"{}\"", &longest] {
            assert_eq!(read(&[good]), Ok(Some(good.to_owned())));
        }
        for bad in ["", " ", "a b", "é", "a\tb", &"x".repeat(256)] {
            assert_eq!(
                read(&[bad]),
                Err("must have 1 to 255 visible characters of ASCII".to_owned()),
                "{bad:?}"
            );
        }
        assert_eq!(read(&["a", "a"]), Err("header stands twice".to_owned()));
    }
}
