//! Values of JSON, written one after the other.

use pointbook_domain::digits::push_number;

/// Items with commas between them.
pub(super) fn push_list<T>(
    items: impl IntoIterator<Item = T>,
    into: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            into.push(b',');
        }
        write(item, into);
    }
}

pub(super) fn push_integer(number: i64, into: &mut Vec<u8>) {
    if number < 0 {
        into.push(b'-');
    }
    push_number(number.unsigned_abs(), into);
}

/// A text in its quotes.
pub(super) fn push_text(text: &str, into: &mut Vec<u8>) {
    into.push(b'"');
    push_inner(text, into);
    into.push(b'"');
}

/// The content of a JSON string without quotes. Most strings need no escape and are copied.
pub(super) fn push_inner(text: &str, into: &mut Vec<u8>) {
    if is_plain(text) {
        into.extend_from_slice(text.as_bytes());
    } else {
        // A string always serialises. The caller writes the quotes.
        let json = serde_json::to_string(text).unwrap_or_default();
        let inner = json.strip_prefix('"').and_then(|json| json.strip_suffix('"'));
        into.extend_from_slice(inner.unwrap_or_default().as_bytes());
    }
}

/// Whether a string needs no escape: no control characters, quotes or backslashes. It reads all of it even after a hit, so that
/// the processor handles many bytes at once.
pub(super) fn is_plain(text: &str) -> bool {
    let escapes = |byte: u8| u8::from(byte < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\');
    text.bytes().fold(0, |found, byte| found | escapes(byte)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_written_as_serde_json_writes_it() {
        for character in (char::MIN..='\u{ff}').chain(['か', '\u{2028}', '\u{1f600}', char::MAX]) {
            for text in [character.to_string(), format!("a longer text before {character} and after it")] {
                let mut json = Vec::new();
                push_text(&text, &mut json);
                assert_eq!(String::from_utf8(json).unwrap(), serde_json::to_string(&text).unwrap());
            }
        }
    }

    #[test]
    fn an_integer_has_its_sign() {
        for number in [0, 7, -10, i64::MAX, i64::MIN] {
            let mut digits = Vec::new();
            push_integer(number, &mut digits);
            assert_eq!(digits, number.to_string().into_bytes());
        }
    }
}
