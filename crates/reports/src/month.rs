//! Months of the calendar.

use std::fmt;

use pointbook_domain::{CivilDate, Day};

/// A month, counted from January of the year 0. Displays as `YYYY-MM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(pub i64);

const MONTHS_PER_YEAR: i64 = 12;

impl From<Day> for Month {
    fn from(day: Day) -> Self {
        let CivilDate { year, month, day: _ } = day.into();
        Self(i64::from(year) * MONTHS_PER_YEAR + i64::from(month) - 1)
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month) = (self.0.div_euclid(MONTHS_PER_YEAR), self.0.rem_euclid(MONTHS_PER_YEAR) + 1);
        write!(f, "{year:04}-{month:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_the_year_and_the_month_of_its_days() {
        for (days, text) in [(0, "1970-01"), (-1, "1969-12"), (59, "1970-03"), (20_000, "2024-10")] {
            assert_eq!(Month::from(Day::from_days(days).unwrap()).to_string(), text);
        }
    }
}
