//! Values that several views have: times, tags and scopes.

use pointbook_domain::{Day, Scope, Timestamp};
use pointbook_store::content_key::ContentKey;
use serde::{Serialize, Serializer};

use crate::describe::{Described, Schema};
use crate::kernel::Tag;

/// `YYYY-MM-DDTHH:mm:ss.uuuuuuZ`.
#[derive(Debug, Clone, Copy)]
pub struct DateTimeView(pub Timestamp);

impl Serialize for DateTimeView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(ascii(&self.0.to_ascii()))
    }
}

impl Described for DateTimeView {
    fn schema() -> Schema {
        Schema::date_time()
    }
}

/// `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy)]
pub struct DayView(pub Day);

impl Serialize for DayView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(ascii(&self.0.to_ascii()))
    }
}

impl Described for DayView {
    fn schema() -> Schema {
        Schema::date()
    }
}

/// Dates and times are written in ASCII.
fn ascii(text: &[u8]) -> &str {
    std::str::from_utf8(text).unwrap_or_default()
}

/// The `ETag` of a body with these bytes, or of one that consists only of them.
pub fn tag_of(key: &ContentKey, bytes: &[u8]) -> Tag {
    Tag::of_hash(key.hash(bytes))
}

pub fn scope_schema() -> Schema {
    Schema::one_of(Scope::ALL.iter().map(|scope| scope.as_str()))
        .describe("What an API key may do: a noun and a verb. Later versions may add scopes.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_six_digits_of_a_second_and_a_day_has_none() {
        let at = Timestamp::from_micros(1_709_208_000_000_005).unwrap();
        let text = serde_json::to_string(&(DateTimeView(at), DayView(at.day()))).unwrap();
        assert_eq!(text, r#"["2024-02-29T12:00:00.000005Z","2024-02-29"]"#);
    }

    #[test]
    fn a_tag_depends_on_the_key_and_on_the_body() {
        let [one, other] = [7, 8].map(|byte| ContentKey::new(&[byte; ContentKey::BYTES]));
        assert_eq!(tag_of(&one, b"{}"), tag_of(&one, b"{}"));
        assert_ne!(tag_of(&one, b"{}"), tag_of(&one, b"[]"));
        assert_ne!(tag_of(&one, b"{}"), tag_of(&other, b"{}"));
    }
}
