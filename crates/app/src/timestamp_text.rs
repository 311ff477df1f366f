//! Reading date-times and dates as operators write them.

use pointbook_domain::{Day, Timestamp};

/// Reads an ISO 8601 date-time with `Z` or an offset, which is converted to UTC. Digits beyond the
/// microsecond are cut.
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let time: jiff::Timestamp = text.parse().ok()?;
    // Cut towards the past, also before 1970.
    let micros = time.as_nanosecond().div_euclid(1_000);
    Timestamp::from_micros(i64::try_from(micros).ok()?)
}

/// Reads a date, `YYYY-MM-DD`.
pub fn parse_day(text: &str) -> Option<Day> {
    if text.len() != "YYYY-MM-DD".len() {
        return None;
    }
    let date: jiff::civil::Date = text.parse().ok()?;
    let epoch = jiff::civil::date(1970, 1, 1);
    Day::from_days(epoch.until(date).ok()?.get_days())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_time_is_utc_or_says_its_offset() {
        let read = |text| parse_timestamp(text).map(|time| time.to_string());
        assert_eq!(read("2024-02-29T12:34:56Z").as_deref(), Some("2024-02-29T12:34:56.000000Z"));
        assert_eq!(read("2024-02-29T12:34:56.1234567+02:00").as_deref(), Some("2024-02-29T10:34:56.123456Z"));
        assert_eq!(read("1969-12-31T23:59:59.9999999Z").as_deref(), Some("1969-12-31T23:59:59.999999Z"));
        for bad in ["", "2024-02-29", "2024-02-29T12:34:56", "2024-02-30T00:00:00Z", "yesterday"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_date_has_the_form_of_the_interface() {
        let read = |text| parse_day(text).map(|day| day.to_string());
        assert_eq!(read("1984-02-29").as_deref(), Some("1984-02-29"));
        for bad in ["", "1985-02-29", "19840229", "1984-02-29T00:00:00Z", "-001-01-01"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
