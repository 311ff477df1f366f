//! Reads date-times and dates as operators write them.

use crate::zones::time_zone::Zone;
use crate::{Day, Timestamp};

/// Reads an ISO 8601 date-time in the extended format, with seconds and with `Z` or an offset `+hh:mm`, and converts it to UTC:
/// `2026-01-31T23:59:59.5+09:00`. It cuts digits beyond the microsecond.
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let zone = zone_of(text)?;
    if !(zone == "Z" || is_like(zone, "+00:00") || is_like(zone, "-00:00")) {
        return None;
    }
    // A day has 24 hours, but the parser of the library reads offsets of up to 25.
    if zone.get(1..3).is_some_and(|hours| hours > "23") {
        return None;
    }
    let time: jiff::Timestamp = text.parse().ok()?;
    // Cut towards the past, also before 1970.
    let micros = time.as_nanosecond().div_euclid(1_000);
    Timestamp::from_micros(i64::try_from(micros).ok()?)
}

/// The text after the date, the time and the fraction of a second. `None` when the text does not begin with them. A leap second
/// is refused, because it would silently become another time.
fn zone_of(text: &str) -> Option<&str> {
    let (time, rest) = text.split_at_checked(SECONDS.len())?;
    if !is_like(time, SECONDS) || time.ends_with("60") {
        return None;
    }
    let Some(fraction) = rest.strip_prefix('.') else { return Some(rest) };
    let zone = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
    (1..=MAX_FRACTION_DIGITS).contains(&(fraction.len() - zone.len())).then_some(zone)
}

/// The form of a date-time up to its seconds.
const SECONDS: &str = "0000-00-00T00:00:00";

/// The most digits of a fraction that are read.
const MAX_FRACTION_DIGITS: usize = 9;

/// Whether a text has a digit wherever the form has one, and the same character elsewhere.
fn is_like(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}

/// Reads a date-time without an offset, `2026-01-31T23:59` with or without seconds, in a time zone. Of a time that exists twice it takes the
/// first one; a time that a clock change skips moves on by the change.
pub fn parse_local(text: &str, zone: &Zone) -> Option<Timestamp> {
    zone.at(local_of(text)?)
}

/// The end of a span in a time zone. As [`parse_local`], but of a time that exists twice it takes the second one when the first is not after
/// the start.
pub fn parse_local_end(text: &str, zone: &Zone, start: Option<Timestamp>) -> Option<Timestamp> {
    let local = local_of(text)?;
    let first = zone.at(local)?;
    if start.is_some_and(|start| first <= start) { zone.at_second(local) } else { Some(first) }
}

fn local_of(text: &str) -> Option<jiff::civil::DateTime> {
    if !(is_like(text, "0000-00-00T00:00") || is_like(text, SECONDS)) || text.ends_with(":60") {
        return None;
    }
    text.parse().ok()
}

/// A time as [`parse_local`] reads it, to the second.
pub fn local_text(at: Timestamp, zone: &Zone) -> String {
    zone.local(at).strftime("%Y-%m-%dT%H:%M:%S").to_string()
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
    fn a_local_time_is_read_in_its_zone() {
        let zone = |name| Zone::find(&crate::TimeZoneName::new(name).unwrap()).unwrap();
        let berlin = zone("Europe/Berlin");
        for (text, utc, back) in [
            ("2026-12-01T00:00", "2026-11-30T23:00:00.000000Z", "2026-12-01T00:00:00"),
            ("2026-07-01T10:00:30", "2026-07-01T08:00:30.000000Z", "2026-07-01T10:00:30"),
            // The hour that exists twice, and the one that does not exist.
            ("2026-10-25T02:30", "2026-10-25T00:30:00.000000Z", "2026-10-25T02:30:00"),
            ("2026-03-29T02:30", "2026-03-29T01:30:00.000000Z", "2026-03-29T03:30:00"),
        ] {
            let at = parse_local(text, &berlin).unwrap();
            assert_eq!((at.to_string().as_str(), local_text(at, &berlin).as_str()), (utc, back), "{text}");
        }
        for bad in [
            "",
            "2026-12-01",
            "2026-12-01 00:00",
            "2026-12-01T00:00Z",
            "2026-02-30T00:00",
            "2026-12-01T23:59:60",
            "2026-12-01T25:00",
            "tomorrow",
            "0000-01-01T00:00",
        ] {
            assert_eq!(parse_local(bad, &berlin), None, "{bad}");
        }
    }

    #[test]
    fn a_date_time_is_utc_or_says_its_offset() {
        let read = |text| parse_timestamp(text).map(|time| time.to_string());
        assert_eq!(read("2024-02-29T12:34:56Z").as_deref(), Some("2024-02-29T12:34:56.000000Z"));
        assert_eq!(read("2024-02-29T12:34:56.1234567+02:00").as_deref(), Some("2024-02-29T10:34:56.123456Z"));
        assert_eq!(read("2024-02-29T23:59:00+23:59").as_deref(), Some("2024-02-29T00:00:00.000000Z"));
        assert_eq!(read("1969-12-31T23:59:59.9999999Z").as_deref(), Some("1969-12-31T23:59:59.999999Z"));
        for bad in ["", "2024-02-29", "2024-02-29T12:34:56", "2024-02-30T00:00:00Z", "yesterday"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn other_forms_of_a_date_time_are_refused() {
        for bad in [
            "2026-06-30T23:59:60Z",
            "2026-01-01T00:00:00+01:00[UTC]",
            "2026-01-01T00:00:00Z[Europe/Berlin]",
            "2026-01-01T00Z",
            "2026-01-01T00:00Z",
            "20260101T000000Z",
            "2026-01-01T00:00:00,5Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01 00:00:00Z",
            "2026-01-01t00:00:00Z",
            "2026-01-01T00:00:00z",
            "2026-01-01T00:00:00+01",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00+01:00:00",
            "2026-01-01T00:00:00+24:60",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00-25:00",
            "2026-01-01T24:00:00Z",
            "+002026-01-01T00:00:00Z",
            "2026-001T00:00:00Z",
            " 2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00\u{ff3a}",
        ] {
            assert_eq!(parse_timestamp(bad), None, "{bad}");
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
