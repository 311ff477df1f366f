//! Percent-encoding of forms and of paths.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// All characters except the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Decodes a name or a value of a query string: `+` is a space, and a percent sign without two
/// hexadecimal digits stands for itself.
pub(crate) fn decode_form(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.iter().any(|byte| matches!(byte, b'%' | b'+')) {
        return Cow::Borrowed(raw);
    }
    let mut decoded = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [first, behind @ ..] = rest {
        rest = behind;
        decoded.push(match (first, behind) {
            (b'+', _) => b' ',
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest = after;
                hex_value(*high) << 4 | hex_value(*low)
            }
            _ => *first,
        });
    }
    Cow::Owned(decoded)
}

/// The value of a hexadecimal digit.
fn hex_value(digit: u8) -> u8 {
    if digit.is_ascii_digit() { digit - b'0' } else { (digit | 0x20).wrapping_sub(b'a').wrapping_add(10) }
}

/// Decodes one segment of a path. `None` when an escape is malformed or the bytes are not UTF-8.
pub fn decode_segment(raw: &str) -> Option<Cow<'_, str>> {
    let mut escapes = raw.split('%').skip(1).map(|escape| escape.as_bytes().first_chunk::<2>());
    let is_well_formed =
        escapes.all(|digits| digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
    if is_well_formed { percent_decode_str(raw).decode_utf8().ok() } else { None }
}

/// Appends bytes, and encodes everything except the unreserved characters of RFC 3986.
pub fn encode_into(bytes: &[u8], into: &mut Vec<u8>) {
    percent_encode(bytes, RESERVED).for_each(|piece| into.extend_from_slice(piece.as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_decodes_plus_and_every_well_formed_escape() {
        let decode = |raw: &str| decode_form(raw.as_bytes()).into_owned();
        assert_eq!(decode("a+b%20c%2B%2b"), b"a b c++");
        assert_eq!(decode("%E3%81%8B"), "か".as_bytes());
        assert_eq!(decode("%FF%00"), [0xff, 0x00]);
        assert!(matches!(decode_form(b"plain"), Cow::Borrowed(b"plain")));
    }

    #[test]
    fn a_malformed_escape_in_a_form_stands_for_itself() {
        for raw in ["100%", "100%2", "%zz", "%%", "%2g"] {
            assert_eq!(&*decode_form(raw.as_bytes()), raw.as_bytes());
        }
        assert_eq!(&*decode_form(b"%%41"), b"%A");
    }

    #[test]
    fn a_path_segment_is_decoded_or_belongs_to_nobody() {
        assert_eq!(decode_segment("a%2Fb+c").as_deref(), Some("a/b+c"));
        assert_eq!(decode_segment("%E3%81%8B").as_deref(), Some("か"));
        for raw in ["%", "%2", "a%zz", "%FF", "%E3%81"] {
            assert_eq!(decode_segment(raw), None, "{raw}");
        }
    }

    #[test]
    fn all_but_unreserved_characters_are_encoded() {
        let mut encoded = Vec::new();
        encode_into("aZ9-._~[] ,/か".as_bytes(), &mut encoded);
        assert_eq!(encoded, b"aZ9-._~%5B%5D%20%2C%2F%E3%81%8B");
    }
}
