//! The stored form of ids: two hexadecimal digits in a byte. The service makes ids of 32 digits, so they take 16 bytes.

use std::borrow::Cow;
use std::str;

/// Leads an id that is stored as its text. No UTF-8 has this byte.
const TEXT: u8 = 0xff;

/// How many digits the ids of the service have.
const DIGITS: usize = 32;

/// The bytes of 32 lowercase hexadecimal digits, or [`TEXT`] and any other id. Both keep the order of the ids.
pub(crate) fn pack(id: &str) -> Vec<u8> {
    digits(id.as_bytes()).unwrap_or_else(|| [&[TEXT], id.as_bytes()].concat())
}

fn digits(id: &[u8]) -> Option<Vec<u8>> {
    let pairs = id.as_chunks::<2>().0;
    if id.len() != DIGITS || pairs.first() == Some(b"ff") {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(value(*high)? << 4 | value(*low)?)).collect()
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// The id whose stored form this is.
///
/// # Errors
/// Says that a text is not UTF-8.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Cow<'_, str>, str::Utf8Error> {
    const SYMBOLS: &[u8; 16] = b"0123456789abcdef";
    if let Some((&TEXT, text)) = bytes.split_first() {
        return str::from_utf8(text).map(Cow::Borrowed);
    }
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    Ok(Cow::Owned(digits.map(|digit| char::from(SYMBOLS[usize::from(digit)])).collect()))
}

/// A stored id for an error message. What has the length of a SHA-256 is not shown, because it may be that of a token.
pub(crate) fn describe(bytes: &[u8]) -> String {
    match unpack(bytes) {
        Ok(id) if bytes.len() != 32 => format!("{id:?}"),
        Ok(_) | Err(_) => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_shown_and_hashes_are_not() {
        assert_eq!(describe(&pack("t1")), "\"t1\"");
        assert_eq!(describe(&[0xff; 32]), "?");
        assert_eq!(describe(&[7; 32]), "?");
    }

    #[test]
    fn ids_survive_their_stored_form() {
        let digits = "0190f1a2b3c47d5e8f00112233445566";
        let upper = digits.to_uppercase();
        for id in [digits, &upper, &digits.replace("01", "ff"), "", "ff90", "00", "t1", "か", "ffx"] {
            assert_eq!(unpack(&pack(id)).unwrap(), id);
        }
    }

    #[test]
    fn ids_of_the_service_take_16_bytes_and_keep_their_order() {
        let (one, next) = ("0190f1a2b3c47d5e8f00112233445566", "0190f1a2b3c47d5e8f00112233445570");
        assert_eq!(pack(one).len(), 16);
        assert!(pack(one) < pack(next));
        assert!(pack("b") < pack("b1") && pack("b1") < pack("c"));
    }

    #[test]
    fn a_text_that_is_not_utf_8_is_refused() {
        assert!(unpack(&[TEXT, 0xc0]).is_err());
    }
}
