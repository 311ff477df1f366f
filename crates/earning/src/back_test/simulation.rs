//! The rows of a ledger under the rules of one campaign. It does no I/O.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_campaigns::{Campaign, CampaignVersion, Event, RuleSet, VersionState};
use pointbook_domain::{BonusOrigin, Timestamp, UserId};
use pointbook_schema::back_tests::EarningRow;
use pointbook_schema::rows::MemberProfile;

use super::budget_cut::BudgetCut;
use super::run::BackTest;
use super::tally::{RowOutcome, Tally};
use super::user::{RowCounters, UserPast};
use crate::Earning;
use crate::earning::member;
use pointbook_domain::activity::REVERSAL_SUFFIX;

/// Ledger rows by user and `seq`, with their users.
pub(super) struct Page {
    pub(super) rows: Vec<EarningRow>,
    pub(super) members: HashMap<UserId, MemberProfile>,
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

    /// Pages come in order. A user's rows may continue in the next page.
    pub(super) fn page(&mut self, page: &Page) {
        for row in &page.rows {
            self.row(row, page.members.get(&row.user_id));
        }
    }

    /// A row without a user does not exist; it would count as one of a new user.
    pub(super) fn row(&mut self, row: &EarningRow, profile: Option<&MemberProfile>) {
        let mut past = match self.past.take() {
            Some(past) if past.id == row.user_id => past,
            other => {
                self.end_user(other);
                UserPast::new(row.user_id.clone())
            }
        };
        if row.points.get() > 0 && !row.kind.is_order() {
            past.earned.add_one(&row.kind);
        }
        if self.counts(row) {
            self.tally.add_activity();
            let new = MemberProfile {
                birth_date: None,
                birth_date_set_at: None,
                locale: None,
                created_at: row.recorded_at,
            };
            self.decide(row, profile.unwrap_or(&new), &mut past);
        }
        self.past = Some(past);
    }

    fn counts(&self, row: &EarningRow) -> bool {
        let is_reversal =
            row.bonus_origin == BonusOrigin::Undecided && row.source_id.as_str().ends_with(REVERSAL_SUFFIX);
        (self.from..self.until).contains(&row.created_at) && !row.kind.is_order() && !is_reversal
    }

    fn decide(&mut self, row: &EarningRow, profile: &MemberProfile, past: &mut UserPast) {
        let paid = self.paid(row);
        if paid == 0 && row.points.get() <= 0 {
            return;
        }
        let event = event(row, &self.earning);
        let counters = RowCounters { earning: &self.earning, past, kind: &row.kind };
        // An activity whose bonus is beyond the bounds of points would be refused.
        let awards = self.earning.rules.evaluate(&event, &member(&row.user_id, profile), None, &counters);
        let award = awards.unwrap_or_default().into_iter().next();
        if let Some(award) = &award {
            let needs = self.earning.rules.needs(&event);
            past.add(award, needs.used.into_iter().map(|(_, period)| period));
        }
        let (simulated, is_clipped) = award.map_or((0, false), |award| (award.points.get(), award.clipped));
        if simulated > 0 || paid > 0 {
            let (seq, day) = (row.seq, event.local.day);
            let outcome = RowOutcome { seq, day, simulated, is_clipped, paid };
            match &mut self.cut {
                Some(cut) => cut.add(&row.user_id, row.recorded_at, outcome),
                None => self.tally.add(&row.user_id, &outcome),
            }
        }
    }

    /// The points of the bonuses of this campaign that the row has.
    fn paid(&mut self, row: &EarningRow) -> i64 {
        let (mut bonuses, mut points) = (0, 0);
        for bonus in row.bonuses.breakdown() {
            let is_kind = bonus.kind == self.campaign.kind().as_str();
            if is_kind && self.campaign.titles().any(|title| title == bonus.title) {
                bonuses += 1;
                points += bonus.points.get();
            }
        }
        self.tally.add_paid(bonuses, points);
        points
    }

    fn end_user(&mut self, past: Option<UserPast>) {
        if let (Some(past), None) = (past, &self.cut) {
            self.tally.end_user(&past.id);
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

fn event<'r>(row: &'r EarningRow, earning: &Earning) -> Event<'r> {
    let EarningRow { kind, source_id, points, created_at: at, attributes, .. } = row;
    let local = earning.zone.local_time(*at);
    Event { kind, source_id, points: *points, at: *at, local, attributes }
}

#[cfg(test)]
mod tests;
