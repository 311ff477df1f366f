//! The rows of a ledger under the rules of one campaign. It does no I/O.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_campaigns::{
    Award, BudgetLeft, Campaign, CampaignId, CampaignVersion, Counters, Event, OrdinalOf, PeriodKey, RuleSet,
    Usage, VersionState,
};
use pointbook_domain::{BonusOrigin, Bonuses, Day, Timestamp, UserId};
use pointbook_store::schema::back_tests::EarningRow;
use pointbook_store::schema::rows::MemberProfile;
use pointbook_store::{StoreError, StoreResult};

use super::awards::Given;
use super::lacking::Lacking;
use super::run::BackTest;
use super::tally::{RowOutcome, Tally};
use super::user::{Later, TestedRow, TestedUser};
use crate::campaigns::back_fill::filled_transaction;
use crate::earning::bonuses::{Earning, member};

/// The most rows that wait for a budget.
const MAX_WAITING_ROWS: usize = 1_000_000;

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

/// It reads user by user, so it knows the order in which a budget was spent only at the end. Until then it keeps the rows that may get
/// an award: some 400 bytes for each, and its attributes.
pub(super) struct Simulation {
    /// Only the tested campaign.
    earning: Earning,
    campaign: Arc<Campaign>,
    from: Timestamp,
    until: Timestamp,
    user: Option<TestedUser>,
    tally: Tally,
    /// What is left of the budget: all of it until every row is read.
    left: BudgetLeft,
    /// The users whose rows wait for the budget, in the order of their ids. Empty for a campaign without one.
    waiting: Vec<TestedUser>,
    waiting_rows: usize,
}

