//! The rows of a ledger under the rules of one campaign. It does no I/O.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_app::{StoreError, StoreResult};
use pointbook_campaigns::{Campaign, CampaignId, CampaignVersion, Event, RuleSet, Usage, VersionState};
use pointbook_domain::{BonusOrigin, EarnedCounts, Timestamp, UserId};
use pointbook_schema::back_tests::EarningRow;
use pointbook_schema::rows::MemberProfile;

use super::awards::Given;
use super::budget_cut::BudgetCut;
use super::lacking::Lacking;
use super::run::BackTest;
use super::tally::{RowOutcome, Tally};
use super::user::{Later, RowCounters, UserPast};
use crate::Earning;
use crate::back_fill::filled_transaction;
use crate::earning::member;

/// Ledger rows by user and `seq`, with their users.
pub(super) struct Page {
    pub(super) rows: Vec<EarningRow>,
    pub(super) users: HashMap<UserId, PageUser>,
}

#[derive(Default)]
pub(super) struct PageUser {
    /// `None` for a user whose account was removed after the row was read.
    pub(super) profile: Option<MemberProfile>,
    /// What the campaign gave.
    pub(super) given: Given,
}

pub(super) struct Simulation {
    /// Only the tested campaign.
    earning: Earning,
    campaign: Arc<Campaign>,
    from: Timestamp,
    until: Timestamp,
    past: Option<UserPast>,
    tally: Tally,
    /// `None` without a budget.
    cut: Option<BudgetCut>,
}

impl Simulation {
    /// Takes the settings of the tenant from `earning`, and not its campaigns.
    pub(super) fn new(earning: &Earning, test: &BackTest) -> Self {
        let BackTest { version, from, until } = test;
        let campaign = version.campaign.clone();
        let always = CampaignVersion { state: VersionState::Active, from: Timestamp::MIN, ..version.clone() };
        let rules = Arc::new(RuleSet::new(vec![always], earning.rules.options().clone()));
        let cut = BudgetCut::of(&campaign);
        let earning = Earning { rules, ..earning.clone() };
        Self { earning, campaign, from: *from, until: *until, past: None, tally: Tally::default(), cut }
    }

    /// The same, which also collects what a back-fill has to give.
    pub(super) fn collecting(mut self) -> Self {
        self.tally.lacking = Some(Lacking::default());
        self
    }

    pub(super) fn campaign_id(&self) -> &CampaignId {
        self.campaign.id()
    }

    /// Pages come in order. A user's rows may continue in the next page.
    pub(super) fn page(&mut self, page: &Page) {
        for row in &page.rows {
            if let Some(user) = page.users.get(&row.user_id) {
                self.row(row, user);
            }
        }
    }

    pub(super) fn row(&mut self, row: &EarningRow, user: &PageUser) {
        let mut past = match self.past.take() {
            Some(past) if past.id == row.user_id => past,
            other => {
                self.end_user(other);
                UserPast::new(row.user_id.clone(), user.given.clone())
            }
        };
        if EarnedCounts::counts_row(row.kind.as_str(), row.points.get(), row.source_id.as_str()) {
            past.earned.add_one(&row.kind);
        }
        match later(row, self.campaign.id()) {
            Some(later) => past.add_later(later),
            None if self.counts(row) => self.decide(row, user.profile.as_ref(), &mut past),
            None => {}
        }
        self.past = Some(past);
    }

    fn counts(&self, row: &EarningRow) -> bool {
        let is_activity = !row.kind.is_order() && row.bonus_origin != BonusOrigin::BackFill;
        is_activity && (self.from..self.until).contains(&row.created_at)
    }

