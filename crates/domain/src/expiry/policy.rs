//! When points end that a member earns.

use std::fmt;

use super::never;
use crate::{CivilDate, Day};

/// The policy of a tenant. It counts for the points that a member earns while it holds: older points keep their day.
///
/// As text: `never`, `after:24-months:month`, `after:90-days:day`, `year-end:1`, `inactivity:12-months`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpiryPolicy {
    /// Points never end. What members earned under another policy still does.
    Never,
    /// So long after the day of earning, and then until the period ends.
    After { length: Length, until_end_of: Rounding },
    /// On the last day of the year of earning, or so many years later.
    YearEnd { years_later: u32 },
    /// So many months after the last activity, with all points that the member has.
    Inactivity { months: u32 },
}

/// A time on the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// A day that a month lacks is the last day of that month.
    Months(u32),
    Days(u32),
}

/// The period whose last day is the last day of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Day,
    Month,
    Quarter,
    Year,
}

impl Rounding {
    const ALL: [Self; 4] = [Self::Day, Self::Month, Self::Quarter, Self::Year];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    /// The last day of the period of this day.
    fn end(self, day: Day) -> Day {
        let CivilDate { year, month, .. } = day.into();
        match self {
            Self::Day => day,
            Self::Month => last_of_month(year, month),
            Self::Quarter => last_of_month(year, month.div_ceil(3) * 3),
            Self::Year => last_of_month(year, 12),
        }
    }
}

/// The longest policy, in each unit.
const MAX_YEARS: u32 = 100;
const MAX_MONTHS: u32 = 12 * MAX_YEARS;
const MAX_DAYS: u32 = 365 * MAX_YEARS;

impl ExpiryPolicy {
    /// Reads the form that [`fmt::Display`] writes. `None` for any other text, and for more than 100 years.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("never"), None, ..) => Some(Self::Never),
            (Some("after"), Some(length), Some(period), None) => {
                let length = self::length(length)?;
                let until_end_of = Rounding::ALL.into_iter().find(|known| known.as_str() == period)?;
                Some(Self::After { length, until_end_of })
            }
            (Some("year-end"), Some(years), None, _) => {
                let years = whole(years).filter(|years| *years <= MAX_YEARS);
                years.map(|years_later| Self::YearEnd { years_later })
            }
            (Some("inactivity"), Some(length), None, _) => match self::length(length)? {
                Length::Months(months) => Some(Self::Inactivity { months }),
                Length::Days(_) => None,
            },
            _ => None,
        }
    }

    /// The last day of points that a member earns on this local day, or when the member was active on it.
    pub fn last_day(self, earned: Day) -> Day {
        match self {
            Self::Never => never(),
            Self::After { length, until_end_of } => until_end_of.end(length.after(earned)),
            Self::YearEnd { years_later } => {
                last_of_month(CivilDate::from(earned).year.saturating_add(years_later), 12)
            }
            Self::Inactivity { months } => Length::Months(months).after(earned),
        }
    }
}

impl ExpiryPolicy {
    /// The last day of the balance of a member when points begin to end on this day: a full period later.
    pub fn first_last_day(self, today: Day) -> Day {
        match self {
            Self::YearEnd { years_later: 0 } => Self::YearEnd { years_later: 1 }.last_day(today),
            other => other.last_day(today),
        }
    }
}

impl Length {
    /// The day so long after this one. [`never`] beyond the calendar.
    fn after(self, day: Day) -> Day {
        match self {
            Self::Days(days) => {
                let days = i32::try_from(days).ok().and_then(|days| day.as_days().checked_add(days));
                days.and_then(Day::from_days).unwrap_or_else(never)
            }
            Self::Months(months) => {
                let CivilDate { year, month, day } = day.into();
                let months = (month - 1).saturating_add(months);
                let (year, month) = (year + months / 12, months % 12 + 1);
                let same = CivilDate { year, month, day }.to_day();
                same.unwrap_or_else(|| last_of_month(year, month))
            }
        }
    }
}

/// The last day of a month. [`never`] beyond the calendar.
fn last_of_month(year: u32, month: u32) -> Day {
    let mut days = (28..=31).rev().map(|day| CivilDate { year, month, day });
    days.find_map(CivilDate::to_day).unwrap_or_else(never)
}

impl fmt::Display for ExpiryPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("never"),
            Self::After { length, until_end_of } => write!(f, "after:{length}:{}", until_end_of.as_str()),
            Self::YearEnd { years_later } => write!(f, "year-end:{years_later}"),
            Self::Inactivity { months } => write!(f, "inactivity:{}", Length::Months(*months)),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Months(count) => write!(f, "{count}-months"),
            Self::Days(count) => write!(f, "{count}-days"),
        }
    }
}

