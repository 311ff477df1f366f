//! The end of a transaction: its time.

use pointbook_domain::Timestamp;

/// The offsets of the date and of the time of day.
const DATE: usize = 16;
const TIME: usize = 26;

/// From the quote after the subtitle to the quote after the time. All rows of a day share the date.
pub(super) struct Moments([u8; 44]);

impl Moments {
    /// Those of the day with this date.
    pub(super) fn on(date: [u8; 10]) -> Self {
        let mut text = *br#"","created_at":"YYYY-MM-DDTHH:mm:ss.uuuuuuZ""#;
        text[DATE..TIME].copy_from_slice(&date);
        Self(text)
    }

    /// The one of a time on that day.
    #[inline]
    pub(super) fn at(&self, time: Timestamp) -> [u8; 44] {
        let mut text = self.0;
        text[TIME..43].copy_from_slice(&time.time_to_ascii());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_the_text_of_its_time() {
        for micros in [0, -1, 86_399_999_999, 1_709_208_000_000_000, 1_709_251_199_000_001] {
            let time = Timestamp::from_micros(micros).unwrap();
            let text = Moments::on(time.day().to_ascii()).at(time);
            assert_eq!(text.escape_ascii().to_string(), format!(r#"\",\"created_at\":\"{time}\""#));
        }
    }
}
