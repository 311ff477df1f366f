//! A campaign: when an activity earns a bonus, and how much.

use pointbook_domain::{ActivityType, Locale, Timestamp, words};

use crate::conditions::Conditions;
use crate::limits::{Budget, Limits};
use crate::names::{CampaignId, GroupName};
use crate::reward::Reward;

words! {
    /// Which campaign of a group wins.
    pub(crate) GroupWins {
        /// The one with the greatest priority.
        First = "first",
        /// The one with the most points.
        Highest = "highest",
    }
}

/// The definition of one version of a campaign. [`crate::parse`] is its only constructor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    pub(crate) id: CampaignId,
    pub(crate) kind: ActivityType,
    pub(crate) title: Titles,
    pub(crate) run: RunTime,
    pub(crate) conditions: Conditions,
    pub(crate) reward: Reward,
    pub(crate) limits: Limits,
    pub(crate) group: Option<Group>,
    pub(crate) priority: i32,
    pub(crate) control_percent: u8,
}

/// From `starts_at`, before `ends_at`. `None` has no bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RunTime {
    pub(crate) starts_at: Option<Timestamp>,
    pub(crate) ends_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) name: GroupName,
    pub(crate) wins: GroupWins,
}

/// The title of a bonus in several languages, sorted by locale. At least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Titles(pub(crate) Vec<(Locale, String)>);

impl Campaign {
    pub fn id(&self) -> &CampaignId {
        &self.id
    }

    /// The type of the bonus in the breakdown: `birthday`, `campaign`, or another word.
    pub fn kind(&self) -> &ActivityType {
        &self.kind
    }

    /// The title in the language of a member, or in the tenant's own language.
    pub fn title(&self, member: Option<&Locale>, own: &Locale) -> &str {
        self.title.best(member, own)
    }

    /// The titles in all languages.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.title.0.iter().map(|(_, title)| title.as_str())
    }

    /// The first moment of the campaign. `None` when it has always run.
    pub fn starts_at(&self) -> Option<Timestamp> {
        self.run.starts_at
    }

    /// The first moment after the campaign. `None` when it runs for ever.
    pub fn ends_at(&self) -> Option<Timestamp> {
        self.run.ends_at
    }

    pub fn budget(&self) -> Option<Budget> {
        self.limits.budget
    }

    /// How many percent of the users get nothing, so that the effect of the campaign can be measured.
    pub fn control_percent(&self) -> u8 {
        self.control_percent
    }
}

impl RunTime {
    pub(crate) fn contains(self, at: Timestamp) -> bool {
        self.starts_at.is_none_or(|start| start <= at) && self.ends_at.is_none_or(|end| at < end)
    }
}

impl Titles {
    /// The title in the member's locale, else in its language, else in the tenant's own locale.
    fn best(&self, member: Option<&Locale>, own: &Locale) -> &str {
        let exact = member.and_then(|locale| self.find(locale.as_str()));
        let by_language = || member.and_then(|locale| self.find(language(locale)));
        let found = exact.or_else(by_language).or_else(|| self.find(own.as_str()));
        // A tenant may change its own locale after the campaign was defined.
        found.or_else(|| self.0.first().map(|(_, title)| title.as_str())).unwrap_or_default()
    }

    fn find(&self, locale: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known.as_str() == locale);
        found.map(|(_, title)| title.as_str())
    }
}

fn language(locale: &Locale) -> &str {
    locale.as_str().split('-').next().unwrap_or_default()
}
