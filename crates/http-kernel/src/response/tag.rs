//! What tells one body from another.

use http::HeaderValue;
use sha2::{Digest, Sha256};

/// How many characters a strong tag has: 32 hexadecimal digits in quotes.
const TEXT_BYTES: usize = 34;

/// The hexadecimal digits of each byte. A library takes three times as long, and every read has a tag.
const PAIRS: [[u8; 2]; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [DIGITS[byte / 16], DIGITS[byte % 16]];
        byte += 1;
    }
    pairs
};

/// 128 bits of hash over what a body is made of: another body has another tag, and the same body the same one on every
/// instance and database. The key is the tenant's, so that no client can choose a body for its tag (docs/adr/0018).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag {
    /// As `ETag` has it: strong, in hexadecimal and quotes. A response needs it up to three times.
    text: [u8; TEXT_BYTES],
}

impl Tag {
    /// The tag whose hash under the tenant's key is known.
    pub fn of_hash(hash: u128) -> Self {
        let mut text = [b'"'; TEXT_BYTES];
        let digits = text[1..TEXT_BYTES - 1].as_chunks_mut().0;
        digits.iter_mut().zip(hash.to_be_bytes()).for_each(|(pair, byte)| *pair = PAIRS[usize::from(byte)]);
        Self { text }
    }

    /// The tag of a document that is no tenant's: the first half of a SHA-256.
    pub fn of_document(bytes: &[u8]) -> Self {
        let hash: [u8; 32] = Sha256::digest(bytes).into();
        let half = hash.first_chunk().copied().unwrap_or_default();
        Self::of_hash(u128::from_be_bytes(half))
    }

    /// As `ETag` has it: strong, in hexadecimal and quotes.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The value of `ETag`.
    pub fn header(self) -> HeaderValue {
        // Digits and quotes are always a header's value.
        HeaderValue::from_bytes(&self.text).unwrap_or(HeaderValue::from_static("\"\""))
    }

    /// The value of `ETag` of the same content by other bytes.
    pub fn weak_header(self) -> HeaderValue {
        let mut text = [0; TEXT_BYTES + 2];
        text[..2].copy_from_slice(b"W/");
        text[2..].copy_from_slice(&self.text);
        // As above.
        HeaderValue::from_bytes(&text).unwrap_or(HeaderValue::from_static("W/\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_32_digits_in_quotes() {
        let tag = Tag::of_hash(0x0123_4567_89ab_cdef_0011_2233_4455_66ff);
        assert_eq!(tag.header(), "\"0123456789abcdef00112233445566ff\"");
        assert_eq!(tag.weak_header(), "W/\"0123456789abcdef00112233445566ff\"");
        assert_eq!(Tag::of_hash(1).header(), "\"00000000000000000000000000000001\"");
    }

    #[test]
    fn a_document_has_the_tag_of_its_sha_256() {
        // printf '{}' | sha256sum
        assert_eq!(Tag::of_document(b"{}").header(), "\"44136fa355b3678a1146ad16f7e8649e\"");
    }
}
