//! How many members were active on each day and in the days before it.

use std::collections::BTreeMap;

use pointbook_domain::Day;
use pointbook_store::schema::rows::DailyMembers;

use super::active_days::NewDay;

/// A member who was active on a day counts as active in this many days from it on.
const WEEK: i64 = 7;
const MONTH: i64 = 28;

/// Changes by day since 1970-01-01. Those of `active_7` and `active_28` hold from their day on, for all later days.
#[derive(Debug, Default)]
pub(crate) struct DaySums(BTreeMap<i64, Changes>);

#[derive(Debug, Default)]
struct Changes {
    joined: i64,
    active: i64,
    active_week: i64,
    active_month: i64,
    came_back: i64,
    lapsed: i64,
}

impl DaySums {
    /// Counts a new active day of a member. The time between the days around it is now two times.
    pub(crate) fn add(&mut self, new: NewDay) {
        let NewDay { before, day, after } = new;
        if before.is_some() || after.is_some() {
            self.count(before, after, -1);
        }
        self.count(before, Some(day), 1);
        self.count(Some(day), after, 1);
    }

    /// Counts the time from an active day to the next one, without the next one's own activity.
    fn count(&mut self, day: Option<Day>, next: Option<Day>, times: i64) {
        let days = |day: Day| i64::from(day.as_days());
        match (day.map(days), next.map(days)) {
            (None, Some(next)) => self.at(next).joined += times,
            (Some(day), next) => {
                self.at(day).active += times;
                self.span(day, next, times);
            }
            (None, None) => {}
        }
    }

    fn span(&mut self, day: i64, next: Option<i64>, times: i64) {
        let until = |length| next.map_or(day + length, |next| next.min(day + length));
        self.at(day).active_week += times;
        self.at(until(WEEK)).active_week -= times;
        self.at(day).active_month += times;
        self.at(until(MONTH)).active_month -= times;
        if next.is_none_or(|next| next > day + MONTH) {
            self.at(day + MONTH).lapsed += times;
        }
        if let Some(next) = next.filter(|next| *next > day + MONTH) {
            self.at(next).came_back += times;
        }
    }

    fn at(&mut self, day: i64) -> &mut Changes {
        self.0.entry(day).or_default()
    }

    /// The changes of each day whose numbers change, in order.
    pub(crate) fn rows(&self) -> Vec<DailyMembers> {
        let (mut rows, mut running, mut reached) = (Vec::new(), (0, 0), i64::MIN);
        let nothing = Changes::default();
        for (at, changes) in &self.0 {
            while running != (0, 0) && reached < *at {
                rows.extend(row(reached, &nothing, running));
                reached += 1;
            }
            running = (running.0 + changes.active_week, running.1 + changes.active_month);
            rows.extend(row(*at, changes, running));
            reached = at + 1;
        }
        rows
    }
}

/// `None` beyond the year 9999.
fn row(day: i64, changes: &Changes, (active_7, active_28): (i64, i64)) -> Option<DailyMembers> {
    let day = i32::try_from(day).ok().and_then(Day::from_days)?;
    let Changes { joined, active: active_1, came_back, lapsed, .. } = *changes;
    Some(DailyMembers { day, joined, active_1, active_7, active_28, came_back, lapsed })
}
