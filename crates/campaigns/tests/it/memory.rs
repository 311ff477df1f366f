//! Counters in memory that count what a sequence of activities used.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use pointbook_campaigns::{
    Award, BudgetLeft, BudgetNeed, CampaignId, CounterNeeds, Counters, OrdinalOf, Period, PeriodKey, RuleSet,
    Usage,
};
use pointbook_domain::{ActivityType, Day, Points, UserId};

use crate::parts::Parts;

#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    /// Activities that earned base points, by user and type, without orders.
    activities: BTreeMap<(UserId, ActivityType), u64>,
    used: BTreeMap<(UserId, CampaignId, PeriodKey), Usage>,
    last_birthdays: BTreeMap<(UserId, CampaignId), Day>,
    spent: BTreeMap<CampaignId, Usage>,
    /// Whether the activity is one that ordinals do not count.
    pub(crate) is_uncounted: bool,
}

impl Memory {
    /// Counts an activity and its awards.
    pub(crate) fn record(&mut self, parts: &Parts, awards: &[Award]) {
        let Parts { user_id, kind, points, source_id, .. } = parts;
        let is_reversal = source_id.reversed_transaction().is_some();
        if *points > Points::ZERO && !kind.is_order() && !is_reversal {
            *self.activities.entry((user_id.clone(), kind.clone())).or_default() += 1;
        }
        for award in awards {
            let id = || award.campaign.clone();
            let keys = Period::ALL.iter().map(|&period| PeriodKey::of(period, parts.local.day));
            let used = keys.map(|key| (user_id.clone(), id(), key));
            used.for_each(|key| add(self.used.entry(key).or_default(), award));
            add(self.spent.entry(id()).or_default(), award);
            if let Some(birthday) = award.birthday {
                self.last_birthdays.insert((user_id.clone(), id()), birthday);
            }
        }
    }
}

fn add(usage: &mut Usage, award: &Award) {
    usage.awards += 1;
    usage.points += award.points.get();
}

/// The counters of one activity, and what the rules asked for.
pub(crate) struct View<'m> {
    pub(crate) memory: &'m Memory,
    /// Campaigns and users that are in the control group of the campaign.
    pub(crate) control: &'m BTreeSet<(String, String)>,
    pub(crate) rules: &'m RuleSet,
    pub(crate) parts: &'m Parts,
    pub(crate) asked: RefCell<CounterNeeds>,
}

impl View<'_> {
    /// Panics when the rules asked for a counter that their needs do not name.
    pub(crate) fn assert_asked_within(&self, needs: &CounterNeeds) {
        let asked = self.asked.borrow();
        assert!(asked.ordinals.iter().all(|of| needs.ordinals.contains(of)), "{asked:?} {needs:?}");
        assert!(asked.used.iter().all(|used| needs.used.contains(used)), "{asked:?} {needs:?}");
        let mut birthdays = asked.last_birthdays.iter();
        assert!(birthdays.all(|id| needs.last_birthdays.contains(id)), "{asked:?} {needs:?}");
        let has_budget = |id| needs.budgets.iter().any(|need| need.campaign == id);
        assert!(asked.budgets.iter().all(|asked| has_budget(asked.campaign.clone())), "{asked:?} {needs:?}");
    }
}

impl Counters for View<'_> {
    fn ordinal(&self, of: OrdinalOf) -> u64 {
        self.asked.borrow_mut().ordinals.push(of);
        let Parts { user_id, kind, .. } = self.parts;
        let counts = |(id, of_kind): &(UserId, ActivityType)| {
            id == user_id && (of == OrdinalOf::All || of_kind == kind)
        };
        let activities = self.memory.activities.iter().filter(|(key, _)| counts(key));
        activities.map(|(_, count)| count).sum::<u64>() + u64::from(!self.memory.is_uncounted)
    }

    fn used(&self, campaign: &CampaignId, period: PeriodKey) -> Usage {
        self.asked.borrow_mut().used.push((campaign.clone(), period));
        let key = (self.parts.user_id.clone(), campaign.clone(), period);
        self.memory.used.get(&key).copied().unwrap_or_default()
    }

    fn last_birthday(&self, campaign: &CampaignId) -> Option<Day> {
        self.asked.borrow_mut().last_birthdays.push(campaign.clone());
        self.memory.last_birthdays.get(&(self.parts.user_id.clone(), campaign.clone())).copied()
    }

    fn budget(&self, campaign: &CampaignId) -> BudgetLeft {
        let need = BudgetNeed { campaign: campaign.clone(), points_at_most: 0 };
        self.asked.borrow_mut().budgets.push(need);
        let spent = self.memory.spent.get(campaign).copied().unwrap_or_default();
        let budget = self.rules.budget_at(campaign, self.parts.at).unwrap();
        BudgetLeft {
            awards: budget.awards.map(|awards| awards.saturating_sub(spent.awards)),
            points: budget.points.map(|points| points.get() - spent.points),
        }
    }

    fn is_control(&self, campaign: &CampaignId, _percent: u8) -> bool {
        self.control.contains(&(campaign.to_string(), self.parts.user_id.to_string()))
    }
}
