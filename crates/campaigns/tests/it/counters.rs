//! Counters of the engine, which count what the model remembers.

use std::cell::RefCell;

use pointbook_campaigns::{
    BudgetLeft, BudgetNeed, CampaignId, CounterNeeds, Counters, OrdinalOf, PeriodKey, RuleSet, Usage,
};
use pointbook_domain::Day;

use crate::naive::Model;
use crate::naive::data::{Award, Step};
use crate::parts::timestamp;

/// The counters of one activity, and what the rules asked for.
pub(crate) struct View<'m> {
    pub(crate) model: &'m Model,
    pub(crate) rules: &'m RuleSet,
    pub(crate) step: &'m Step,
    /// The position of an activity that ordinals do not count.
    pub(crate) position: Option<u64>,
    pub(crate) asked: RefCell<CounterNeeds>,
}

impl<'m> View<'m> {
    pub(crate) fn new(model: &'m Model, rules: &'m RuleSet, step: &'m Step) -> Self {
        Self { model, rules, step, position: None, asked: RefCell::default() }
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

    /// The awards of a campaign, those of all users or of this one.
    fn usage(&self, campaign: &CampaignId, is_counted: impl Fn(&Award) -> bool) -> Usage {
        let mut usage = Usage::default();
        let awards = self.model.history.awards.iter().filter(|award| award.campaign == campaign.as_str());
        for award in awards.filter(|award| is_counted(award)) {
            usage.awards += 1;
            usage.points += award.points;
        }
        usage
    }
}

impl Counters for View<'_> {
    fn ordinal(&self, of: OrdinalOf) -> u64 {
        self.asked.borrow_mut().ordinals.push(of);
        let Step { event, member, .. } = self.step;
        let position = self.model.history.ordinal(&member.id, event, of.as_str());
        self.position.unwrap_or_else(|| u64::try_from(position).unwrap())
    }

    fn used(&self, campaign: &CampaignId, period: PeriodKey) -> Usage {
        self.asked.borrow_mut().used.push((campaign.clone(), period));
        let (first, last) = period.days();
        let days = i64::from(first.as_days())..=last.as_days().into();
        self.usage(campaign, |award| award.user == self.step.member.id && days.contains(&award.day))
    }

    fn last_birthday(&self, campaign: &CampaignId) -> Option<Day> {
        self.asked.borrow_mut().last_birthdays.push(campaign.clone());
        let day = self.model.history.last_birthday(campaign.as_str(), &self.step.member.id)?;
        Day::from_days(day.try_into().unwrap())
    }

    fn budget(&self, campaign: &CampaignId) -> BudgetLeft {
        let need = BudgetNeed { campaign: campaign.clone(), points_at_most: 0 };
        self.asked.borrow_mut().budgets.push(need);
        let spent = self.usage(campaign, |_| true);
        let budget = self.rules.budget_at(campaign, timestamp(self.step.event.at)).unwrap();
        BudgetLeft {
            awards: budget.awards.map(|awards| awards.saturating_sub(spent.awards)),
            points: budget.points.map(|points| points.get() - spent.points),
        }
    }

    fn is_control(&self, campaign: &CampaignId, _percent: u8) -> bool {
        self.model.options.control.contains(&(campaign.to_string(), self.step.member.id.clone()))
    }
}
