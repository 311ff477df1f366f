//! The awards of campaigns and the shares of their budgets while commands add to them.

use pointbook_domain::{EarnedCounts, Timestamp, UserId};

use super::Facts;
use crate::commands::changes::{BudgetChange, Changes};
use crate::commands::{AwardRange, BudgetNeed, CommandError};
use crate::schema::rows::{AwardRow, BudgetShare, MemberProfile};

impl Facts {
    /// The awards of a range.
    pub fn put_awards(&mut self, range: AwardRange, awards: Vec<AwardRow>) {
        self.awards.entry(range).or_insert(awards);
    }

    /// All shares of a campaign's budget.
    pub fn put_budget(&mut self, need: &BudgetNeed, shares: Vec<BudgetShare>) {
        let shares = || shares.into_iter().map(ShareFact::read).collect();
        self.budgets.entry(need.campaign_id.clone()).or_insert_with(shares);
    }

    /// What campaigns ask of the user of a loaded account. A user who is unknown yet begins at `now`.
    ///
    /// # Errors
    /// When the account was not loaded.
    pub fn member(&self, user_id: &UserId, now: Timestamp) -> Result<MemberProfile, CommandError> {
        let account = self.accounts.get(user_id).ok_or_else(CommandError::not_loaded("users"))?;
        let (birth_date, birth_date_set_at, locale, created_at) = (None, None, None, now);
        let unknown = MemberProfile { birth_date, birth_date_set_at, locale, created_at };
        Ok(account.member.clone().unwrap_or(unknown))
    }

    /// How many activities earned the user points.
    ///
    /// # Errors
    /// When the account was not loaded.
    pub fn earned(&self, user_id: &UserId) -> Result<&EarnedCounts, CommandError> {
        let account = self.accounts.get(user_id).ok_or_else(CommandError::not_loaded("users"))?;
        Ok(&account.now.earned)
    }

    /// The awards of a loaded range, with those of the commands before. `None` when the range was not loaded.
    pub fn awards(&self, range: &AwardRange) -> Option<&[AwardRow]> {
        self.awards.get(range).map(Vec::as_slice)
    }

    /// Adds awards. They belong to ledger rows that the same commands added.
    pub fn add_awards(&mut self, awards: &[AwardRow]) {
        for award in awards {
            // Ranges are ordered by user, campaign and days. A large import loads many of them.
            let AwardRow { user_id, campaign_id, day, .. } = award;
            let days = (Timestamp::MIN.day(), Timestamp::MIN.day());
            let first = AwardRange { user_id: user_id.clone(), campaign_id: campaign_id.clone(), days };
            let is_of = |range: &AwardRange| (&range.user_id, &range.campaign_id) == (user_id, campaign_id);
            for (range, known) in self.awards.range_mut(first..).take_while(|(range, _)| is_of(range)) {
                if range.days.0 <= *day && *day <= range.days.1 {
                    known.push(award.clone());
                }
            }
        }
        self.changes.awards.extend_from_slice(awards);
    }

    /// The shares of a campaign's budget, with the changes of the commands before. `None` when they were not loaded.
    pub fn shares(&self, campaign_id: &str) -> Option<impl Iterator<Item = &BudgetShare>> {
        Some(self.budgets.get(campaign_id)?.iter().map(|fact| &fact.now))
    }

    /// Writes a share, in place of the one with the same holder.
    ///
    /// # Errors
    /// When the budget was not loaded.
    pub fn write_share(&mut self, share: BudgetShare) -> Result<(), CommandError> {
        let shares = self.budgets.get_mut(&share.campaign_id);
        let shares = shares.ok_or_else(CommandError::not_loaded("budget_shares"))?;
        match shares.iter_mut().find(|fact| fact.now.holder == share.holder) {
            Some(fact) => fact.now = share,
            None => shares.push(ShareFact::new(share)),
        }
        Ok(())
    }
}

/// A share as it was read, and as it is now.
#[derive(Debug)]
pub(super) struct ShareFact {
    before: Option<BudgetShare>,
    pub(super) now: BudgetShare,
}

impl ShareFact {
    pub(super) fn read(stored: BudgetShare) -> Self {
        Self { before: Some(stored.clone()), now: stored }
    }

    pub(super) fn new(share: BudgetShare) -> Self {
        Self { before: None, now: share }
    }

    pub(super) fn add_changes(self, changes: &mut Changes) {
        let Self { before, now: after } = self;
        if before.as_ref() != Some(&after) {
            changes.budgets.push(BudgetChange { before, after });
        }
    }
}
