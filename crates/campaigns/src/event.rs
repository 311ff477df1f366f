//! What the rules know of an activity and of its user.

use pointbook_domain::{
    ActivityType, Attributes, Day, LocalTime, Locale, Points, SourceId, Timestamp, UserId,
};

/// An activity that may earn bonuses.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    pub kind: &'a ActivityType,
    pub source_id: &'a SourceId,
    /// Base points.
    pub points: Points,
    pub at: Timestamp,
    /// The same moment in the time zone of the tenant.
    pub local: LocalTime,
    pub attributes: &'a Attributes,
}

impl Event<'_> {
    /// Whether it has base points above 0 and takes back no other activity.
    pub(crate) fn may_earn(&self) -> bool {
        self.points > Points::ZERO && self.source_id.reversed_transaction().is_none()
    }
}

/// The user of the activity.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    pub id: &'a UserId,
    pub birth_date: Option<Day>,
    /// When the birth date was set or changed. `None` counts as long ago.
    pub birth_date_set_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// The language of the titles.
    pub locale: Option<&'a Locale>,
}
