//! Records transactions in the histories of users.

use std::sync::Arc;

use pointbook_domain::ledger::LedgerRow;
use pointbook_domain::{Activity, ActivityType, OrderId, Points, SourceId, Timestamp, Transaction, UserId};

use super::Facts;
use super::account::{Account, Overdraft, Refusal, StoredEntry};
use crate::chain;
use crate::commands::{CommandError, NewEntry, Reported};
use crate::schema::rows::AccountState;

/// The result of a transaction.
#[derive(Debug, PartialEq, Eq)]
pub enum Addition {
    /// It is a row of the ledger now, at this position among the user's rows.
    Added { seq: u64 },
    /// The ledger had a row under its key before. Nothing was added.
    AlreadyRecorded(StoredEntry),
    /// Nothing was added.
    Refused(Refusal),
}

impl Facts {
    /// The account of a user, if it was loaded and the user is known.
    pub fn account(&self, user_id: &UserId) -> Option<&AccountState> {
        let account = self.accounts.get(user_id)?;
        account.is_known().then_some(&account.now)
    }

    /// Whether the account of a user was loaded, also for an unknown user.
    pub fn has_account(&self, user_id: &UserId) -> bool {
        self.accounts.contains_key(user_id)
    }

    /// The balance of a user, with all rows so far.
    ///
    /// # Errors
    /// When the account was not loaded.
    pub fn balance(&self, user_id: &UserId) -> Result<Points, CommandError> {
        let account = self.accounts.get(user_id).ok_or_else(CommandError::not_loaded("users"))?;
        Ok(account.now.balance)
    }

    /// Records a transaction of a user. The first row creates an unknown user. A transaction that is in the ledger already is
    /// neither refused nor added again, even if the balance is now too small.
    ///
    /// # Errors
    /// When the account, the entry or the day was not loaded.
    pub fn record(
        &mut self,
        user_id: &UserId,
        transaction: &Arc<Transaction>,
        recorded_at: Timestamp,
        overdraft: Overdraft,
    ) -> Result<Addition, CommandError> {
        let Activity { kind, source_id, created_at, .. } = &transaction.activity;
        let lacks = CommandError::not_loaded("transactions");
        let account = self.accounts.get_mut(user_id).ok_or_else(lacks)?;
        if let Some(stored) = account.entry(kind, source_id).ok_or_else(lacks)? {
            return Ok(Addition::AlreadyRecorded(stored.clone()));
        }
        if !account.days.contains_key(&created_at.day()) {
            return Err(lacks());
        }
        let entry = match next_entry(account, user_id, transaction, recorded_at, overdraft) {
            Ok(entry) => entry,
            Err(refusal) => return Ok(Addition::Refused(refusal)),
        };
        let seq = entry.seq;
        account.add(&entry);
        self.changes.entries.push(entry);
        Ok(Addition::Added { seq })
    }

    /// The row of a user under a key. `None` when the ledger has none.
    ///
    /// # Errors
    /// When the entry was not loaded.
    pub fn stored_entry(
        &self,
        user_id: &UserId,
        kind: &ActivityType,
        source_id: &SourceId,
    ) -> Result<Option<&StoredEntry>, CommandError> {
        let standing = self.accounts.get(user_id).and_then(|account| account.entry(kind, source_id));
        Ok(standing.ok_or_else(CommandError::not_loaded("transactions"))?.as_ref())
    }

    /// Notes that a new row takes back another one.
    pub fn mark_reversal(&mut self, user_id: &UserId, seq: u64) {
        self.changes.reversals.insert((user_id.clone(), seq));
    }

    /// Records what a back office reports. `None` when only an order may record it: another row in the place of a refund would
    /// make it impossible to cancel the order.
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
        let standing = self.accounts.get(user_id).and_then(|account| account.entry(kind, source_id));
        if self.is_of_an_order(kind, source_id) && !standing.is_some_and(Option::is_some) {
            return Ok(None);
        }
        self.record(user_id, transaction, recorded_at, overdraft).map(Some)
    }

    /// Whether a reported transaction is new: the ledger has no row under its key, and no order moves points under it.
    pub fn is_new(&self, reported: &Reported) -> bool {
        let Reported { user_id, transaction } = reported;
        let Activity { kind, source_id, .. } = &transaction.activity;
        let standing = self.accounts.get(user_id).and_then(|account| account.entry(kind, source_id));
        standing.is_some_and(Option::is_none) && !self.is_of_an_order(kind, source_id)
    }

    /// Whether an order of any user moves points under this type and source id.
    pub fn is_of_an_order(&self, kind: &ActivityType, source_id: &SourceId) -> bool {
        let is_order = |name: &str| self.order_names.get(name).copied().unwrap_or(false);
        kind.is_order() && OrderId::candidates(source_id.as_str()).into_iter().any(is_order)
    }
}

fn next_entry(
    account: &Account,
    user_id: &UserId,
    transaction: &Arc<Transaction>,
    recorded_at: Timestamp,
    overdraft: Overdraft,
) -> Result<NewEntry, Refusal> {
    let AccountState { balance, last_seq, last_hash, .. } = &account.now;
    let (seq, transaction) = (last_seq + 1, transaction.clone());
    let balance_after = overdraft.balance_after(*balance, &transaction.activity)?;
    let row = LedgerRow { user_id, seq, transaction: &transaction, balance_after, recorded_at };
    let hash = chain::link(&row, last_hash);
    Ok(NewEntry { user_id: user_id.clone(), seq, transaction, balance_after, recorded_at, hash })
}
