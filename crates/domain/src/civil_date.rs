//! Years, months and days of the proleptic Gregorian calendar.

use crate::Day;
use crate::time::civil;

/// The parts of a date that people name. They may name no date: only [`CivilDate::to_day`] checks that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDate {
    /// From 1 to 9999.
    pub year: u32,
    /// From 1 to 12.
    pub month: u32,
    /// From 1 to 31.
    pub day: u32,
}

impl From<Day> for CivilDate {
    fn from(day: Day) -> Self {
        let (year, month, day) = civil(day);
        Self { year, month, day }
    }
}

impl CivilDate {
    /// The date with these parts. `None` when the calendar has no such date between the years 1 and 9999.
    pub fn to_day(self) -> Option<Day> {
        let Self { year, month, day } = self;
        if !(1..=9_999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        // As in `civil`: years begin on 1 March, and eras have 400 years.
        let year_from_march = year - u32::from(month <= 2);
        let (era, of_era) = (year_from_march / 400, year_from_march % 400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        let found = Day::from_days(i32::try_from(days).ok()? - 719_468)?;
        // A day such as 30 February counts on into the next month.
        (Self::from(found) == self).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn each_day_has_one_civil_date() {
        for days in Timestamp::MIN.day().as_days()..=Timestamp::MAX.day().as_days() {
            let day = Day::from_days(days).unwrap();
            assert_eq!(CivilDate::from(day).to_day(), Some(day));
        }
    }

    #[test]
    fn dates_that_the_calendar_lacks_are_no_days() {
        for (year, month, day) in [
            (2026, 2, 29),
            (2100, 2, 29),
            (2024, 2, 30),
            (2026, 4, 31),
            (2026, 13, 1),
            (2026, 0, 1),
            (2026, 1, 0),
            (2026, 1, 32),
            (0, 12, 31),
            (10_000, 1, 1),
            (u32::MAX, u32::MAX, u32::MAX),
        ] {
            assert_eq!(CivilDate { year, month, day }.to_day(), None, "{year}-{month}-{day}");
        }
        let leap = CivilDate { year: 2024, month: 2, day: 29 };
        assert_eq!(leap.to_day().unwrap().to_string(), "2024-02-29");
    }
}
