//! Values of fields. An error is the id of a sentence.

use std::borrow::Borrow;

use pointbook_domain::Points;
use pointbook_domain::id::{IdError, has_control_characters};
use pointbook_store::limits::MAX_TITLE_CHARS;

/// The id of what the form makes.
pub(super) fn read_new_id<T: Borrow<str>>(read: Result<T, IdError>) -> Result<T, &'static str> {
    let id = read.map_err(|error| match error {
        IdError::Empty => "member-fault-required",
        IdError::TooLong => "member-fault-id-too-long",
        IdError::Nul => "member-fault-characters",
    })?;
    if has_control_characters(id.borrow()) { Err("member-fault-control") } else { Ok(id) }
}

/// Whole points. Negative ones are taken.
pub(super) fn read_points(text: &str) -> Result<Points, &'static str> {
    if text.is_empty() {
        return Err("member-fault-required");
    }
    let digits = text.strip_prefix(['-', '−']).unwrap_or(text);
    let digits = if digits.len() == text.len() { text.strip_prefix('+').unwrap_or(text) } else { digits };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("member-fault-whole-number");
    }
    let amount: i64 = digits.parse().map_err(|_| "member-fault-out-of-range")?;
    let is_taken = text.starts_with(['-', '−']);
    Points::new(if is_taken { -amount } else { amount }).map_err(|_| "member-fault-out-of-range")
}

/// A text that is not empty.
pub(super) fn read_title(text: &str) -> Result<String, &'static str> {
    if text.is_empty() { Err("member-fault-required") } else { read_text(text) }
}

pub(super) fn read_text(text: &str) -> Result<String, &'static str> {
    if text.contains('\0') {
        return Err("member-fault-characters");
    }
    if text.chars().count() > MAX_TITLE_CHARS {
        Err("member-fault-text-too-long")
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_whole_numbers_with_or_without_a_sign() {
        let read = |text| read_points(text).map(Points::get);
        for (text, expected) in [("5", 5), ("+5", 5), ("-5", -5), ("−5", -5), ("0", 0), ("007", 7)] {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
        for text in ["1.5", "1,000", "five", "-", "--5", "-+5", "+-5", "5 0", "٣"] {
            assert_eq!(read(text), Err("member-fault-whole-number"), "{text}");
        }
        for text in ["9007199254740992", "99999999999999999999"] {
            assert_eq!(read(text), Err("member-fault-out-of-range"), "{text}");
        }
        assert_eq!(read(""), Err("member-fault-required"));
    }
}