fn length(text: &str) -> Option<Length> {
    let (count, unit) = text.split_once('-')?;
    let count = whole(count).filter(|count| *count > 0)?;
    match unit {
        "months" if count <= MAX_MONTHS => Some(Length::Months(count)),
        "days" if count <= MAX_DAYS => Some(Length::Days(count)),
        _ => None,
    }
}

/// A number as it is written: without a sign and without zeros in front.
fn whole(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    fn day(text: &str) -> Day {
        let mut parts = text.split('-').map(|part| part.parse().unwrap());
        let mut next = || parts.next().unwrap();
        CivilDate { year: next(), month: next(), day: next() }.to_day().unwrap()
    }

    #[test]
    fn points_end_on_the_day_that_the_policy_says() {
        for (policy, earned, last) in [
            ("after:1-months:day", "2026-01-31", "2026-02-28"),
            ("after:1-months:day", "2024-01-31", "2024-02-29"),
            ("after:12-months:day", "2024-02-29", "2025-02-28"),
            ("after:48-months:day", "2024-02-29", "2028-02-29"),
            ("after:1-months:day", "2026-12-31", "2027-01-31"),
            ("after:24-months:month", "2026-11-30", "2028-11-30"),
            ("after:24-months:month", "2026-11-01", "2028-11-30"),
            ("after:6-months:quarter", "2026-01-15", "2026-09-30"),
            ("after:6-months:quarter", "2026-06-30", "2026-12-31"),
            ("after:1-months:year", "2026-12-01", "2027-12-31"),
            ("after:90-days:day", "2026-12-01", "2027-03-01"),
            ("after:1-days:day", "2026-02-28", "2026-03-01"),
            ("year-end:0", "2026-01-01", "2026-12-31"),
            ("year-end:0", "2026-12-31", "2026-12-31"),
            ("year-end:2", "2026-12-31", "2028-12-31"),
            ("inactivity:6-months", "2026-08-31", "2027-02-28"),
            ("never", "2026-08-31", "9999-12-31"),
            ("after:1200-months:day", "9990-01-01", "9999-12-31"),
            ("after:36500-days:year", "9990-01-01", "9999-12-31"),
            ("year-end:100", "9990-01-01", "9999-12-31"),
        ] {
            let last_day = ExpiryPolicy::parse(policy).unwrap().last_day(day(earned));
            assert_eq!(last_day.to_string(), last, "{policy} from {earned}");
        }
        for policy in [
            ExpiryPolicy::YearEnd { years_later: u32::MAX },
            ExpiryPolicy::Inactivity { months: u32::MAX },
            ExpiryPolicy::After { length: Length::Days(u32::MAX), until_end_of: Rounding::Quarter },
        ] {
            assert_eq!(policy.last_day(day("2026-08-31")), never(), "{policy}");
        }
    }

    #[test]
    fn a_balance_has_a_full_period_when_points_begin_to_end() {
        let first =
            |policy: &str| ExpiryPolicy::parse(policy).unwrap().first_last_day(day("2026-12-31")).to_string();
        assert_eq!(
            ["year-end:0", "year-end:2", "after:1-months:month"].map(first),
            ["2027-12-31", "2028-12-31", "2027-01-31"]
        );
    }

    /// Otherwise new points would be gone at once, or end before older ones.
    #[test]
    fn no_last_day_is_before_the_day_of_earning_or_before_that_of_older_points() {
        let policies = [
            "after:1-days:day",
            "after:1-months:day",
            "after:7-months:month",
            "after:45-days:quarter",
            "after:3-months:year",
            "year-end:0",
            "year-end:3",
            "inactivity:1-months",
        ];
        for policy in policies.map(|text| ExpiryPolicy::parse(text).unwrap()) {
            let mut before = Timestamp::MIN.day();
            for days in day("2023-12-01").as_days()..day("2029-01-31").as_days() {
                let earned = Day::from_days(days).unwrap();
                let last = policy.last_day(earned);
                assert!(earned <= last && before <= last, "{policy} from {earned}: {last} after {before}");
                before = last;
            }
        }
    }

    #[test]
    fn a_policy_has_one_text() {
        for text in [
            "never",
            "after:24-months:month",
            "after:1-days:day",
            "after:1200-months:quarter",
            "after:36500-days:year",
            "year-end:0",
            "year-end:100",
            "inactivity:12-months",
        ] {
            assert_eq!(ExpiryPolicy::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "on",
            "off",
            "Never",
            "never:1",
            "after",
            "after:24-months",
            "after:24-months:week",
            "after:24-months:month:",
            "after:0-months:month",
            "after:024-months:month",
            "after:+24-months:month",
            "after:-24-months:month",
            "after:1201-months:month",
            "after:36501-days:day",
            "after:2-years:day",
            "year-end",
            "year-end:101",
            "year-end:-1",
            "year-end:1:",
            "inactivity:90-days",
            "inactivity:0-months",
            "inactivity:12-months:day",
        ] {
            assert_eq!(ExpiryPolicy::parse(text), None, "{text}");
        }
    }
}
