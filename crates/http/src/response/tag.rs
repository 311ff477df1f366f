//! What tells one body from another.

use http::HeaderValue;
use xxhash_rust::xxh3::xxh3_64;

/// 64 bits of hash over what a body is made of: another body has another tag, and the same body the
/// same one on every instance and database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag(u64);

impl Tag {
    /// The tag of a body with these bytes, or of one that is made of nothing else but them.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_64(bytes))
    }

    /// The tag whose hash is known.
    pub fn of_hash(hash: u64) -> Self {
        Self(hash)
    }

    /// As `ETag` has it: strong, in hexadecimal and quotes.
    pub fn text(self) -> [u8; 18] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [b'"'; 18];
        for (place, byte) in self.0.to_be_bytes().into_iter().enumerate() {
            text[1 + 2 * place] = DIGITS[usize::from(byte >> 4)];
            text[2 + 2 * place] = DIGITS[usize::from(byte & 0xf)];
        }
        text
    }

    /// The value of `ETag`.
    pub fn header(self) -> HeaderValue {
        // Digits and quotes are always a header's value.
        HeaderValue::from_bytes(&self.text()).unwrap_or(HeaderValue::from_static("\"\""))
    }

    /// The value of `ETag` of the same content by other bytes.
    pub fn weak_header(self) -> HeaderValue {
        let mut text = *b"W/                  ";
        text[2..].copy_from_slice(&self.text());
        // As above.
        HeaderValue::from_bytes(&text).unwrap_or(HeaderValue::from_static("W/\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_hash_of_the_body_in_quotes() {
        let expected = format!("\"{:016x}\"", xxh3_64(b"{}"));
        assert_eq!(Tag::of(b"{}").text(), expected.as_bytes());
        assert_eq!(Tag::of(b"{}").header(), expected);
        assert_eq!(Tag::of(b"{}").weak_header(), format!("W/{expected}"));
        assert_ne!(Tag::of(b"{}"), Tag::of(b"[]"));
    }
}
