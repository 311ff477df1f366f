//! The periods of limits per user.

use std::fmt;

use pointbook_domain::{CivilDate, Day, Timestamp, words};

use crate::weekday::Weekday;

words! {
    /// How long a limit per user counts before it begins again. Periods follow the calendar of the tenant's time zone.
    pub Period {
        Day = "day",
        /// From Monday to Sunday.
        Week = "week",
        Month = "month",
        Year = "year",
        Ever = "ever",
    }
}

/// One day, week, month or year, or all time. It displays as `day:2026-11-25`, `week:2026-11-23` (the Monday), `month:2026-11`,
/// `year:2026` or `ever`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeriodKey {
    period: Period,
    /// The first day. Only `ever` has no first day.
    first: Option<Day>,
}

impl PeriodKey {
    /// The period that contains a local day.
    pub fn of(period: Period, local_day: Day) -> Self {
        let date = CivilDate::from(local_day);
        let first = match period {
            Period::Day => Some(local_day),
            Period::Week => Weekday::monday_of(local_day),
            Period::Month => CivilDate { day: 1, ..date }.to_day(),
            Period::Year => CivilDate { month: 1, day: 1, ..date }.to_day(),
            Period::Ever => None,
        };
        Self { period, first }
    }

    /// The first and the last day.
    pub fn days(self) -> (Day, Day) {
        let Some(first) = self.first else { return (Timestamp::MIN.day(), Timestamp::MAX.day()) };
        let CivilDate { year, month, .. } = CivilDate::from(first);
        let after = match self.period {
            Period::Day => first.as_days().checked_add(1),
            Period::Week => first.as_days().checked_add(7),
            Period::Month if month < 12 => first_of(year, month + 1),
            Period::Month | Period::Year => first_of(year + 1, 1),
            Period::Ever => None,
        };
        let last = after.and_then(|after| Day::from_days(after - 1));
        (first, last.unwrap_or_else(|| Timestamp::MAX.day()))
    }

    pub fn period(self) -> Period {
        self.period
    }
}

fn first_of(year: u32, month: u32) -> Option<i32> {
    CivilDate { year, month, day: 1 }.to_day().map(Day::as_days)
}

impl fmt::Display for PeriodKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.period.as_str())?;
        let Some(first) = self.first else { return Ok(()) };
        let date = first.to_string();
        let shown = match self.period {
            Period::Day | Period::Week | Period::Ever => date.as_str(),
            Period::Month => date.get(..7).unwrap_or_default(),
            Period::Year => date.get(..4).unwrap_or_default(),
        };
        write!(f, ":{shown}")
    }
}
