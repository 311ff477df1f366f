//! Recording the transactions of one user.

use pointbook_app::recording::{Addition, GrowingHistory, Overdraft, StoredTransaction, UserState};
use pointbook_domain::{Activity, Points, Timestamp, Transaction, UserId};

use super::{days, transaction_row, user_state};
use crate::connection;
use crate::error::Outcome;
use crate::orders::order_row;
use crate::row::missing;
use crate::users;

/// Adds rows to one user's history; the user's row and days follow at the end. A user who is unknown
/// is created with the first row. From the beginning on, nobody else records for this user.
pub(crate) struct Recorder<'d> {
    database: &'d connection::Transaction,
    tenant: &'d str,
    is_known: bool,
    history: GrowingHistory<'d>,
}

impl<'d> Recorder<'d> {
    pub(crate) async fn begin(
        database: &'d connection::Transaction,
        tenant: &'d str,
        user: &'d UserId,
        recorded_at: Timestamp,
    ) -> Outcome<Self> {
        let found = user_state::hold(database, tenant, user).await?;
        let is_known = found.is_some();
        let history = GrowingHistory::new(user, found.unwrap_or(UserState::NEW), recorded_at);
        Ok(Self { database, tenant, is_known, history })
    }

    /// Records what a back office tells; none when it is for an order to record. A row in the place of a
    /// refund would keep its order from being cancelled for ever.
    pub(super) async fn record_told(
        &mut self,
        transaction: &Transaction,
        overdraft: Overdraft,
    ) -> Outcome<Option<Addition>> {
        let activity = &transaction.activity;
        if self.is_of_an_order(activity).await? && self.find(activity).await?.is_none() {
            return Ok(None);
        }
        self.record(transaction, overdraft).await.map(Some)
    }

    /// Records a transaction on its own merits.
    pub(crate) async fn record(
        &mut self,
        transaction: &Transaction,
        overdraft: Overdraft,
    ) -> Outcome<Addition> {
        let Transaction { id, activity } = transaction;
        let next = match self.history.next(transaction, overdraft) {
            Ok(next) => next,
            // What stands in the ledger already is neither refused nor added again, whatever the balance is now.
            Err(refusal) => {
                let stored = self.find(activity).await?;
                return Ok(stored.map_or(Addition::Refused(refusal), Addition::StoodThere));
            }
        };
        self.create_unknown().await?;
        if !transaction_row::insert(self.database, self.tenant, &next).await? {
            let stored = self.find(activity).await?.ok_or_else(|| missing("transactions", id.as_str()))?;
            return Ok(Addition::StoodThere(stored));
        }
        Ok(Addition::Added { seq: self.history.add(&next) })
    }

    /// Writes the user's days and row; gives the balance.
    pub(crate) async fn finish(self) -> Outcome<Points> {
        let Self { database, tenant, is_known: _, history } = self;
        if !history.is_unchanged() {
            let new_days = days::add(database, tenant, &history).await?;
            user_state::store(database, tenant, &history, new_days).await?;
        }
        Ok(history.state().balance)
    }

    /// Whether the points of an order, whoever's, move under this type and source id.
    async fn is_of_an_order(&self, activity: &Activity) -> Outcome<bool> {
        Ok(activity.kind.is_order()
            && order_row::has_source(self.database, self.tenant, &activity.source_id).await?)
    }

    async fn create_unknown(&mut self) -> Outcome<()> {
        if !self.is_known {
            let (user, at) = (self.history.user_id(), self.history.recorded_at());
            users::insert_unknown(self.database, self.tenant, user, at).await?;
            self.is_known = true;
        }
        Ok(())
    }

    async fn find(&self, activity: &Activity) -> Outcome<Option<StoredTransaction>> {
        transaction_row::find(self.database, self.tenant, self.history.user_id(), activity).await
    }
}
