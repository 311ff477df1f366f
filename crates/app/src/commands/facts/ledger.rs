//! Recording transactions in the histories of users.

use std::sync::Arc;

use pointbook_domain::ledger::LedgerRow;
use pointbook_domain::{Activity, Points, SourceId, Timestamp, Transaction, UserId};
use pointbook_domain::{ActivityType, OrderId};
use pointbook_schema::rows::AccountState;

use super::account::{Account, Overdraft, Refusal};
use super::known_rows::StoredEntry;
use super::{Facts, NewEntry};
use crate::chain;
use crate::commands::{CommandError, Reported};

/// What became of a transaction.
#[derive(Debug, PartialEq, Eq)]
pub enum Addition {
    /// It is a row of the ledger from now on.
    Added {
        /// Its place among the user's rows.
        seq: u64,
    },
    /// The ledger had a row under its key before; nothing was added.
    StoodThere(StoredEntry),
    /// Nothing was added.
    Refused(Refusal),
}

impl Facts {
    /// The account of a user, if it was loaded and the user is known.
    pub fn account(&self, user_id: &UserId) -> Option<&AccountState> {
        let account = self.accounts.get(user_id)?;
        account.is_known().then_some(&account.now)
    }

    /// Whether the account of a user was loaded, be the user known or not.
    pub fn has_account(&self, user_id: &UserId) -> bool {
        self.accounts.contains_key(user_id)
    }

    /// The balance of a user, with all rows so far.
    ///
    /// # Errors
    /// When the account was not loaded.
    pub fn balance(&self, user_id: &UserId) -> Result<Points, CommandError> {
        let account =
            self.accounts.get(user_id).ok_or_else(|| CommandError::not_loaded("users", user_id.as_str()))?;
        Ok(account.now.balance)
    }

    /// Records a transaction of a user; an unknown user is created with the first row. What the ledger has
    /// already is neither refused nor added again, even if the balance is now too small.
    ///
    /// # Errors
    /// When the entry was not loaded.
    pub fn record(
        &mut self,
        user_id: &UserId,
        transaction: &Arc<Transaction>,
        recorded_at: Timestamp,
        overdraft: Overdraft,
    ) -> Result<Addition, CommandError> {
        let activity = &transaction.activity;
        let lacks = || CommandError::not_loaded("transactions", user_id.as_str());
        let account = self.accounts.get_mut(user_id).ok_or_else(lacks)?;
        if let Some(stored) = account.rows.entry(&activity.kind, &activity.source_id).ok_or_else(lacks)? {
            return Ok(Addition::StoodThere(stored.clone()));
        }
        let day = activity.created_at.day();
        let had_rows = account.rows.has_rows_on(day).ok_or_else(lacks)?;
        let entry = match next_entry(account, user_id, transaction, recorded_at, overdraft) {
            Ok(entry) => entry,
            Err(refusal) => return Ok(Addition::Refused(refusal)),
        };
        let seq = entry.seq;
        account.add(day, had_rows, recorded_at, entry.balance_after, entry.hash);
        let added = StoredEntry { seq, transaction: transaction.clone() };
        account.rows.add(&activity.kind, &activity.source_id, added);
        self.new_entries.push(entry);
        Ok(Addition::Added { seq })
    }

    /// Records what a back office reports; `None` when only an order may record it: a row in the place of a
    /// refund would keep its order from being cancelled for ever.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn record_reported(
        &mut self,
        reported: &Reported,
        recorded_at: Timestamp,
        overdraft: Overdraft,
    ) -> Result<Option<Addition>, CommandError> {
        let Reported { user_id, transaction } = reported;
        let Activity { kind, source_id, .. } = &transaction.activity;
        if self.is_of_an_order(kind, source_id) && !self.has_entry(user_id, &transaction.activity) {
            return Ok(None);
        }
        self.record(user_id, transaction, recorded_at, overdraft).map(Some)
    }

    /// Whether an order of any user moves points under this type and source id.
    pub fn is_of_an_order(&self, kind: &ActivityType, source_id: &SourceId) -> bool {
        let is_order = |name: &str| self.order_names.get(name).copied().unwrap_or(false);
        kind.is_order() && OrderId::candidates(source_id.as_str()).into_iter().any(is_order)
    }

    fn has_entry(&self, user_id: &UserId, activity: &Activity) -> bool {
        let account = self.accounts.get(user_id);
        let entry = account.and_then(|account| account.rows.entry(&activity.kind, &activity.source_id));
        matches!(entry, Some(Some(_)))
    }
}

fn next_entry(
    account: &Account,
    user_id: &UserId,
    transaction: &Arc<Transaction>,
    recorded_at: Timestamp,
    overdraft: Overdraft,
) -> Result<NewEntry, Refusal> {
    let before = &account.now;
    let balance_after = overdraft.balance_after(before.balance, &transaction.activity)?;
    let row = LedgerRow { user_id, seq: before.last_seq + 1, transaction, balance_after, recorded_at };
    Ok(NewEntry {
        user_id: user_id.clone(),
        seq: row.seq,
        hash: chain::link(&row, &before.last_hash),
        transaction: transaction.clone(),
        balance_after,
        recorded_at,
    })
}
