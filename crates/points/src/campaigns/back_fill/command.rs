//! Gives awards of a back-fill, in one commit with its progress.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_campaigns::{Budget, BudgetLeft, Campaign};
use pointbook_domain::{
    Activity, Attributes, Bonus, BonusOrigin, Bonuses, Locale, Points, SourceId, Timestamp, Transaction,
    TransactionId,
};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::schema::rows::{AwardRow, BackFillRow, EntryRow};

use super::request::is_pending;
use crate::campaigns::back_test::Lack;
use crate::earning::bonuses::awards_of;
use crate::earning::budget;
use crate::earning::counters::usage;
use crate::earning::reverse_transaction::returns_of;
use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Terms};

/// An award to give.
pub(super) struct NewAward {
    pub(super) lack: Lack,
    /// The id of the new row.
    pub(super) id: TransactionId,
    pub(super) source: SourceId,
    /// The source id that a reversal of the original would have.
    pub(super) reversal: SourceId,
}

/// Gives awards. The outcome is the back-fill after that, or `None`, without a change, when it was cancelled or replaced.
pub(super) struct GiveAwards {
    /// The back-fill, as its run knows it.
    pub(super) row: BackFillRow,
    pub(super) campaign: Arc<Campaign>,
    pub(super) awards: Vec<NewAward>,
    /// The language of the tenant.
    pub(super) locale: Locale,
    /// The budget in force now, when the awards count for one.
    pub(super) budget: Option<Budget>,
    /// The share of the budget that pays.
    pub(super) holder: String,
    /// When points end.
    pub(super) terms: Terms,
    pub(super) now: Timestamp,
}

enum Given {
    Now,
    Before,
    LeftOut,
}

impl Command for GiveAwards {
    type Outcome = Option<BackFillRow>;

