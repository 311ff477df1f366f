//! The accounts of users that commands hold and change.

use std::collections::BTreeSet;

use pointbook_app::commands::{AccountChange, AccountState, Facts};
use pointbook_domain::{Points, UserId};
use tokio_postgres::Row;

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, count, hash};

/// What a transaction does about rows that another one holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It waits for them.
    Waiting,
    /// It leaves them out.
    Skipping,
}

/// Reads the states of those of the users who are known. No other transaction changes them before this one
/// ends; the order of ids keeps two transactions from waiting for each other.
pub(super) async fn hold(
    database: &Transaction,
    tenant: &str,
    users: &BTreeSet<UserId>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = users.iter().map(UserId::as_str).collect();
    let select = match hold {
        Hold::Waiting => {
            "SELECT id, balance, day_count, last_seq, last_hash FROM users
             WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE"
        }
        Hold::Skipping => {
            "SELECT id, balance, day_count, last_seq, last_hash FROM users
             WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE SKIP LOCKED"
        }
    };
    database.rows(select, &[&tenant, &ids]).await
}

/// Puts the rows of [`hold`] among the facts.
pub(super) fn put(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let record = Record::new("users", 1, row);
        let state = AccountState {
            balance: record.read(1, Points::new)?,
            day_count: record.read(2, count)?,
            last_seq: record.read(3, count)?,
            last_hash: record.read(4, hash)?,
        };
        facts.put_account(record.read(0, |id: &str| UserId::new(id))?, Some(state));
    }
    Ok(())
}

/// States to be written, by column.
#[derive(Default)]
pub(super) struct AccountColumns {
    users: Vec<String>,
    balances: Vec<i64>,
    day_counts: Vec<i64>,
    last_seqs: Vec<i64>,
    last_hashes: Vec<Vec<u8>>,
    seqs_before: Vec<i64>,
    balances_before: Vec<i64>,
    recorded_at: Vec<i64>,
}

impl AccountColumns {
    /// Those of new users, and those of known ones.
    pub(super) fn of(changes: &[AccountChange]) -> (Self, Self) {
        let (mut new, mut known) = (Self::default(), Self::default());
        for change in changes {
            if change.before.is_none() { new.push(change) } else { known.push(change) }
        }
        (new, known)
    }

    fn push(&mut self, change: &AccountChange) {
        let AccountChange { user_id, before, after, recorded_at } = change;
        let AccountState { balance, day_count, last_seq, last_hash } = after;
        let before = before.as_ref().unwrap_or(&AccountState::NEW);
        self.users.push(user_id.as_str().to_owned());
        self.balances.push(balance.get());
        self.day_counts.push(day_count.cast_signed());
        self.last_seqs.push(last_seq.cast_signed());
        self.last_hashes.push(last_hash.to_vec());
        self.seqs_before.push(before.last_seq.cast_signed());
        self.balances_before.push(before.balance.get());
        self.recorded_at.push(recorded_at.as_micros());
    }

    /// Creates users, without a profile, who were looked for and not found.
    pub(super) async fn insert(&self, database: &Transaction, tenant: &str) -> Outcome<()> {
        if self.users.is_empty() {
            return Ok(());
        }
        let inserted = database
            .execute(
                "INSERT INTO users (tenant_id, id, balance, day_count, last_seq, last_hash, created_at)
                 SELECT $1, id, balance, day_count, last_seq, last_hash, created_at
                 FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bigint[])
                     AS given (id, balance, day_count, last_seq, last_hash, created_at)
                 ON CONFLICT (tenant_id, id) DO NOTHING",
                &[
                    &tenant,
                    &self.users,
                    &self.balances,
                    &self.day_counts,
                    &self.last_seqs,
                    &self.last_hashes,
                    &self.recorded_at,
                ],
            )
            .await?;
        self.expect_all(inserted)
    }

    /// Writes each state over the one that it follows, and no other: another writer in between took the
    /// next `seq`. The balance is in the guard as well, against writes that are none of the service's.
    pub(super) async fn update(&self, database: &Transaction, tenant: &str) -> Outcome<()> {
        if self.users.is_empty() {
            return Ok(());
        }
        let updated = database
            .execute(
                "UPDATE users SET balance = given.balance, day_count = given.day_count,
                     last_seq = given.last_seq, last_hash = given.last_hash
                 FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bigint[], $8::bigint[])
                     AS given (id, balance, day_count, last_seq, last_hash, seq_before, balance_before)
                 WHERE users.tenant_id = $1 AND users.id = given.id
                     AND users.last_seq = given.seq_before AND users.balance = given.balance_before",
                &[
                    &tenant,
                    &self.users,
                    &self.balances,
                    &self.day_counts,
                    &self.last_seqs,
                    &self.last_hashes,
                    &self.seqs_before,
                    &self.balances_before,
                ],
            )
            .await?;
        self.expect_all(updated)
    }

    fn expect_all(&self, written: u64) -> Outcome<()> {
        if written == self.users.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
    }
}
