//! The plain data that the model takes and returns.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::calendar::Date;

/// Before every event.
pub(crate) const ALWAYS: i64 = -62_135_596_800_000_000;

/// An activity of a user.
#[derive(Debug, Clone)]
pub(crate) struct Event {
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

impl Event {
    /// Whether it has base points and takes nothing back.
    pub(crate) fn may_earn(&self) -> bool {
        self.points > 0 && !self.source_id.ends_with(":reversal")
    }
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

/// An event, and its user and the clock at the time of recording. Without a clock, events of any age count.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) event: Event,
    pub(crate) member: Member,
    pub(crate) now: Option<i64>,
}

/// A version of a campaign.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) definition: Value,
    pub(crate) number: u32,
    /// Such as `active`.
    pub(crate) state: &'static str,
    /// The moment in microseconds at which it takes over.
    pub(crate) from: i64,
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
    /// Campaigns and users that are in the control group of the campaign.
    pub(crate) control: BTreeSet<(String, String)>,
}

/// Points that a campaign gave to a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Award {
    pub(crate) campaign: String,
    pub(crate) version: u32,
    pub(crate) user: String,
    /// The local day of the event.
    pub(crate) day: i64,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) points: i64,
    pub(crate) is_clipped: bool,
    /// The birthday that the campaign celebrated, if it has a birthday condition.
    pub(crate) birthday: Option<i64>,
}

/// What the campaigns give for one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// In the order of the breakdown.
    pub(crate) awards: Vec<Award>,
    /// By campaign: the version in force, and such as `applied 100` or the reason why it gives nothing.
    pub(crate) verdicts: BTreeMap<String, (u32, String)>,
}
