//! Values that arguments of several commands have.

use pointbook_app::timestamp_text::parse_timestamp;
use pointbook_domain::Timestamp;

pub(super) fn parse_time(text: &str) -> Result<Timestamp, &'static str> {
    parse_timestamp(text)
        .ok_or("must be a date and a time with seconds and an offset, such as 2027-01-31T09:00:00Z")
}