impl Simulation {
    /// Takes the settings of the tenant from `earning`, and not its campaigns.
    pub(super) fn new(earning: &Earning, test: &BackTest) -> Self {
        let BackTest { version, from, until } = test;
        let campaign = version.campaign.clone();
        let always = CampaignVersion { state: VersionState::Active, from: Timestamp::MIN, ..version.clone() };
        let rules = Arc::new(RuleSet::new(vec![always], earning.rules.options().clone()));
        Self {
            earning: Earning { rules, ..earning.clone() },
            left: campaign.budget().map_or_else(BudgetLeft::default, BudgetLeft::of),
            campaign,
            from: *from,
            until: *until,
            user: None,
            tally: Tally::default(),
            waiting: Vec::new(),
            waiting_rows: 0,
        }
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

    pub(super) fn row(&mut self, row: &EarningRow, of: &PageUser) {
        let mut user = match self.user.take() {
            Some(user) if user.id == row.user_id => user,
            other => {
                self.end_user(other);
                TestedUser::new(row.user_id.clone(), of)
            }
        };
        user.count_earned(row);
        match later(row, self.campaign.id()) {
            Some(later) => user.add_later(later),
            None if self.counts(row) => self.read(row, &mut user),
            None => {}
        }
        self.user = Some(user);
    }

    fn counts(&self, row: &EarningRow) -> bool {
        let is_activity = !row.kind.is_order() && row.bonus_origin != BonusOrigin::BackFill;
        is_activity && (self.from..self.until).contains(&row.created_at)
    }

    fn read(&mut self, row: &EarningRow, user: &mut TestedUser) {
        self.tally.add_activity();
        let paid = self.paid(row, user);
        if paid.awards == 0 && row.points.get() <= 0 {
            return;
        }
        let ordinals = user.ordinals(&row.kind);
        // Nobody has used anything of a budget yet, and this user nothing of the other limits.
        let may_earn = self.award((row, ordinals), user).is_some();
        if !may_earn && paid.awards == 0 && !user.may_be_filled() {
            return;
        }
        let outcome = RowOutcome {
            id: row.id.clone(),
            kind: row.kind.clone(),
            day: self.earning.zone.local_time(row.created_at).day,
            simulated: 0,
            is_clipped: false,
            birthday: None,
            has_award: matches!(row.bonus_origin, BonusOrigin::Campaigns { .. })
                && user.given(row.seq).awards > 0,
            paid,
            is_reversed: false,
        };
        let row = EarningRow { user_id: user.id.clone(), bonuses: Bonuses::NONE, ..row.clone() };
        user.rows.push(TestedRow { row, ordinals, may_earn, outcome });
    }

    /// What the campaign gives for a row with these ordinals, with what is left of the limits of the user and of the budget.
    fn award(&self, (row, ordinals): (&EarningRow, (u64, u64)), user: &TestedUser) -> Option<Award> {
        let created_at = row.recorded_at;
        let new = MemberProfile { birth_date: None, birth_date_set_at: None, locale: None, created_at };
        let member = member(&user.id, user.profile.as_ref().unwrap_or(&new));
        let counters = RowCounters { earning: &self.earning, user, ordinals, left: self.left };
        let awards = self.earning.rules.evaluate(&event(row, &self.earning), &member, None, &counters);
        // An activity whose bonus is beyond the bounds of points would be refused.
        awards.unwrap_or_default().into_iter().next()
    }

    /// The bonuses of this campaign that the row has.
    fn paid(&self, row: &EarningRow, user: &TestedUser) -> Usage {
        let is_live = matches!(row.bonus_origin, BonusOrigin::Campaigns { .. });
        let mut paid = if is_live { user.given(row.seq) } else { Usage::default() };
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

    fn end_user(&mut self, user: Option<TestedUser>) {
        let Some(mut user) = user else { return };
        user.end();
        if self.campaign.budget().is_none() {
            for row in 0..user.rows.len() {
                self.give(&mut user, row);
            }
            self.count(user);
        } else if !user.rows.is_empty() {
            self.waiting_rows += user.rows.len();
            self.waiting.push(user);
        }
    }

    /// Decides about a row of a user, after those that were recorded before it.
    fn give(&mut self, user: &mut TestedUser, row: usize) {
        let Some(tested) = user.rows.get(row).filter(|tested| tested.may_earn) else { return };
        let Some(award) = self.award((&tested.row, tested.ordinals), user) else { return };
        let needs = self.earning.rules.needs(&event(&tested.row, &self.earning));
        user.spend(&award, needs.used.into_iter().map(|(_, period)| period));
        self.left.spend(award.points);
        if let Some(TestedRow { outcome, .. }) = user.rows.get_mut(row) {
            outcome.simulated = award.points.get();
            outcome.is_clipped = award.clipped;
            outcome.birthday = award.birthday;
        }
    }

    fn count(&mut self, user: TestedUser) {
        self.tally.add_user(&user.id, user.rows.into_iter().map(|tested| tested.outcome));
    }

    /// # Errors
    /// When the test would need too much memory.
    pub(super) fn check_size(&self) -> StoreResult<()> {
        if self.waiting_rows > MAX_WAITING_ROWS {
            let why = "a back-test with a budget has too many activities that may earn: test a shorter time";
            return Err(StoreError::Corrupt(why.into()));
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Tally {
        let last = self.user.take();
        self.end_user(last);
        let mut waiting = std::mem::take(&mut self.waiting);
        for (_, user, row) in in_order_of_recording(&waiting) {
            if let Some(user) = waiting.get_mut(user) {
                self.give(user, row);
            }
        }
        for user in waiting {
            self.count(user);
        }
        self.tally
    }
}

/// The rows of all users: when each was recorded, and the indexes of its user and of the row. Rows of one import are recorded at the same
/// time, in the order in which they happened.
fn in_order_of_recording(users: &[TestedUser]) -> Vec<([Timestamp; 2], usize, usize)> {
    let rows = |(user, tested): (usize, &TestedUser)| {
        let at =
            |(row, tested): (usize, &TestedRow)| ([tested.row.recorded_at, tested.row.created_at], user, row);
        tested.rows.iter().enumerate().map(at).collect::<Vec<_>>()
    };
    let mut order: Vec<_> = users.iter().enumerate().flat_map(rows).collect();
    order.sort_unstable();
    order
}

/// What the rules ask about a row. Its past is what the test gave before.
struct RowCounters<'r> {
    earning: &'r Earning,
    user: &'r TestedUser,
    /// The positions of the row: of its type, and of all.
    ordinals: (u64, u64),
    left: BudgetLeft,
}

impl Counters for RowCounters<'_> {
    fn ordinal(&self, of: OrdinalOf) -> u64 {
        match of {
            OrdinalOf::Type => self.ordinals.0,
            OrdinalOf::All => self.ordinals.1,
        }
    }

    fn used(&self, _: &CampaignId, period: PeriodKey) -> Usage {
        self.user.used.get(&period).copied().unwrap_or_default()
    }

    fn last_birthday(&self, _: &CampaignId) -> Option<Day> {
        self.user.last_birthday
    }

    fn budget(&self, _: &CampaignId) -> BudgetLeft {
        self.left
    }

    fn is_control(&self, campaign: &CampaignId, percent: u8) -> bool {
        let decide = || self.earning.is_control(campaign.as_str(), &self.user.id, percent);
        *self.user.is_control.get_or_init(decide)
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
