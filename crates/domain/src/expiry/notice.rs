//! Notices that points end soon.

use std::fmt;

use super::Lots;
use crate::Day;
use crate::zones::timestamp_text::parse_day;

/// Says that points of a user end in some days. It displays as `2026-12-31:30:120`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndNotice {
    /// The last day of the points.
    pub last_day: Day,
    /// How many days before the last day it is due. It may come later, after a pause of the server.
    pub notice_days: u32,
    /// What the user had of that day when the notice was made.
    pub points: i64,
}

impl EndNotice {
    /// Reads the form that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let (last_day, days, points) = (parts.next()?, parts.next()?, parts.next()?);
        let notice = Self {
            last_day: parse_day(last_day)?,
            notice_days: days.parse().ok()?,
            points: points.parse().ok()?,
        };
        (notice.to_string() == text).then_some(notice)
    }

    /// The notices of a user's lots that became due after the day `told_on` and up to `today`. Of several for one lot, only the one with the
    /// fewest days. Points that are over have none.
    pub fn due(lots: &Lots, notice_days: &[u32], (told_on, today): (Day, Day)) -> Vec<Self> {
        let notice = |(last_day, points): (Day, i64)| {
            let is_due = |days: &u32| {
                let left = |from: Day| i64::from(last_day.as_days()) - i64::from(from.as_days());
                left(today) >= 0 && left(today) <= i64::from(*days) && left(told_on) > i64::from(*days)
            };
            let notice_days = notice_days.iter().copied().filter(is_due).min()?;
            Some(Self { last_day, notice_days, points })
        };
        lots.ending().filter_map(notice).collect()
    }
}

impl fmt::Display for EndNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { last_day, notice_days, points } = self;
        write!(f, "{last_day}:{notice_days}:{points}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        parse_day(text).unwrap()
    }

    fn due(lots: &str, told_on: &str, today: &str) -> Vec<String> {
        let lots = Lots::parse(lots).unwrap();
        let due = EndNotice::due(&lots, &[30, 7, 1], (day(told_on), day(today)));
        due.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_notice_is_due_once() {
        let lots = "2026-12-31:120,2027-01-31:50";
        assert_eq!(due(lots, "2026-11-30", "2026-12-01"), ["2026-12-31:30:120"]);
        assert_eq!(due(lots, "2026-12-01", "2026-12-01"), [""; 0]);
        assert_eq!(due(lots, "2026-12-01", "2026-12-02"), [""; 0]);
        assert_eq!(due(lots, "2026-12-23", "2026-12-24"), ["2026-12-31:7:120"]);
        assert_eq!(due(lots, "2026-12-29", "2026-12-30"), ["2026-12-31:1:120"]);
        assert_eq!(due(lots, "2026-12-31", "2027-01-01"), ["2027-01-31:30:50"]);
    }

    #[test]
    fn after_a_pause_the_last_missed_notice_counts_and_points_that_are_over_have_none() {
        let lots = "2026-12-31:120,2027-01-31:50";
        assert_eq!(due(lots, "2026-11-01", "2026-12-26"), ["2026-12-31:7:120"]);
        assert_eq!(due(lots, "2026-11-01", "2026-12-31"), ["2026-12-31:1:120"]);
        assert_eq!(due(lots, "2026-11-01", "2027-01-01"), ["2027-01-31:30:50"]);
        assert_eq!(due("9999-12-31:5", "2026-11-01", "2027-01-01"), [""; 0], "they never end");
    }

    #[test]
    fn a_notice_is_read_as_it_is_written() {
        let notice = EndNotice { last_day: day("2026-12-31"), notice_days: 30, points: 120 };
        assert_eq!(EndNotice::parse(&notice.to_string()), Some(notice));
        for wrong in ["", "2026-12-31", "2026-12-31:030:120", "2026-12-31:30:120:1", "x:30:120"] {
            assert_eq!(EndNotice::parse(wrong), None, "{wrong}");
        }
    }
}
