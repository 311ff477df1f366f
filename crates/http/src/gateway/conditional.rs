//! `ETag` and `If-None-Match`: an answer that the client has already is not sent again.

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use http::{HeaderValue, Response, StatusCode};
use xxhash_rust::xxh3::xxh3_64;

/// Gives a 200 its `ETag`, and turns it into a 304 when the client has that very answer.
pub(super) fn apply(response: &mut Response<Bytes>, if_none_match: &[HeaderValue]) {
    let tag = entity_tag(response.body());
    let is_known = if_none_match.iter().any(|list| lists(list.as_bytes(), &tag));
    if let Ok(value) = HeaderValue::from_bytes(&tag) {
        response.headers_mut().insert(ETAG, value);
    }
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().remove(CONTENT_TYPE);
        response.headers_mut().remove(CONTENT_LENGTH);
        *response.body_mut() = Bytes::new();
    }
}

/// A strong tag: 64 bits of hash over the body, in hexadecimal and quotes.
fn entity_tag(body: &[u8]) -> [u8; 18] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let hash = xxh3_64(body);
    let mut tag = [b'"'; 18];
    for (place, digit) in tag.iter_mut().skip(1).take(16).enumerate() {
        let nibble = (hash >> (60 - 4 * place)) & 0xf;
        *digit = DIGITS.get(usize::try_from(nibble).unwrap_or_default()).copied().unwrap_or(b'0');
    }
    tag
}

/// Whether a list of tags holds this one. Weak tags count, as RFC 9110 has it for `If-None-Match`.
fn lists(list: &[u8], tag: &[u8]) -> bool {
    list.split(|&byte| byte == b',').any(|entry| {
        let entry = entry.trim_ascii();
        entry == b"*" || entry.strip_prefix(b"W/").unwrap_or(entry) == tag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_hash_of_the_body_in_quotes() {
        let expected = format!("\"{:016x}\"", xxh3_64(b"{}"));
        assert_eq!(entity_tag(b"{}"), expected.as_bytes());
        assert_ne!(entity_tag(b"{}"), entity_tag(b"[]"));
    }

    #[test]
    fn a_list_may_hold_several_tags_weak_ones_and_a_star() {
        let tag = b"\"a\"";
        for list in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", "*", " \"b\",W/\"a\" "] {
            assert!(lists(list.as_bytes(), tag), "{list}");
        }
        for list in ["", "\"b\"", "a", "W/a", "\"a"] {
            assert!(!lists(list.as_bytes(), tag), "{list}");
        }
    }
}
