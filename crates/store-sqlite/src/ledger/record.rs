//! Recording the transactions of one user.

use pointbook_app::recording::{Addition, GrowingHistory, Overdraft, StoredTransaction, UserState};
use pointbook_domain::{Activity, Day, Points, Timestamp, Transaction, UserId};
use rusqlite::params;

use super::{transaction_row, user_state};
use crate::error::Outcome;
use crate::orders::order_row;
use crate::row::{Record, count, missing};
use crate::users;

/// Adds rows to one user's history; the user's row and days follow at the end. A user who is unknown
/// is created with the first row.
pub(crate) struct Recorder<'d> {
    database: &'d rusqlite::Transaction<'d>,
    tenant: &'d str,
    is_known: bool,
    history: GrowingHistory<'d>,
}

impl<'d> Recorder<'d> {
    pub(crate) fn begin(
        database: &'d rusqlite::Transaction<'d>,
        tenant: &'d str,
        user: &'d UserId,
        recorded_at: Timestamp,
    ) -> Outcome<Self> {
        let found = user_state::find(database, tenant, user)?;
        let is_known = found.is_some();
        let history = GrowingHistory::new(user, found.unwrap_or(UserState::NEW), recorded_at);
        Ok(Self { database, tenant, is_known, history })
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
        let next = match self.history.next(transaction, overdraft) {
            Ok(next) => next,
            // What stands in the ledger already is neither refused nor added again, whatever the balance is now.
            Err(refusal) => {
                let stored = self.find(activity)?;
                return Ok(stored.map_or(Addition::Refused(refusal), Addition::StoodThere));
            }
        };
        self.create_unknown()?;
        if !transaction_row::insert(self.database, self.tenant, &next)? {
            let stored = self.find(activity)?.ok_or_else(|| missing("transactions", id.as_str()))?;
            return Ok(Addition::StoodThere(stored));
        }
        Ok(Addition::Added { seq: self.history.add(&next) })
    }

    /// Writes the user's days and row; gives the balance.
    pub(crate) fn finish(self) -> Outcome<Points> {
        let mut new_days = 0;
        for (day, added) in self.history.days() {
            new_days += u64::from(self.add_to_day(day, added)?);
        }
        if !self.history.is_unchanged() {
            user_state::store(self.database, self.tenant, &self.history, new_days)?;
        }
        Ok(self.history.state().balance)
    }

    /// Whether the points of an order, whoever's, move under this type and source id.
    fn is_of_an_order(&self, activity: &Activity) -> Outcome<bool> {
        Ok(activity.kind.is_order()
            && order_row::has_source(self.database, self.tenant, &activity.source_id)?)
    }

    fn create_unknown(&mut self) -> Outcome<()> {
        if !self.is_known {
            let (user, at) = (self.history.user_id(), self.history.recorded_at());
            users::insert_unknown(self.database, self.tenant, user, at)?;
            self.is_known = true;
        }
        Ok(())
    }

    fn find(&self, activity: &Activity) -> Outcome<Option<StoredTransaction>> {
        transaction_row::find(self.database, self.tenant, self.history.user_id(), activity)
    }

    /// Adds rows to a day; true when they are the day's first.
    fn add_to_day(&self, day: Day, added: u32) -> Outcome<bool> {
        let user = self.history.user_id().as_str();
        let mut upsert = self.database.prepare_cached(
            "INSERT INTO history_days (tenant_id, user_id, day, transaction_count) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (tenant_id, user_id, day)
             DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count
             RETURNING user_id, day, transaction_count",
        )?;
        let mut rows = upsert.query(params![self.tenant, user, day.as_days(), added])?;
        let row = rows.next()?.ok_or_else(|| missing("history_days", user))?;
        let now = Record::new("history_days", 2, row).read(2, count)?;
        Ok(now == u64::from(added))
    }
}
