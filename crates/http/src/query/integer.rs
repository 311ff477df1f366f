//! Whole numbers as clients write them.

/// Reads an optional sign and ASCII digits, however many; what 64 bits cannot hold becomes the
/// nearest number that they can.
pub(super) fn parse_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nearest = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(nearest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_is_a_sign_and_digits() {
        assert_eq!(parse_integer("007"), Some(7));
        assert_eq!(parse_integer("+7"), Some(7));
        assert_eq!(parse_integer("-7"), Some(-7));
        for bad in ["", "+", "-", "1.0", "1e3", "0x1", "--1", "1 2", "٣", "１"] {
            assert_eq!(parse_integer(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_integer_beyond_64_bits_is_the_nearest_one() {
        assert_eq!(parse_integer("99999999999999999999"), Some(i64::MAX));
        assert_eq!(parse_integer("-99999999999999999999"), Some(i64::MIN));
    }
}
