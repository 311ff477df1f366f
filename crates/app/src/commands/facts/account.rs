//! The account of one user while rows are added to its history, and the profile.

use std::collections::BTreeMap;

use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{Activity, Day, Points, Timestamp, User, UserId};
use pointbook_schema::rows::AccountState;

use super::super::changes::{AccountChange, Changes, DayCount};
use super::known_rows::KnownRows;

/// What a transaction that takes points may leave of the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overdraft {
    /// 0 or more.
    Refused,
    /// Any amount within the bounds: it happened.
    Allowed,
}

/// Why a transaction is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It takes more points than there are.
    TooFewPoints,
    /// The balance would leave its bounds.
    OutOfRange,
}

impl Overdraft {
    /// The balance with this activity.
    ///
    /// # Errors
    /// [`Refusal`] when there is no such balance.
    pub fn balance_after(self, balance: Points, activity: &Activity) -> Result<Points, Refusal> {
        let net = activity.net_points().map_err(|_| Refusal::OutOfRange)?;
        let balance = balance.checked_add(net).ok();
        let is_short = net < Points::ZERO && balance.is_none_or(|balance| balance < Points::ZERO);
        match self {
            Self::Refused if is_short => Err(Refusal::TooFewPoints),
            Self::Refused | Self::Allowed => balance.ok_or(Refusal::OutOfRange),
        }
    }
}

/// An account as it was read and as it is now.
#[derive(Debug)]
pub(super) struct Account {
    before: Option<AccountState>,
    pub(super) now: AccountState,
    pub(super) rows: KnownRows,
    /// The new rows by day.
    added: BTreeMap<Day, u32>,
    /// When the first new row was recorded.
    recorded_at: Option<Timestamp>,
}

impl Account {
    pub(super) fn new(before: Option<AccountState>) -> Self {
        let now = before.clone().unwrap_or(AccountState::NEW);
        Self { before, now, rows: KnownRows::default(), added: BTreeMap::new(), recorded_at: None }
    }

    pub(super) fn is_known(&self) -> bool {
        self.before.is_some()
    }

    /// Goes on from a new row on this day.
    pub(super) fn add(
        &mut self,
        day: Day,
        had_rows: bool,
        recorded_at: Timestamp,
        balance: Points,
        hash: ChainHash,
    ) {
        let added = self.added.entry(day).or_default();
        let is_new_day = *added == 0 && !had_rows;
        *added += 1;
        let AccountState { day_count, last_seq, .. } = self.now;
        let day_count = day_count + u64::from(is_new_day);
        self.now = AccountState { balance, day_count, last_seq: last_seq + 1, last_hash: hash };
        self.recorded_at.get_or_insert(recorded_at);
    }

    pub(super) fn add_changes(self, user_id: UserId, changes: &mut Changes) {
        // Without a new row nothing changed.
        let Self { before, now: after, rows: _, added, recorded_at: Some(recorded_at) } = self else {
            return;
        };
        for (day, added) in added {
            changes.days.push(DayCount { user_id: user_id.clone(), day, added });
        }
        changes.accounts.push(AccountChange { user_id, before, after, recorded_at });
    }
}

/// A user as read, and as it is now.
#[derive(Debug)]
pub(super) struct UserFact {
    pub(super) is_stored: bool,
    pub(super) is_changed: bool,
    pub(super) now: Option<User>,
}

impl UserFact {
    pub(super) fn add_changes(self, changes: &mut Changes) {
        let Self { is_stored, is_changed: true, now: Some(user) } = self else { return };
        if is_stored { changes.changed_users.push(user) } else { changes.new_users.push(user) }
    }
}
