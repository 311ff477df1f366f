//! The budget of a back-test, which is spent in the order of recording.
//!
//! A back-test reads user by user, so it knows that order only at the end. Until then it keeps some 200 bytes for each row with an
//! award, and the id of each user with one.

use pointbook_campaigns::{Budget, Campaign};
use pointbook_domain::UserId;

use super::tally::{RowOutcome, Tally};

/// The most rows with awards.
const MAX_ROWS: usize = 5_000_000;

pub(super) struct BudgetCut {
    awards_left: Option<u64>,
    points_left: Option<i64>,
    /// Whether an award that does not fit is left out instead of clipped.
    skips: bool,
    /// In the order of their ids.
    users: Vec<UserId>,
    rows: Vec<PendingRow>,
}

struct PendingRow {
    /// The index of the user.
    user: usize,
    outcome: RowOutcome,
}

impl BudgetCut {
    /// `None` for a campaign without a budget.
    pub(super) fn of(campaign: &Campaign) -> Option<Self> {
        let Budget { awards, points } = campaign.budget()?;
        let (awards_left, points_left) = (awards, points.map(pointbook_domain::Points::get));
        let (skips, users, rows) = (campaign.skips_at_limit(), Vec::new(), Vec::new());
        Some(Self { awards_left, points_left, skips, users, rows })
    }

    /// Takes the rows of the next user.
    pub(super) fn add(&mut self, user_id: UserId, rows: Vec<RowOutcome>) {
        if rows.is_empty() {
            return;
        }
        let user = self.users.len();
        self.rows.extend(rows.into_iter().map(|outcome| PendingRow { user, outcome }));
        self.users.push(user_id);
    }

    /// Whether there are more rows than may be kept.
    pub(super) fn is_too_large(&self) -> bool {
        self.rows.len() > MAX_ROWS
    }

    /// Spends the budget, and counts what is left of the rows.
    pub(super) fn finish(mut self, tally: &mut Tally) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by_key(|row| row.outcome.recorded_at);
        for row in &mut rows {
            self.spend(&mut row.outcome);
        }
        rows.sort_by_key(|row| (row.user, row.outcome.seq));
        let mut rows = rows.into_iter().peekable();
        for (user, id) in self.users.iter().enumerate() {
            let of_user = std::iter::from_fn(|| rows.next_if(|row| row.user == user));
            tally.add_user(id, of_user.map(|row| row.outcome));
        }
    }

    fn spend(&mut self, outcome: &mut RowOutcome) {
        let wanted = outcome.simulated;
        if wanted == 0 {
            return;
        }
        let left = if self.awards_left == Some(0) { 0 } else { self.points_left.unwrap_or(wanted) };
        let given = if left < wanted && self.skips { 0 } else { wanted.min(left) };
        outcome.simulated = given;
        outcome.is_clipped |= given < wanted;
        if given > 0 {
            self.awards_left = self.awards_left.map(|left| left - 1);
            self.points_left = self.points_left.map(|left| left - given);
        }
    }
}
