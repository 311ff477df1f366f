//! Recording transactions of one user: the part that no database does, so that every store comes to
//! the same rows.

mod outcome;

use std::collections::BTreeMap;

use pointbook_domain::ledger::{CHAIN_START, ChainHash, LedgerRow};
use pointbook_domain::{Activity, Day, Points, Timestamp, Transaction, UserId};

pub use self::outcome::{Addition, StoredTransaction, activity_outcome, by_user, history_outcome};
use crate::chain;

/// What a transaction that takes points may leave of the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overdraft {
    /// 0 or more.
    Refused,
    /// Whatever it does: it happened.
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

/// What a user's row says of the user's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserState {
    /// The sum of all rows.
    pub balance: Points,
    /// On how many days there are rows.
    pub day_count: u64,
    /// The `seq` of the newest row; 0 without rows.
    pub last_seq: u64,
    /// The hash of the newest row; [`CHAIN_START`] without rows.
    pub last_hash: ChainHash,
}

impl UserState {
    /// Before the first row.
    pub const NEW: Self = Self { balance: Points::ZERO, day_count: 0, last_seq: 0, last_hash: CHAIN_START };

    fn balance_with(&self, activity: &Activity, overdraft: Overdraft) -> Result<Points, Refusal> {
        let net = activity.net_points().map_err(|_| Refusal::OutOfRange)?;
        let balance = self.balance.checked_add(net).ok();
        let is_short = net < Points::ZERO && balance.is_none_or(|balance| balance < Points::ZERO);
        match overdraft {
            Overdraft::Refused if is_short => Err(Refusal::TooFewPoints),
            Overdraft::Refused | Overdraft::Allowed => balance.ok_or(Refusal::OutOfRange),
        }
    }
}

/// A row that may be added, and its link in the chain.
#[derive(Debug)]
pub struct NextRow<'r> {
    /// The row.
    pub row: LedgerRow<'r>,
    /// Its hash.
    pub hash: ChainHash,
}

/// The history of one user while rows are added to it; kept in memory until the user's row and days are
/// written.
#[derive(Debug)]
pub struct GrowingHistory<'u> {
    user_id: &'u UserId,
    recorded_at: Timestamp,
    before: UserState,
    state: UserState,
    days: BTreeMap<Day, u32>,
}

impl<'u> GrowingHistory<'u> {
    /// Begins with what is stored; rows are recorded at this time.
    pub fn new(user_id: &'u UserId, before: UserState, recorded_at: Timestamp) -> Self {
        Self { user_id, recorded_at, state: before.clone(), before, days: BTreeMap::new() }
    }

    /// Whose history it is.
    pub fn user_id(&self) -> &'u UserId {
        self.user_id
    }

    /// When its rows are recorded.
    pub fn recorded_at(&self) -> Timestamp {
        self.recorded_at
    }

    /// Rows are recorded at this time from now on.
    pub fn go_on_at(&mut self, recorded_at: Timestamp) {
        self.recorded_at = recorded_at;
    }

    /// The state that is stored.
    pub fn before(&self) -> &UserState {
        &self.before
    }

    /// The state with all rows that were added; its days are those before.
    pub fn state(&self) -> &UserState {
        &self.state
    }

    /// The rows that were added, by day.
    pub fn days(&self) -> impl Iterator<Item = (Day, u32)> {
        self.days.iter().map(|(day, added)| (*day, *added))
    }

    /// Whether nothing was added.
    pub fn is_unchanged(&self) -> bool {
        self.days.is_empty()
    }

    /// The row that this transaction would be.
    ///
    /// # Errors
    /// [`Refusal`] says why it would be none.
    pub fn next<'r>(&self, transaction: &'r Transaction, overdraft: Overdraft) -> Result<NextRow<'r>, Refusal>
    where
        'u: 'r,
    {
        let balance_after = self.state.balance_with(&transaction.activity, overdraft)?;
        let (user_id, seq, recorded_at) = (self.user_id, self.state.last_seq + 1, self.recorded_at);
        let row = LedgerRow { user_id, seq, transaction, balance_after, recorded_at };
        let hash = chain::link(&row, &self.state.last_hash);
        Ok(NextRow { row, hash })
    }

    /// Goes on from a row that was written; gives its place.
    pub fn add(&mut self, next: &NextRow<'_>) -> u64 {
        let NextRow { row, hash } = next;
        let LedgerRow { seq, balance_after, transaction, user_id: _, recorded_at: _ } = row;
        let day_count = self.state.day_count;
        self.state = UserState { balance: *balance_after, day_count, last_seq: *seq, last_hash: *hash };
        *self.days.entry(transaction.activity.created_at.day()).or_default() += 1;
        *seq
    }

    /// The state to be stored, once it is known how many of the days had no rows before.
    #[must_use]
    pub fn state_with_days(&self, new_days: u64) -> UserState {
        UserState { day_count: self.state.day_count + new_days, ..self.state.clone() }
    }
}
