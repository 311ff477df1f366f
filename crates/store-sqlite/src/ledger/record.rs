//! Recording the transactions of one user.

use std::collections::BTreeMap;

use pointbook_app::chain;
use pointbook_domain::ledger::LedgerRow;
use pointbook_domain::{Activity, Day, Points, Timestamp, Transaction, UserId};
use rusqlite::params;

use super::transaction_row::{self, StoredTransaction};
use super::user_state::UserState;
use crate::error::Outcome;
use crate::orders::order_row;
use crate::row::{Record, count, missing};
use crate::users;

/// What a transaction that takes points may leave of the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overdraft {
    /// 0 or more.
    Refused,
    /// Whatever it does: it happened.
    Allowed,
}

/// Why a transaction is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It takes more points than there are.
    TooFewPoints,
    /// The balance would leave its bounds.
    OutOfRange,
}

/// What became of a transaction.
#[derive(Debug)]
pub(crate) enum Addition {
    /// It stands in the ledger from now on, at this place among the user's rows.
    Added { seq: u64 },
    /// One with its business key stood there before; nothing was added.
    StoodThere(StoredTransaction),
    /// Nothing was added.
    Refused(Refusal),
}

/// Adds rows to one user's history; the user's row and days follow at the end. A user who is unknown
/// is created with the first row.
pub(crate) struct Recorder<'d> {
    database: &'d rusqlite::Transaction<'d>,
    tenant: &'d str,
    user: &'d UserId,
    recorded_at: Timestamp,
    is_known: bool,
    before: UserState,
    state: UserState,
    /// Rows added, by day.
    days: BTreeMap<Day, i64>,
}

impl<'d> Recorder<'d> {
    pub(crate) fn begin(
        database: &'d rusqlite::Transaction<'d>,
        tenant: &'d str,
        user: &'d UserId,
        recorded_at: Timestamp,
    ) -> Outcome<Self> {
        let found = UserState::find(database, tenant, user)?;
        let is_known = found.is_some();
        let state = found.unwrap_or(UserState::NEW);
        let before = state.clone();
        Ok(Self { database, tenant, user, recorded_at, is_known, before, state, days: BTreeMap::new() })
    }

    /// Records what a back office tells; none when it is for an order to record. A row in the place of a
    /// refund would keep its order from being cancelled for ever.
    pub(super) fn record_told(
        &mut self,
        transaction: &Transaction,
        overdraft: Overdraft,
    ) -> Outcome<Option<Addition>> {
        let activity = &transaction.activity;
        if self.is_of_an_order(activity)? && self.find(activity)?.is_none() {
            return Ok(None);
        }
        self.record(transaction, overdraft).map(Some)
    }

    /// Records a transaction on its own merits.
    pub(crate) fn record(&mut self, transaction: &Transaction, overdraft: Overdraft) -> Outcome<Addition> {
        let Transaction { id, activity } = transaction;
        let balance_after = match self.balance_with(activity, overdraft) {
            Ok(balance) => balance,
            // What stands in the ledger already is neither refused nor added again, whatever the balance is now.
            Err(refusal) => {
                let stored = self.find(activity)?;
                return Ok(stored.map_or(Addition::Refused(refusal), Addition::StoodThere));
            }
        };
        self.create_unknown()?;
        let seq = self.state.last_seq + 1;
        let (user_id, recorded_at) = (self.user, self.recorded_at);
        let row = LedgerRow { user_id, seq, transaction, balance_after, recorded_at };
        let hash = chain::link(&row, &self.state.last_hash);
        if !transaction_row::insert(self.database, self.tenant, &row, &hash)? {
            let stored = self.find(activity)?.ok_or_else(|| missing("transactions", id.as_str()))?;
            return Ok(Addition::StoodThere(stored));
        }
        self.state = UserState { balance: balance_after, last_seq: seq, last_hash: hash, ..self.state };
        *self.days.entry(activity.created_at.day()).or_default() += 1;
        Ok(Addition::Added { seq })
    }

    /// Writes the user's days and row; gives the balance.
    pub(crate) fn finish(mut self) -> Outcome<Points> {
        for (day, added) in &self.days {
            if self.add_to_day(*day, *added)? {
                self.state.day_count += 1;
            }
        }
        if self.state.last_seq != self.before.last_seq {
            self.state.store(self.database, self.tenant, self.user, &self.before)?;
        }
        Ok(self.state.balance)
    }

    /// Whether the points of an order, whoever's, move under this type and source id.
    fn is_of_an_order(&self, activity: &Activity) -> Outcome<bool> {
        Ok(activity.kind.is_order()
            && order_row::has_source(self.database, self.tenant, &activity.source_id)?)
    }

    fn balance_with(&self, activity: &Activity, overdraft: Overdraft) -> Result<Points, Refusal> {
        let net = activity.net_points().map_err(|_| Refusal::OutOfRange)?;
        let balance = self.state.balance.checked_add(net).ok();
        let is_short = net < Points::ZERO && balance.is_none_or(|balance| balance < Points::ZERO);
        match overdraft {
            Overdraft::Refused if is_short => Err(Refusal::TooFewPoints),
            Overdraft::Refused | Overdraft::Allowed => balance.ok_or(Refusal::OutOfRange),
        }
    }

    fn create_unknown(&mut self) -> Outcome<()> {
        if !self.is_known {
            users::insert_unknown(self.database, self.tenant, self.user, self.recorded_at)?;
            self.is_known = true;
        }
        Ok(())
    }

    fn find(&self, activity: &Activity) -> Outcome<Option<StoredTransaction>> {
        transaction_row::find(self.database, self.tenant, self.user, activity)
    }

    /// Adds rows to a day; true when they are the day's first.
    fn add_to_day(&self, day: Day, added: i64) -> Outcome<bool> {
        let mut upsert = self.database.prepare_cached(
            "INSERT INTO history_days (tenant_id, user_id, day, transaction_count) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (tenant_id, user_id, day)
             DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count
             RETURNING user_id, day, transaction_count",
        )?;
        let mut rows = upsert.query(params![self.tenant, self.user.as_str(), day.as_days(), added])?;
        let row = rows.next()?.ok_or_else(|| missing("history_days", self.user.as_str()))?;
        let now = Record::new("history_days", 2, row).read(2, count)?;
        Ok(now == added.cast_unsigned())
    }
}
