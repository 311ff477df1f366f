//! Local days and moments, without a time zone: what holds in every zone. A definition is read without the zone of its tenant.

use pointbook_domain::{Day, Timestamp};

use crate::campaign::RunTime;
use crate::conditions::DayWindow;

const HOURS_AHEAD_OF_UTC: i64 = 14;
const HOURS_BEHIND_UTC: i64 = 12;
const MICROS_PER_HOUR: i64 = 3_600_000_000;

/// Whether no moment of the campaign is in the window, in any time zone.
pub(crate) fn is_outside(window: DayWindow, run: RunTime) -> bool {
    let starts_late = run.ends_at.is_some_and(|end| first_moment(window.from) >= end);
    starts_late || run.starts_at.is_some_and(|start| last_moment_before(window.until) <= start)
}

/// The first moment that some time zone counts to a day.
pub(crate) fn first_moment(day: Day) -> Timestamp {
    moved(day.start(), -HOURS_AHEAD_OF_UTC)
}

/// The moment from which on all time zones count to a day, or to a later one.
pub(crate) fn last_moment_before(day: Day) -> Timestamp {
    moved(day.start(), HOURS_BEHIND_UTC)
}

/// The first local day of a moment in any time zone.
pub(crate) fn first_day(at: Timestamp) -> Day {
    moved(at, -HOURS_BEHIND_UTC).day()
}

/// The last local day of a moment in any time zone.
pub(crate) fn last_day(at: Timestamp) -> Day {
    moved(at, HOURS_AHEAD_OF_UTC).day()
}

fn moved(at: Timestamp, hours: i64) -> Timestamp {
    let nearest = if hours < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_micros(at.as_micros() + hours * MICROS_PER_HOUR).unwrap_or(nearest)
}

#[cfg(test)]
mod tests {
    use pointbook_time::timestamp_text::{parse_day, parse_timestamp};

    use super::*;

    #[test]
    fn a_window_is_outside_when_it_is_in_every_zone() {
        let window =
            DayWindow { from: parse_day("2026-11-14").unwrap(), until: parse_day("2026-11-21").unwrap() };
        let outside = |starts_at: &str, ends_at: &str| {
            let run = RunTime { starts_at: parse_timestamp(starts_at), ends_at: parse_timestamp(ends_at) };
            is_outside(window, run)
        };
        // In UTC+14 the window begins at 10:00 on the day before.
        assert!(outside("", "2026-11-13T10:00:00Z"));
        assert!(!outside("", "2026-11-13T10:00:00.000001Z"));
        // In UTC-12 it ends at 12:00 on the day after.
        assert!(outside("2026-11-21T12:00:00Z", ""));
        assert!(!outside("2026-11-21T11:59:59.999999Z", ""));
        assert!(!outside("", ""));
    }

    #[test]
    fn moments_near_the_ends_of_time_stay_inside() {
        assert_eq!(first_moment(Timestamp::MIN.day()), Timestamp::MIN);
        assert_eq!(last_day(Timestamp::MAX), Timestamp::MAX.day());
        assert_eq!(first_day(Timestamp::MIN), Timestamp::MIN.day());
    }
}
