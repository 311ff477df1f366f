//! What the rules know of earlier activities and awards.

use pointbook_domain::{Day, Points, words};

use crate::limits::Budget;
use crate::names::CampaignId;
use crate::period::PeriodKey;

words! {
    /// Which activities an ordinal counts.
    pub OrdinalOf {
        /// Those of the type of the activity.
        Type = "type",
        All = "all",
    }
}

/// The awards of one user, or what earlier awards leave. The rules ask only for numbers that matter, and only those that
/// [`crate::RuleSet::needs`] names.
pub trait Counters {
    /// The position of this activity, from 1, among the user's activities with base points above 0 that are no orders, in the
    /// order of recording.
    fn ordinal(&self, of: OrdinalOf) -> u64;

    /// The awards of this user by a campaign in a period, before this activity.
    fn used(&self, campaign: &CampaignId, period: PeriodKey) -> Usage;

    /// The latest birthday, with its year, for which a campaign paid this user.
    fn last_birthday(&self, campaign: &CampaignId) -> Option<Day>;

    /// What is left of the budget of a campaign.
    fn budget(&self, campaign: &CampaignId) -> BudgetLeft;

    /// Whether the user is in the control group of a campaign, which has this many percent of all users. The result depends
    /// only on campaign and user.
    fn is_control(&self, campaign: &CampaignId, percent: u8) -> bool;
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub awards: u64,
    pub points: i64,
}

/// `None` has no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BudgetLeft {
    pub awards: Option<u64>,
    pub points: Option<i64>,
}

impl BudgetLeft {
    /// The whole budget.
    pub fn of(budget: Budget) -> Self {
        Self { awards: budget.awards, points: budget.points.map(Points::get) }
    }

    /// Takes an award that it has room for.
    pub fn spend(&mut self, points: Points) {
        self.awards = self.awards.map(|left| left.saturating_sub(1));
        self.points = self.points.map(|left| left.saturating_sub(points.get()));
    }
}
