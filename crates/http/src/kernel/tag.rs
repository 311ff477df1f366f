//! `ETag` and `If-None-Match`.

use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};

/// A weak tag: `W/`, and 32 hexadecimal digits in quotes. The strong one is the part behind `W/`.
const WEAK_BYTES: usize = 36;
const MARK: &[u8; 2] = b"W/";

/// 128 bits of hash over what a body is made of: another body has another tag, and the same body the same one on every
/// instance and database. The key is the tenant's, so that no client can choose a body for its tag (docs/adr/0018).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag([u8; WEAK_BYTES]);

impl Tag {
    /// The tag whose hash under the tenant's key is known.
    pub fn of_hash(hash: u128) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [b'"'; WEAK_BYTES];
        text[..MARK.len()].copy_from_slice(MARK);
        let pairs = text[MARK.len() + 1..WEAK_BYTES - 1].as_chunks_mut().0;
        for (pair, byte) in pairs.iter_mut().zip(hash.to_be_bytes()) {
            *pair = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]];
        }
        Self(text)
    }

    /// The tag of a document that is no tenant's: the first half of a SHA-256.
    pub fn of_document(bytes: &[u8]) -> Self {
        let hash: [u8; 32] = Sha256::digest(bytes).into();
        let half = hash.first_chunk().copied().unwrap_or_default();
        Self::of_hash(u128::from_be_bytes(half))
    }

    /// The value of `ETag`: weak for the same content by other bytes.
    pub(crate) fn header(self, is_weak: bool) -> HeaderValue {
        let text = if is_weak { &self.0 } else { self.as_ref() };
        // Digits and quotes are always a header's value.
        HeaderValue::from_bytes(text).unwrap_or(HeaderValue::from_static("\"\""))
    }
}

impl AsRef<[u8]> for Tag {
    /// The strong form.
    fn as_ref(&self) -> &[u8] {
        &self.0[MARK.len()..]
    }
}

/// Whether the client says that it has the response with this tag. Weak tags count, as RFC 9110 has it for
/// `If-None-Match`.
pub fn is_known(tag: impl AsRef<[u8]>, request: &HeaderMap) -> bool {
    let tag = tag.as_ref();
    lists(request, |entry| entry == b"*" || entry.strip_prefix(MARK).unwrap_or(entry) == tag)
}

/// Whether the client says that it has the response with this tag by other bytes.
pub(crate) fn is_known_as_weak(tag: Tag, request: &HeaderMap) -> bool {
    lists(request, |entry| entry == tag.0)
}

fn lists(request: &HeaderMap, is_it: impl Fn(&[u8]) -> bool) -> bool {
    request.get_all(IF_NONE_MATCH).iter().map(HeaderValue::as_bytes).any(|list| {
        // Most lists are a single tag.
        is_it(list) || list.split(|&byte| byte == b',').any(|entry| is_it(entry.trim_ascii()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_32_digits_in_quotes() {
        let tag = Tag::of_hash(0x0123_4567_89ab_cdef_0011_2233_4455_66ff);
        assert_eq!(tag.header(false), "\"0123456789abcdef00112233445566ff\"");
        assert_eq!(tag.header(true), "W/\"0123456789abcdef00112233445566ff\"");
        assert_eq!(Tag::of_hash(1).header(false), "\"00000000000000000000000000000001\"");
    }

    #[test]
    fn a_document_has_the_tag_of_its_sha_256() {
        // printf '{}' | sha256sum
        assert_eq!(Tag::of_document(b"{}").header(false), "\"44136fa355b3678a1146ad16f7e8649e\"");
    }

    #[test]
    fn a_list_may_hold_several_tags_weak_ones_and_a_star() {
        let is_listed = |list| {
            let mut request = HeaderMap::new();
            request.insert(IF_NONE_MATCH, HeaderValue::from_static(list));
            is_known(b"\"a\"", &request)
        };
        for list in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", "*", " \"b\",W/\"a\" "] {
            assert!(is_listed(list), "{list}");
        }
        for list in ["", "\"b\"", "a", "W/a", "\"a"] {
            assert!(!is_listed(list), "{list}");
        }
    }
}
