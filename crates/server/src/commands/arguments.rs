//! Values that arguments of several commands have.

use pointbook_domain::Timestamp;
use pointbook_domain::zones::timestamp_text::parse_timestamp;

pub(super) fn parse_time(text: &str) -> Result<Timestamp, &'static str> {
    parse_timestamp(text)
        .ok_or("must be a date and a time with seconds and an offset, such as 2027-01-31T09:00:00Z")
}
