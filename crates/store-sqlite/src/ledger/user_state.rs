//! What a user's row says of the user's history.

use pointbook_domain::ledger::{CHAIN_START, ChainHash};
use pointbook_domain::{Points, UserId};
use rusqlite::{Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, count, wrong};

/// Kept in memory while a user's rows are recorded.
#[derive(Clone)]
pub(super) struct UserState {
    pub(super) balance: Points,
    pub(super) day_count: u64,
    pub(super) last_seq: u64,
    pub(super) last_hash: ChainHash,
}

impl UserState {
    /// Before the first row.
    pub(super) const NEW: Self =
        Self { balance: Points::ZERO, day_count: 0, last_seq: 0, last_hash: CHAIN_START };

    /// Reads the state; none when the user is unknown.
    pub(super) fn find(database: &Transaction<'_>, tenant: &str, user: &UserId) -> Outcome<Option<Self>> {
        let mut select = database.prepare_cached(
            "SELECT id, balance, day_count, last_seq, last_hash FROM users WHERE tenant_id = ?1 AND id = ?2",
        )?;
        let mut rows = select.query([tenant, user.as_str()])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let record = Record::new("users", 1, row);
        Ok(Some(Self {
            balance: record.read(1, Points::new)?,
            day_count: record.read(2, count)?,
            last_seq: record.read(3, count)?,
            last_hash: record.get(4)?,
        }))
    }

    /// Writes the state over the one that it follows, and no other: whoever recorded in between took the
    /// next `seq`. The balance is in the guard as well, against writes that are none of the service's.
    pub(super) fn store(
        &self,
        database: &Transaction<'_>,
        tenant: &str,
        user: &UserId,
        before: &Self,
    ) -> Outcome<()> {
        let Self { balance, day_count, last_seq, last_hash } = self;
        let mut update = database.prepare_cached(
            "UPDATE users SET balance = ?3, day_count = ?4, last_seq = ?5, last_hash = ?6
             WHERE tenant_id = ?1 AND id = ?2 AND last_seq = ?7 AND balance = ?8",
        )?;
        let updated = update.execute(params![
            tenant,
            user.as_str(),
            balance.get(),
            day_count.cast_signed(),
            last_seq.cast_signed(),
            last_hash,
            before.last_seq.cast_signed(),
            before.balance.get(),
        ])?;
        if updated == 1 {
            Ok(())
        } else {
            let Self { last_seq, balance, .. } = before;
            let what = format_args!("is no longer at transaction {last_seq} with {balance} points");
            Err(wrong("users", user.as_str(), what))
        }
    }
}
