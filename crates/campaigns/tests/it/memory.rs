//! Counters in memory that count what a sequence of activities used.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use pointbook_campaigns::{
    Award, BudgetLeft, Campaign, CampaignId, CounterNeeds, Counters, OrdinalOf, Period, PeriodKey, Usage,
};
use pointbook_domain::{ActivityType, Day, LocalTime, Points, UserId};

#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    pub(crate) users: BTreeMap<UserId, UserMemory>,
    pub(crate) budgets: BTreeMap<CampaignId, BudgetLeft>,
    pub(crate) control: BTreeSet<(CampaignId, UserId)>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct UserMemory {
    /// Activities that earned base points, by type, without orders.
    pub(crate) activities: BTreeMap<ActivityType, u64>,
    pub(crate) used: BTreeMap<(CampaignId, PeriodKey), Usage>,
    pub(crate) last_birthdays: BTreeMap<CampaignId, Day>,
}

impl Memory {
    /// Sets the whole budget of a campaign.
    pub(crate) fn fund(&mut self, campaign: &Campaign) {
        if let Some(budget) = campaign.budget() {
            let left = BudgetLeft { awards: budget.awards, points: budget.points.map(Points::get) };
            self.budgets.insert(campaign.id().clone(), left);
        }
    }

    /// The counters that an activity of a user meets.
    pub(crate) fn view(&self, id: &UserId, kind: &ActivityType) -> View<'_> {
        View { memory: self, id: id.clone(), kind: kind.clone(), asked: RefCell::default() }
    }

    /// Counts an activity and its awards.
    pub(crate) fn record(
        &mut self,
        id: &UserId,
        (kind, points): (&ActivityType, Points),
        local: LocalTime,
        awards: &[Award],
    ) {
        let user = self.users.entry(id.clone()).or_default();
        if points > Points::ZERO && !kind.is_order() {
            *user.activities.entry(kind.clone()).or_default() += 1;
        }
        for award in awards {
            for &period in Period::ALL {
                let key = (award.campaign.clone(), PeriodKey::of(period, local.day));
                let usage = user.used.entry(key).or_default();
                usage.awards += 1;
                usage.points += award.points.get();
            }
            if let Some(birthday) = award.birthday {
                user.last_birthdays.insert(award.campaign.clone(), birthday);
            }
            // Another version without a budget may take more than is left.
            if let Some(left) = self.budgets.get_mut(&award.campaign) {
                left.awards = left.awards.map(|awards| awards.saturating_sub(1));
                left.points = left.points.map(|points| points - award.points.get());
            }
        }
    }
}

/// The counters of one user, and what the rules asked for.
pub(crate) struct View<'m> {
    memory: &'m Memory,
    id: UserId,
    kind: ActivityType,
    asked: RefCell<CounterNeeds>,
}

impl View<'_> {
    fn user(&self) -> UserMemory {
        self.memory.users.get(&self.id).cloned().unwrap_or_default()
    }

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
        let activities = self.user().activities;
        let before = match of {
            OrdinalOf::Type => activities.get(&self.kind).copied().unwrap_or_default(),
            OrdinalOf::All => activities.values().sum(),
        };
        before + 1
    }

    fn used(&self, campaign: &CampaignId, period: PeriodKey) -> Usage {
        self.asked.borrow_mut().used.push((campaign.clone(), period));
        self.user().used.get(&(campaign.clone(), period)).copied().unwrap_or_default()
    }

    fn last_birthday(&self, campaign: &CampaignId) -> Option<Day> {
        self.asked.borrow_mut().last_birthdays.push(campaign.clone());
        self.user().last_birthdays.get(campaign).copied()
    }

    fn budget(&self, campaign: &CampaignId) -> BudgetLeft {
        let need = pointbook_campaigns::BudgetNeed { campaign: campaign.clone(), points_at_most: 0 };
        self.asked.borrow_mut().budgets.push(need);
        self.memory.budgets.get(campaign).copied().unwrap_or_default()
    }

    fn is_control(&self, campaign: &CampaignId, _percent: u8) -> bool {
        self.memory.control.contains(&(campaign.clone(), self.id.clone()))
    }
}