    fn decide(&mut self, row: &EarningRow, profile: Option<&MemberProfile>, past: &mut UserPast) {
        self.tally.add_activity();
        let paid = self.paid(row, past);
        if paid.awards == 0 && row.points.get() <= 0 {
            return;
        }
        let new = MemberProfile {
            birth_date: None,
            birth_date_set_at: None,
            locale: None,
            created_at: row.recorded_at,
        };
        let event = event(row, &self.earning);
        let counters = RowCounters { earning: &self.earning, past, kind: &row.kind };
        let member = member(&row.user_id, profile.unwrap_or(&new));
        // An activity whose bonus is beyond the bounds of points would be refused.
        let awards = self.earning.rules.evaluate(&event, &member, None, &counters);
        let award = awards.unwrap_or_default().into_iter().next();
        if let Some(award) = &award {
            let needs = self.earning.rules.needs(&event);
            past.add(award, needs.used.into_iter().map(|(_, period)| period));
        }
        if award.is_some() || paid.awards > 0 || past.may_be_filled() {
            past.add_outcome(RowOutcome {
                seq: row.seq,
                id: row.id.clone(),
                kind: row.kind.clone(),
                day: event.local.day,
                recorded_at: row.recorded_at,
                simulated: award.as_ref().map_or(0, |award| award.points.get()),
                is_clipped: award.as_ref().is_some_and(|award| award.clipped),
                birthday: award.and_then(|award| award.birthday),
                paid,
                is_reversed: false,
            });
        }
    }

    /// The bonuses of this campaign that the row has.
    fn paid(&self, row: &EarningRow, past: &UserPast) -> Usage {
        let is_live = matches!(row.bonus_origin, BonusOrigin::Campaigns { .. });
        let mut paid = if is_live { past.given(row.seq) } else { Usage::default() };
        // The awards are known by their rows. The bonuses of the request stand before them.
        let breakdown = row.bonuses.breakdown();
        let requested = breakdown.len().saturating_sub(row.bonus_origin.awards());
        for bonus in breakdown.iter().take(requested) {
            let is_kind = bonus.kind == self.campaign.kind().as_str();
            if is_kind && self.campaign.titles().any(|title| title == bonus.title) {
                paid.awards += 1;
                paid.points += bonus.points.get();
            }
        }
        paid
    }

    fn end_user(&mut self, past: Option<UserPast>) {
        let Some(past) = past else { return };
        let (id, outcomes) = past.end();
        match &mut self.cut {
            Some(cut) => cut.add(id, outcomes),
            None => self.tally.add_user(&id, outcomes),
        }
    }

    /// # Errors
    /// When the test would need too much memory.
    pub(super) fn check_size(&self) -> StoreResult<()> {
        match self.cut.as_ref().filter(|cut| cut.is_too_large()) {
            Some(_) => Err(StoreError::Corrupt(
                "a back-test with a budget has too many awards: test a shorter time".into(),
            )),
            None => Ok(()),
        }
    }

    pub(super) fn finish(mut self) -> Tally {
        let past = self.past.take();
        self.end_user(past);
        if let Some(cut) = self.cut {
            cut.finish(&mut self.tally);
        }
        self.tally
    }
}

/// What a row says of an earlier one.
fn later(row: &EarningRow, campaign: &CampaignId) -> Option<Later> {
    match row.bonus_origin {
        BonusOrigin::Undecided => {
            row.source_id.reversed_transaction().map(|of| Later::Reversed(of.to_owned()))
        }
        BonusOrigin::BackFill => {
            let of = filled_transaction(&row.source_id, campaign)?;
            Some(Later::Given(of.to_owned(), row.bonuses.total().get()))
        }
        BonusOrigin::BackOffice | BonusOrigin::Import | BonusOrigin::Campaigns { .. } => None,
    }
}

fn event<'r>(row: &'r EarningRow, earning: &Earning) -> Event<'r> {
    let EarningRow { kind, source_id, points, created_at: at, attributes, .. } = row;
    let local = earning.zone.local_time(*at);
    Event { kind, source_id, points: *points, at: *at, local, attributes }
}

#[cfg(test)]
mod tests;
