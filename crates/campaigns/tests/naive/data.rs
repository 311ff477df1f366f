//! The plain data that the model takes and returns.

use std::collections::BTreeMap;

use super::calendar::Date;

/// An activity of a user.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) user: String,
    /// The activity type, such as `code`.
    pub(crate) kind: String,
    pub(crate) source_id: String,
    /// The base points, without any bonus.
    pub(crate) points: i64,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub(crate) at: i64,
    /// The date in the tenant's zone, as days since 1970-01-01.
    pub(crate) day: i64,
    /// Minutes since midnight in the tenant's zone, from 0 to 1439.
    pub(crate) minute: i64,
    pub(crate) attributes: BTreeMap<String, String>,
}

/// The user of an event, as stored at the time of the event.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) id: String,
    pub(crate) birth_date: Option<Date>,
    /// Microseconds. `None` means that the birth date was set long ago.
    pub(crate) set_at: Option<i64>,
    /// Microseconds.
    pub(crate) created_at: i64,
    /// A language tag, such as `de-AT`.
    pub(crate) locale: Option<String>,
}

/// The day on which members born on 29 February have their birthday in a common year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feb29 {
    Feb28,
    March1,
}

/// The settings of the tenant.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) feb29: Feb29,
    /// How many days before the event the birth date must have been set.
    pub(crate) birth_date_days: u32,
    /// The most bonus points of an event, as a multiple of its base points. 0 means no ceiling.
    pub(crate) ceiling_factor: u32,
    /// The age in days up to which an event may get a bonus. 0 means no limit.
    pub(crate) max_age_days: u32,
    pub(crate) own_locale: String,
    /// Whether a user belongs to the control group: campaign id, user id, percent.
    pub(crate) is_control: fn(&str, &str, u32) -> bool,
}

/// What the campaigns give for one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Campaign id and points, in the order of the breakdown.
    pub(crate) awards: Vec<(String, i64)>,
    /// Kind, points and title, in the order of the breakdown.
    pub(crate) breakdown: Vec<(String, i64, String)>,
    /// For every campaign: `applied`, `clipped`, or the reason why it gives nothing.
    pub(crate) verdicts: BTreeMap<String, String>,
}
