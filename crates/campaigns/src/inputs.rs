//! What the rules look at while they decide about one activity.

use pointbook_domain::Timestamp;

use crate::counters::Counters;
use crate::event::{Event, Member};
use crate::rule_set::Options;

#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) event: &'a Event<'a>,
    pub(crate) member: &'a Member<'a>,
    /// `None` sets no limit to the age of the activity.
    pub(crate) now: Option<Timestamp>,
    pub(crate) counters: &'a dyn Counters,
    pub(crate) options: &'a Options,
}

impl Inputs<'_> {
    /// The oldest activity that still earns bonuses.
    pub(crate) fn oldest(&self) -> Option<Timestamp> {
        let days = self.options.max_age_days;
        self.now.filter(|_| days > 0).map(|now| now.minus_days(days))
    }
}
