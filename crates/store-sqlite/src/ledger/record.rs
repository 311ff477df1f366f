//! Recording the transactions of one user.

use std::collections::BTreeMap;

use pointbook_app::chain;
use pointbook_app::ports::RecordOutcome;
use pointbook_domain::ledger::{ChainHash, LedgerRow};
use pointbook_domain::points::OutOfRange;
use pointbook_domain::{Activity, Day, Points, Timestamp, Transaction, UserId};
use rusqlite::params;

use super::transaction_row::{self, bonuses_to_json};
use super::user_state::UserState;
use crate::error::Outcome;
use crate::row::{Record, missing};

/// Adds rows to one user's history; the user's row and days follow at the end.
pub(super) struct Recorder<'d> {
    database: &'d rusqlite::Transaction<'d>,
    tenant: &'d str,
    user: &'d UserId,
    recorded_at: Timestamp,
    before: UserState,
    state: UserState,
    /// Rows added, by day.
    days: BTreeMap<Day, i64>,
}

impl<'d> Recorder<'d> {
    pub(super) fn begin(
        database: &'d rusqlite::Transaction<'d>,
        tenant: &'d str,
        user: &'d UserId,
        recorded_at: Timestamp,
    ) -> Outcome<Self> {
        let before = UserState::load(database, tenant, user, recorded_at)?;
        Ok(Self { database, tenant, user, recorded_at, state: before.clone(), before, days: BTreeMap::new() })
    }

    /// Records a transaction on its own merits.
    pub(super) fn record(&mut self, transaction: &Transaction) -> Outcome<RecordOutcome> {
        let Transaction { id, activity } = transaction;
        // What stands in the ledger already is neither refused nor added again, whatever the balance is now.
        let Ok(balance) = balance_with(activity, self.state.balance) else {
            return Ok(self.compare(activity)?.unwrap_or(RecordOutcome::OutOfRange));
        };
        let seq = self.state.last_seq + 1;
        let (user_id, recorded_at) = (self.user, self.recorded_at);
        let row = LedgerRow { user_id, seq, transaction, balance_after: balance, recorded_at };
        let hash = chain::link(&row, &self.state.last_hash);
        if !self.insert(&row, &hash)? {
            return self.compare(activity)?.ok_or_else(|| missing("transactions", id.as_str()));
        }
        self.state = UserState { balance, last_seq: seq, last_hash: hash, ..self.state };
        *self.days.entry(activity.created_at.day()).or_default() += 1;
        Ok(RecordOutcome::Recorded)
    }

    /// Writes the user's days and row.
    pub(super) fn finish(mut self) -> Outcome<()> {
        for (day, added) in &self.days {
            if self.add_to_day(*day, *added)? {
                self.state.day_count += 1;
            }
        }
        if self.state.last_seq == self.before.last_seq {
            return Ok(());
        }
        self.state.store(self.database, self.tenant, self.user, &self.before)
    }

    /// False when the business key stands in the ledger already.
    fn insert(&self, row: &LedgerRow<'_>, hash: &ChainHash) -> Outcome<bool> {
        let LedgerRow { user_id, seq, transaction: Transaction { id, activity }, balance_after, recorded_at } =
            row;
        let Activity { kind, source_id, points, bonuses, title, subtitle, created_at } = activity;
        let mut insert = self.database.prepare_cached(
            "INSERT INTO transactions (tenant_id, user_id, created_at, id, type, source_id, points, bonus_points,
                 bonus_breakdown, title, subtitle, recorded_at, seq, balance_after, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT (tenant_id, user_id, type, source_id) DO NOTHING",
        )?;
        let inserted = insert.execute(params![
            self.tenant,
            user_id.as_str(),
            created_at.as_micros(),
            id.as_str(),
            kind.as_str(),
            source_id.as_str(),
            points.get(),
            bonuses.total().get(),
            bonuses_to_json(bonuses)?,
            title,
            subtitle,
            recorded_at.as_micros(),
            seq.cast_signed(),
            balance_after.get(),
            hash,
        ])?;
        Ok(inserted == 1)
    }

    /// Compares with the row of the same business key; none when there is no such row.
    fn compare(&self, activity: &Activity) -> Outcome<Option<RecordOutcome>> {
        let mut select = self.database.prepare_cached(
            "SELECT id, created_at, type, source_id, points, bonus_breakdown, title, subtitle FROM transactions
             WHERE tenant_id = ?1 AND user_id = ?2 AND type = ?3 AND source_id = ?4",
        )?;
        let key =
            params![self.tenant, self.user.as_str(), activity.kind.as_str(), activity.source_id.as_str()];
        let mut rows = select.query(key)?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let stored = transaction_row::read(&Record::new("transactions", 1, row), 0)?;
        let same = stored.activity == *activity;
        Ok(Some(if same { RecordOutcome::AlreadyRecorded } else { RecordOutcome::Conflict }))
    }

    /// Adds rows to a day; true when it is the day's first row.
    fn add_to_day(&self, day: Day, added: i64) -> Outcome<bool> {
        let mut update = self.database.prepare_cached(
            "UPDATE history_days SET transaction_count = transaction_count + ?4
             WHERE tenant_id = ?1 AND user_id = ?2 AND day = ?3",
        )?;
        let row = params![self.tenant, self.user.as_str(), day.as_days(), added];
        if update.execute(row)? == 1 {
            return Ok(false);
        }
        let mut insert = self.database.prepare_cached(
            "INSERT INTO history_days (tenant_id, user_id, day, transaction_count) VALUES (?1, ?2, ?3, ?4)",
        )?;
        insert.execute(row)?;
        Ok(true)
    }
}

fn balance_with(activity: &Activity, balance: Points) -> Result<Points, OutOfRange> {
    balance.checked_add(activity.net_points()?)
}
