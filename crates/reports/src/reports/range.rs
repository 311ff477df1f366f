//! The days of a report.

use std::fmt;

use pointbook_domain::{Day, Timestamp};

/// The most days of a report.
pub const MAX_DAYS: u32 = 400;

/// The days of a report that names none, today included.
pub const USUAL_DAYS: u32 = 28;

/// Local days, both included. A report has at least one and at most [`MAX_DAYS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    pub from: Day,
    pub until: Day,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeError {
    /// It ends before it begins.
    Backwards,
    TooLong,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backwards => f.write_str("must not be before the first day"),
            Self::TooLong => write!(f, "must be at most {} days after the first day", MAX_DAYS - 1),
        }
    }
}

impl std::error::Error for RangeError {}

impl DayRange {
    /// The given days. Without an end, the range ends `today`, or with `from` when that is later; without a first day, it has
    /// [`USUAL_DAYS`].
    ///
    /// # Errors
    /// [`RangeError`] of `until`.
    pub fn new(from: Option<Day>, until: Option<Day>, today: Day) -> Result<Self, RangeError> {
        let until = until.unwrap_or_else(|| from.map_or(today, |from| from.max(today)));
        let from = from.unwrap_or_else(|| before(until, USUAL_DAYS - 1));
        match until.as_days().checked_sub(from.as_days()) {
            Some(days) if days < 0 => Err(RangeError::Backwards),
            Some(days) if days.unsigned_abs() < MAX_DAYS => Ok(Self { from, until }),
            _ => Err(RangeError::TooLong),
        }
    }

    /// All days that there are.
    pub fn ever() -> Self {
        Self { from: Timestamp::MIN.day(), until: Timestamp::MAX.day() }
    }

    /// Each day, in order.
    pub fn days(self) -> impl DoubleEndedIterator<Item = Day> {
        (self.from.as_days()..=self.until.as_days()).filter_map(Day::from_days)
    }
}

fn before(day: Day, days: u32) -> Day {
    let before = i32::try_from(days).ok().and_then(|days| Day::from_days(day.as_days() - days));
    before.unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: i32) -> Day {
        Day::from_days(days).unwrap()
    }

    #[test]
    fn a_report_without_days_has_the_last_28() {
        let today = day(20_000);
        let usual = DayRange::new(None, None, today).unwrap();
        assert_eq!((usual.from, usual.until, usual.days().count()), (day(19_973), today, 28));
        let past = DayRange::new(None, Some(day(100)), today).unwrap();
        assert_eq!(past, DayRange { from: day(73), until: day(100) });
        assert_eq!(DayRange::new(Some(day(19_990)), None, today).unwrap().until, today);
    }

    #[test]
    fn a_report_has_1_to_400_days() {
        let range = |from, until| DayRange::new(Some(day(from)), Some(day(until)), day(0));
        assert!(range(1, 1).is_ok() && range(1, 400).is_ok());
        assert_eq!(range(1, 401), Err(RangeError::TooLong));
        assert_eq!(range(2, 1), Err(RangeError::Backwards));
        let earliest = Timestamp::MIN.day();
        assert_eq!(DayRange::new(None, Some(earliest), day(0)).unwrap().from, earliest);
    }
}
