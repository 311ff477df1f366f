//! The accounts of users that commands hold and change.

use std::collections::BTreeSet;

use pointbook_app::commands::{AccountChange, AccountState, Facts};
use pointbook_domain::{Points, UserId};
use pointbook_schema::rows::{NewUser, UserAccount};
use pointbook_schema::{Statement, select, statement};
use tokio_postgres::Row;

use super::hold::{Hold, locking};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::{row, users};

/// Reads the states of those of the users who are known. No other transaction changes them before this one
/// ends; the order of ids keeps two transactions from waiting for each other.
pub(super) async fn hold(
    database: &Transaction,
    tenant: &str,
    users: &BTreeSet<UserId>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    let select =
        locking!(UserAccount, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE");
    hold.rows(database, tenant, select, users.iter().map(UserId::as_str).collect()).await
}

/// Puts the rows of [`hold`] among the facts.
pub(super) fn put(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let UserAccount { id, state } = row::read(row)?;
        facts.put_account(id, Some(state));
    }
    Ok(())
}

/// Creates the users among them who are new, without a profile; they were looked for and not found.
pub(super) async fn insert(database: &Transaction, tenant: &str, changes: &[AccountChange]) -> Outcome<()> {
    let new: Vec<NewUser<'_>> = changes.iter().filter_map(AccountChange::new_user).collect();
    users::insert(database, tenant, &new).await
}

/// Whose account, as it is now, and `seq` and balance as they were read.
type Update<'c> = (&'c UserId, &'c AccountState, u64, Points);

/// Writes the states of known users, each over the one that it follows, and no other: another writer in between took the
/// next `seq`. The balance is in the guard as well, against writes that are none of the service's.
pub(super) async fn update(database: &Transaction, tenant: &str, changes: &[AccountChange]) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<Update<'_>>(
        "UPDATE users SET balance = given.balance, day_count = given.day_count,
             last_seq = given.last_seq, last_hash = given.last_hash
         FROM unnest({arrays})
             AS given (id, balance, day_count, last_seq, last_hash, seq_before, balance_before)
         WHERE users.tenant_id = $1 AND users.id = given.id
             AND users.last_seq = given.seq_before AND users.balance = given.balance_before"
    ));
    let known: Vec<Update<'_>> = changes.iter().filter_map(update_of).collect();
    database.write_all(update, tenant, &known).await
}

/// `None` for a new user.
fn update_of(change: &AccountChange) -> Option<Update<'_>> {
    let AccountChange { user_id, before, after, recorded_at: _ } = change;
    let AccountState { balance, last_seq, .. } = before.as_ref()?;
    Some((user_id, after, *last_seq, *balance))
}
