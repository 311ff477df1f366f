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
