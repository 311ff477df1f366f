//! Percent-encoding, as forms and as paths have it.

use std::borrow::Cow;

use memchr::memchr2;

use super::scan::find_either;

/// How the names and values of a query string are decoded.
pub(crate) type Decode = fn(&[u8]) -> Cow<'_, [u8]>;

/// [`decode_form`], unless it would find nothing to decode in any part of this query string.
pub(crate) fn decoder_for(raw: &str) -> Decode {
    if memchr2(b'%', b'+', raw.as_bytes()).is_some() { decode_form } else { |part| Cow::Borrowed(part) }
}

/// Decodes a name or a value of a query string: `+` is a space, and a percent sign without two
/// hexadecimal digits stands for itself.
pub(crate) fn decode_form<T: AsRef<[u8]> + ?Sized>(raw: &T) -> Cow<'_, [u8]> {
    let raw = raw.as_ref();
    if find_either(raw, b'%', b'+').is_none() {
        return Cow::Borrowed(raw);
    }
    let mut decoded = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [first, behind @ ..] = rest {
        rest = behind;
        decoded.push(match (first, behind) {
            (b'+', _) => b' ',
            (b'%', [high, low, after @ ..]) if is_escape(*high, *low) => {
                rest = after;
                hex_value(*high) << 4 | hex_value(*low)
            }
            _ => *first,
        });
    }
    Cow::Owned(decoded)
}

/// Decodes one segment of a path; none when an escape is malformed or the bytes are no UTF-8.
pub(crate) fn decode_segment(raw: &str) -> Option<Cow<'_, str>> {
    let mut escapes = raw.split('%').skip(1).map(str::as_bytes);
    let well_formed = |escape: &[u8]| matches!(escape, [high, low, ..] if is_escape(*high, *low));
    if !escapes.all(well_formed) {
        return None;
    }
    percent_encoding::percent_decode_str(raw).decode_utf8().ok()
}

/// Appends bytes with everything but the unreserved characters of RFC 3986 encoded.
pub(crate) fn encode_into(bytes: &[u8], into: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut rest = bytes;
    loop {
        let plain = rest.iter().position(|&byte| !is_unreserved(byte)).unwrap_or(rest.len());
        let (head, tail) = rest.split_at(plain);
        into.extend_from_slice(head);
        let Some((&byte, tail)) = tail.split_first() else { return };
        into.extend_from_slice(&[b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        rest = tail;
    }
}

fn is_unreserved(byte: u8) -> bool {
    UNRESERVED[usize::from(byte)]
}

static UNRESERVED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        byte += 1;
    }
    table
};

fn is_escape(high: u8, low: u8) -> bool {
    high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
}

/// The value of a hexadecimal digit.
fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20).wrapping_sub(b'a').wrapping_add(10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_decodes_plus_and_every_well_formed_escape() {
        let decode = |raw| decode_form(raw).into_owned();
        assert_eq!(decode("a+b%20c%2B%2b"), b"a b c++");
        assert_eq!(decode("%E3%81%8B"), "か".as_bytes());
        assert_eq!(decode("%FF%00"), [0xff, 0x00]);
        assert!(matches!(decode_form("plain"), Cow::Borrowed(b"plain")));
    }

    #[test]
    fn a_malformed_escape_in_a_form_stands_for_itself() {
        for raw in ["100%", "100%2", "%zz", "%%", "%2g"] {
            assert_eq!(&*decode_form(raw), raw.as_bytes());
        }
        assert_eq!(&*decode_form("%%41"), b"%A");
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
