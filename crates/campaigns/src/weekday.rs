//! The days of the week. Weeks begin on Monday.

use pointbook_domain::{Day, words};

words! {
    /// A day of the week.
    pub Weekday {
        Monday = "mon",
        Tuesday = "tue",
        Wednesday = "wed",
        Thursday = "thu",
        Friday = "fri",
        Saturday = "sat",
        Sunday = "sun",
    }
}

const DAYS_OF_WEEK: i32 = 7;

impl Weekday {
    pub(crate) fn of(day: Day) -> Self {
        match days_since_monday(day) {
            0 => Self::Monday,
            1 => Self::Tuesday,
            2 => Self::Wednesday,
            3 => Self::Thursday,
            4 => Self::Friday,
            5 => Self::Saturday,
            _ => Self::Sunday,
        }
    }

    /// The Monday of the week of a day. The first valid day is a Monday, so each day has one.
    pub(crate) fn monday_of(day: Day) -> Option<Day> {
        Day::from_days(day.as_days() - days_since_monday(day))
    }

    /// Whether two days are in the same week from Monday to Sunday.
    pub(crate) fn is_same_week(one: Day, other: Day) -> bool {
        Self::monday_of(one) == Self::monday_of(other)
    }
}

fn days_since_monday(day: Day) -> i32 {
    // 1970-01-01 was a Thursday.
    (day.as_days() + 3).rem_euclid(DAYS_OF_WEEK)
}

/// A set of weekdays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weekdays(u8);

impl Weekdays {
    pub(crate) fn new(days: impl IntoIterator<Item = Weekday>) -> Self {
        Self(days.into_iter().fold(0, |set, day| set | bit(day)))
    }

    pub(crate) fn contains(self, day: Weekday) -> bool {
        self.0 & bit(day) != 0
    }

    pub(crate) fn shares_a_day_with(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The weekdays of the set, from Monday.
    pub(crate) fn iter(self) -> impl Iterator<Item = Weekday> {
        Weekday::ALL.iter().copied().filter(move |day| self.contains(*day))
    }
}

fn bit(day: Weekday) -> u8 {
    1 << (day as u8)
}
