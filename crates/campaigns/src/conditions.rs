//! The conditions of a campaign. All of those that are set must hold.

use pointbook_domain::{ActivityType, Day, Points, Timestamp, UserId};

use crate::birthday::BirthdayCondition;
use crate::counters::OrdinalOf;
use crate::weekday::Weekdays;

/// Each condition is optional. An empty list is a condition that is not set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    /// Sorted. Orders never match, also without this condition.
    pub(crate) types: Vec<ActivityType>,
    /// Sorted. One must contain the local day.
    pub(crate) windows: Vec<DayWindow>,
    /// Sorted. The source id must begin with one.
    pub(crate) source_prefixes: Vec<String>,
    /// Sorted by name. Each must have one of its values.
    pub(crate) attributes: Vec<AttributeCondition>,
    pub(crate) weekdays: Option<Weekdays>,
    /// Sorted. One must contain the local minute.
    pub(crate) hours: Vec<HourWindow>,
    pub(crate) min_points: Option<Points>,
    pub(crate) ordinal: Option<OrdinalCondition>,
    /// The member was created then or later.
    pub(crate) member_since: Option<Timestamp>,
    /// The member was created earlier.
    pub(crate) member_before: Option<Timestamp>,
    /// Sorted.
    pub(crate) members: Vec<UserId>,
    pub(crate) birthday: Option<BirthdayCondition>,
}

/// Local days from `from` to the day before `until`. It contains at least one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DayWindow {
    pub(crate) from: Day,
    pub(crate) until: Day,
}

impl DayWindow {
    pub(crate) fn contains(self, day: Day) -> bool {
        self.from <= day && day < self.until
    }
}

/// Minutes of the local day from `from` to the minute before `until`. It contains at least one minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HourWindow {
    pub(crate) from: MinuteOfDay,
    pub(crate) until: MinuteOfDay,
}

/// From 0, which is 00:00, to 1440, which is 24:00.
pub(crate) type MinuteOfDay = u16;

impl HourWindow {
    pub(crate) fn contains(self, minute: MinuteOfDay) -> bool {
        self.from <= minute && minute < self.until
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttributeCondition {
    pub(crate) name: String,
    /// Sorted.
    pub(crate) values: Vec<String>,
}

impl AttributeCondition {
    pub(crate) fn has_value(&self, value: &str) -> bool {
        self.values.binary_search_by(|known| known.as_str().cmp(value)).is_ok()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OrdinalCondition {
    pub(crate) nth: Nth,
    pub(crate) of: OrdinalOf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nth {
    First,
    /// Each activity whose position is a multiple of this number, which is not 0.
    Every(u32),
}

impl Nth {
    /// Whether the activity at a position, from 1, matches.
    pub(crate) fn matches(self, position: u64) -> bool {
        match self {
            Self::First => position == 1,
            // An activity that is not counted may have the position 0.
            Self::Every(number) => position > 0 && position.is_multiple_of(number.into()),
        }
    }
}
