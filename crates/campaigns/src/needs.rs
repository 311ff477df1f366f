//! What a store must load before the rules decide about an activity.

use pointbook_domain::Day;

use crate::campaign::Campaign;
use crate::check::{check_event, check_version};
use crate::counters::OrdinalOf;
use crate::event::Event;
use crate::names::CampaignId;
use crate::period::PeriodKey;
use crate::rule_set::RuleSet;

/// The numbers that [`crate::Counters`] may be asked for. Each is there once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CounterNeeds {
    pub ordinals: Vec<OrdinalOf>,
    pub used: Vec<(CampaignId, PeriodKey)>,
    pub last_birthdays: Vec<CampaignId>,
    pub budgets: Vec<BudgetNeed>,
}

/// A part of the budget of a campaign that an activity may need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetNeed {
    pub campaign: CampaignId,
    /// The points of the award before all limits.
    pub points_at_most: i64,
}

impl CounterNeeds {
    pub fn is_empty(&self) -> bool {
        let Self { ordinals, used, last_birthdays, budgets } = self;
        ordinals.is_empty() && used.is_empty() && last_birthdays.is_empty() && budgets.is_empty()
    }

    fn add(&mut self, campaign: &Campaign, event: &Event<'_>) {
        let id = || campaign.id().clone();
        if campaign.conditions.birthday.is_some() {
            self.last_birthdays.push(id());
        }
        let ordinal = campaign.conditions.ordinal.map(|ordinal| ordinal.of);
        self.ordinals.extend(ordinal.filter(|of| !self.ordinals.contains(of)));
        let points_at_most = campaign.reward.points(event.points);
        if points_at_most > 0 {
            self.add_limits(campaign, event.local.day, points_at_most);
        }
    }

    fn add_limits(&mut self, campaign: &Campaign, local_day: Day, points_at_most: i64) {
        let limits = campaign.limits.per_user.iter();
        self.used.extend(limits.map(|limit| (campaign.id().clone(), PeriodKey::of(limit.period, local_day))));
        if campaign.limits.budget.is_some() {
            self.budgets.push(BudgetNeed { campaign: campaign.id().clone(), points_at_most });
        }
    }
}

impl RuleSet {
    /// The counters of the campaigns that may match, as far as the activity alone says.
    pub fn needs(&self, event: &Event<'_>) -> CounterNeeds {
        let mut needs = CounterNeeds::default();
        if !event.may_earn() {
            return needs;
        }
        for (_, entry) in self.entries_of(event.kind) {
            let version = entry.version_at(event.at);
            let campaign = version.campaign.as_ref();
            let may_match = check_version(version, event.at)
                .and_then(|()| check_event(&campaign.conditions, event))
                .is_ok();
            if may_match {
                needs.add(campaign, event);
            }
        }
        needs
    }
}
