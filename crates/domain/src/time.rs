//! Time: microseconds since 1970-01-01T00:00:00Z, and UTC days. Local time is in `zones`.

use std::fmt;

use crate::digits::last_two_digits;

const MICROS_PER_SECOND: i64 = 1_000_000;
const SECONDS_PER_DAY: i64 = 86_400;
const MICROS_PER_DAY: i64 = SECONDS_PER_DAY * MICROS_PER_SECOND;

/// A point in time in UTC, between the years 1 and 9999, to the microsecond.
///
/// It displays in the format of the interface: `YYYY-MM-DDTHH:mm:ss.uuuuuuZ`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 0001-01-01T00:00:00.000000Z.
    pub const MIN: Self = Self(-62_135_596_800 * MICROS_PER_SECOND);
    /// 9999-12-31T23:59:59.999999Z.
    pub const MAX: Self = Self(253_402_300_800 * MICROS_PER_SECOND - 1);

    /// Takes microseconds since the epoch. `None` outside the years 1 to 9999.
    pub fn from_micros(micros: i64) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0).contains(&micros).then_some(Self(micros))
    }

    pub fn as_micros(self) -> i64 {
        self.0
    }

    pub fn day(self) -> Day {
        Day(i32::try_from(self.0.div_euclid(MICROS_PER_DAY)).unwrap_or_default())
    }

    /// This many days earlier, or [`Timestamp::MIN`].
    #[must_use]
    pub fn minus_days(self, days: u32) -> Self {
        let micros = i64::from(days).saturating_mul(MICROS_PER_DAY);
        Self(self.0.saturating_sub(micros).max(Self::MIN.0))
    }

    /// This many seconds later, or [`Timestamp::MAX`].
    #[must_use]
    pub fn plus_seconds(self, seconds: u32) -> Self {
        Self((self.0 + i64::from(seconds) * MICROS_PER_SECOND).min(Self::MAX.0))
    }

    /// The 27 ASCII characters of `YYYY-MM-DDTHH:mm:ss.uuuuuuZ`.
    pub fn to_ascii(self) -> [u8; 27] {
        let mut text = [0; 27];
        text[..10].copy_from_slice(&self.day().to_ascii());
        text[10..].copy_from_slice(&self.time_to_ascii());
        text
    }

    /// The last 17 characters of [`Self::to_ascii`], `THH:mm:ss.uuuuuuZ`: the part in which times of one day differ.
    #[inline]
    pub fn time_to_ascii(self) -> [u8; 17] {
        let mut text = *b"T00:00:00.000000Z";
        let micros = self.0.rem_euclid(MICROS_PER_DAY);
        // Parts of a day are small numbers, whose digits are faster to compute.
        let part = |number: i64| u32::try_from(number).unwrap_or_default();
        let (seconds, micros) = (part(micros / MICROS_PER_SECOND), part(micros % MICROS_PER_SECOND));
        write_digits(&mut text[1..3], seconds / 3600);
        write_digits(&mut text[4..6], seconds / 60 % 60);
        write_digits(&mut text[7..9], seconds % 60);
        // Most imported times are whole seconds.
        if micros > 0 {
            write_digits(&mut text[10..16], micros);
        }
        text
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ascii(f, &self.to_ascii())
    }
}

/// A UTC date, as days since 1970-01-01. Displays as `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

impl Day {
    /// Takes days since the epoch. `None` outside the years 1 to 9999.
    pub fn from_days(days: i32) -> Option<Self> {
        (Timestamp::MIN.day().0..=Timestamp::MAX.day().0).contains(&days).then_some(Self(days))
    }

    pub fn as_days(self) -> i32 {
        self.0
    }

    pub fn start(self) -> Timestamp {
        Timestamp(i64::from(self.0) * MICROS_PER_DAY)
    }

    pub fn end(self) -> Timestamp {
        Timestamp(self.start().0 + MICROS_PER_DAY - 1)
    }

    /// The 10 ASCII characters of `YYYY-MM-DD`.
    pub fn to_ascii(self) -> [u8; 10] {
        let mut text = *b"0000-00-00";
        write_date(&mut text, self);
        text
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ascii(f, &self.to_ascii())
    }
}

/// Year, month and day of the proleptic Gregorian calendar, in eras of 400 years that begin on 1 March, so that the leap day
/// ends a year.
pub(crate) fn civil(day: Day) -> (u32, u32, u32) {
    // Days from 0000-03-01 on, which is before every valid day.
    let days = u32::try_from(day.0 + 719_468).unwrap_or_default();
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + u32::from(month <= 2), month, day_of_month)
}

fn write_date(text: &mut [u8], day: Day) {
    let (year, month, day) = civil(day);
    write_digits(&mut text[0..4], year);
    write_digits(&mut text[5..7], month);
    write_digits(&mut text[8..10], day);
}

/// Two digits at a time: every field has an even number of them.
fn write_digits(into: &mut [u8], number: u32) {
    let mut rest = number;
    for pair in into.as_chunks_mut::<2>().0.iter_mut().rev() {
        *pair = last_two_digits(rest.into());
        rest /= 100;
    }
}

fn write_ascii(f: &mut fmt::Formatter<'_>, text: &[u8]) -> fmt::Result {
    f.write_str(std::str::from_utf8(text).map_err(|_| fmt::Error)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> String {
        Timestamp::from_micros(micros).unwrap().to_string()
    }

    #[test]
    fn any_number_of_days_before_a_time_is_a_time() {
        for time in [Timestamp::MIN, Timestamp::MAX] {
            assert_eq!(time.minus_days(u32::MAX), Timestamp::MIN);
        }
    }

    #[test]
    fn a_timestamp_has_six_digits_and_z() {
        assert_eq!(at(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(at(-1), "1969-12-31T23:59:59.999999Z");
        assert_eq!(at(1_709_210_096_000_007), "2024-02-29T12:34:56.000007Z");
    }

    #[test]
    fn the_bounds_are_the_years_1_and_9999() {
        assert_eq!(Timestamp::MIN.to_string(), "0001-01-01T00:00:00.000000Z");
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999999Z");
        assert_eq!(Timestamp::from_micros(Timestamp::MAX.as_micros() + 1), None);
    }

    #[test]
    fn a_day_is_the_utc_date() {
        let noon = Timestamp::from_micros(1_709_210_096_000_007).unwrap();
        assert_eq!(noon.day().to_string(), "2024-02-29");
        assert_eq!(noon.day().start().to_string(), "2024-02-29T00:00:00.000000Z");
        assert_eq!(noon.day().end().to_string(), "2024-02-29T23:59:59.999999Z");
    }

    #[test]
    fn days_follow_the_calendar_one_by_one() {
        let mut previous = (0, 12, 31);
        for days in Timestamp::MIN.day().as_days()..=Timestamp::MAX.day().as_days() {
            let (year, month, day) = civil(Day::from_days(days).unwrap());
            let next = match (year == previous.0, month == previous.1) {
                (true, true) => day == previous.2 + 1,
                (true, false) => month == previous.1 + 1 && day == 1,
                (false, _) => {
                    year == previous.0 + 1 && (month, day, previous.1, previous.2) == (1, 1, 12, 31)
                }
            };
            assert!(next, "{previous:?} is followed by {year}-{month}-{day}");
            previous = (year, month, day);
        }
    }
}