    const NAME: &'static str = "give_back_filled_awards";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<BackFillRow>();
        for award in &self.awards {
            let Lack { user_id, kind, day, .. } = &award.lack;
            ledger::need_entry(needs, user_id, (kind, &award.source), self.now);
            ledger::need_entry(needs, user_id, (kind, &award.reversal), self.now);
            if let Some(returns) = returns_of(user_id, kind, &award.lack.transaction_id) {
                needs.any::<EntryRow>(returns);
            }
            for period in self.campaign.limit_periods(*day) {
                needs.rows::<AwardRow>(awards_of(user_id, self.campaign.id(), period));
            }
        }
        if self.budget.is_some() {
            budget::need(needs, self.campaign.id().as_str(), &self.holder);
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        for award in &self.awards {
            self.terms.need_due(facts, needs, &award.lack.user_id, self.now);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<Option<BackFillRow>, CommandError> {
        let stored = facts.table::<BackFillRow>()?;
        let Some(mut row) = stored.into_iter().find(|stored| continues(stored, &self.row)) else {
            return Ok(None);
        };
        for award in &self.awards {
            match self.give(award, facts)? {
                Given::Now => {
                    row.given_awards += 1;
                    row.given_points += award.lack.points.get();
                }
                Given::Before => {}
                Given::LeftOut => row.left_out += 1,
            }
        }
        if let Some(budget) = self.budget {
            budget::tell(facts, self.campaign.id().as_str(), budget)?;
        }
        facts.put(row.clone())?;
        Ok(Some(row))
    }
}

impl GiveAwards {
    fn give(&self, award: &NewAward, facts: &mut Facts) -> Result<Given, CommandError> {
        let Lack { user_id, kind, points, .. } = &award.lack;
        if let Some(stored) = facts.get::<EntryRow>(&(user_id, kind, &award.source))? {
            return Ok(standing(&stored.transaction(), *points));
        }
        let is_reversed = facts.get::<EntryRow>(&(user_id, kind, &award.reversal))?.is_some();
        let is_returned = match returns_of(user_id, kind, &award.lack.transaction_id) {
            Some(returns) => facts.any::<EntryRow>(&returns)?,
            None => false,
        };
        let is_reversed = is_reversed || is_returned;
        if is_reversed || !self.is_allowed(&award.lack, facts)? || !self.is_affordable(*points, facts)? {
            return Ok(Given::LeftOut);
        }
        let Some(transaction) = self.transaction(award, facts)? else { return Ok(Given::LeftOut) };
        let recording = Recording { at: self.now, overdraft: Overdraft::Allowed, terms: &self.terms };
        Ok(match recording.record(facts, user_id, &transaction)? {
            Addition::Added { seq } => {
                self.keep(award, seq, facts)?;
                Given::Now
            }
            Addition::AlreadyRecorded(_) | Addition::Refused(_) => Given::LeftOut,
        })
    }

    /// Whether the limits of the user have room for the whole award, beside what the user got since the back-test or outside of its time.
    fn is_allowed(&self, lack: &Lack, facts: &Facts) -> Result<bool, CommandError> {
        let Lack { user_id, day, points, has_some, .. } = lack;
        let mut used = HashMap::new();
        for period in self.campaign.limit_periods(*day) {
            used.insert(period, usage(facts.rows(&awards_of(user_id, self.campaign.id(), period))?));
        }
        let used = |period| used.get(&period).copied().unwrap_or_default();
        Ok(self.campaign.leaves_room(*day, (*points, *has_some), used))
    }

    /// Whether the budget has room for the whole award.
    fn is_affordable(&self, points: Points, facts: &Facts) -> Result<bool, CommandError> {
        let Some(budget) = self.budget else { return Ok(true) };
        let left = budget::left(facts, self.campaign.id().as_str(), budget);
        let BudgetLeft { awards, points: points_left } =
            left.ok_or_else(CommandError::not_loaded("budget_shares"))?;
        Ok(awards != Some(0) && points_left.is_none_or(|left| points.get() <= left))
    }

    /// `None` when the bonus is beyond its bounds.
    fn transaction(&self, award: &NewAward, facts: &Facts) -> Result<Option<Arc<Transaction>>, CommandError> {
        let member = ledger::member(facts, &award.lack.user_id, self.now)?;
        let title = self.campaign.title(member.locale.as_ref(), &self.locale).to_owned();
        let (kind, points) = (self.campaign.kind().to_string(), award.lack.points);
        let bonus = Bonus { kind, points, title: title.clone() };
        let Ok(bonuses) = Bonuses::new(vec![bonus]) else { return Ok(None) };
        let activity = Activity {
            kind: award.lack.kind.clone(),
            source_id: award.source.clone(),
            points: Points::ZERO,
            bonuses,
            title,
            subtitle: String::new(),
            created_at: self.now,
            attributes: Attributes::NONE,
        };
        let (id, bonus_origin) = (award.id.clone(), BonusOrigin::BackFill);
        Ok(Some(Arc::new(Transaction { id, activity, bonus_origin })))
    }

    fn keep(&self, award: &NewAward, seq: u64, facts: &mut Facts) -> Result<(), CommandError> {
        let Lack { user_id, day, points, birthday, .. } = &award.lack;
        let award = AwardRow {
            user_id: user_id.clone(),
            campaign_id: self.campaign.id().to_string(),
            day: *day,
            seq,
            version: self.row.version,
            points: *points,
            birthday: *birthday,
        };
        facts.insert(award.clone());
        match self.budget {
            Some(budget) => budget::spend(facts, &self.holder, &award, budget),
            None => Ok(()),
        }
    }
}

/// A run that was cut off may have given the award meanwhile.
fn standing(stored: &Transaction, points: Points) -> Given {
    let is_ours = stored.bonus_origin == BonusOrigin::BackFill && stored.activity.bonuses.total() == points;
    if is_ours { Given::Before } else { Given::LeftOut }
}

/// Whether the stored back-fill is the one of this run, and has not ended.
pub(super) fn continues(stored: &BackFillRow, run: &BackFillRow) -> bool {
    let same = |row: &BackFillRow| (row.campaign_id.clone(), row.version, row.requested_at);
    same(stored) == same(run) && is_pending(stored)
}
