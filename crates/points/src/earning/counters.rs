//! What the campaigns ask of the user's past, out of the facts of a command.

use std::cell::RefCell;

use pointbook_campaigns::{BudgetLeft, CampaignId, Counters, OrdinalOf, PeriodKey, Usage};
use pointbook_domain::{Activity, Day, UserId};
use pointbook_store::commands::{CommandError, Facts};
use pointbook_store::schema::rows::AwardRow;

use crate::earning::bonuses::{Earning, awards_of, ever, next_ordinal};
use crate::earning::budget;
use crate::ledger;

pub(crate) struct FactCounters<'f> {
    earning: &'f Earning,
    user_id: &'f UserId,
    activity: &'f Activity,
    facts: &'f Facts,
    /// The positions of the activity: of its type, and of all.
    ordinals: (u64, u64),
    /// What was asked for and not loaded. The trait cannot fail.
    lacks: RefCell<Option<&'static str>>,
}

impl<'f> FactCounters<'f> {
    pub(crate) fn new(
        earning: &'f Earning,
        user_id: &'f UserId,
        activity: &'f Activity,
        facts: &'f Facts,
    ) -> Result<Self, CommandError> {
        let earned = ledger::earned(facts, user_id)?;
        let of_type = next_ordinal(earned.of(&activity.kind), activity);
        let ordinals = (of_type, next_ordinal(earned.total(), activity));
        Ok(Self { earning, user_id, activity, facts, ordinals, lacks: RefCell::default() })
    }

    /// Fails when a fact was asked for that was not loaded.
    pub(crate) fn finish(self) -> Result<(), CommandError> {
        match self.lacks.into_inner() {
            Some(table) => Err(CommandError::Corrupt(format!(
                "table {table}: the rules ask for rows that they did not need"
            ))),
            None => Ok(()),
        }
    }

    fn awards(&self, campaign: &CampaignId, period: PeriodKey) -> Vec<&AwardRow> {
        self.facts.rows(&awards_of(self.user_id, campaign, period)).unwrap_or_else(|_| {
            self.lacks.replace(Some("awards"));
            Vec::new()
        })
    }
}

impl Counters for FactCounters<'_> {
    fn ordinal(&self, of: OrdinalOf) -> u64 {
        match of {
            OrdinalOf::Type => self.ordinals.0,
            OrdinalOf::All => self.ordinals.1,
        }
    }

    fn used(&self, campaign: &CampaignId, period: PeriodKey) -> Usage {
        usage(self.awards(campaign, period))
    }

    fn last_birthday(&self, campaign: &CampaignId) -> Option<Day> {
        self.awards(campaign, ever(self.activity)).into_iter().filter_map(|award| award.birthday).max()
    }

    fn budget(&self, campaign: &CampaignId) -> BudgetLeft {
        let Some(budget) = self.earning.rules.budget_at(campaign, self.activity.created_at) else {
            return BudgetLeft::default();
        };
        budget::left(self.facts, campaign.as_str(), budget).unwrap_or_else(|| {
            self.lacks.replace(Some("budget_shares"));
            BudgetLeft { awards: Some(0), points: Some(0) }
        })
    }

    fn is_control(&self, campaign: &CampaignId, percent: u8) -> bool {
        self.earning.is_control(campaign.as_str(), self.user_id, percent)
    }
}

/// How many awards, and how many points together.
pub(crate) fn usage<'a>(awards: impl IntoIterator<Item = &'a AwardRow>) -> Usage {
    awards.into_iter().fold(Usage::default(), |usage, award| Usage {
        awards: usage.awards + 1,
        points: usage.points.saturating_add(award.points.get()),
    })
}
