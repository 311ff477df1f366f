//! Saving what commands left behind, in one round trip.

use futures_util::FutureExt;
use pointbook_app::commands::{AccountChange, AccountState, Changes, DayCount, NewEntry};
use pointbook_domain::{Day, Order, OrderId, OrderStatus, Points, Timestamp, TokenHash, TokenRecord, UserId};
use pointbook_schema::rows::{NewLedgerRow, NewUser};
use pointbook_schema::{Dialect, OnConflict, Statement, statement};

use super::{catalogue, keys};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::pipeline::all;
use crate::row::wrong;
use crate::users;

/// New users are inserted in one round trip before, since all rows of theirs refer to them. Products come before the
/// orders, whose foreign keys would share the rows of products with others first. The keys of requests come last: a
/// transaction that has taken one waits for nothing but the disk.
pub(super) async fn changes(database: &Transaction, tenant: &str, changes: &Changes) -> Outcome<()> {
    let new_users: Vec<_> = changes
        .accounts
        .iter()
        .filter_map(AccountChange::new_user)
        .chain(changes.new_users.iter().map(NewUser::from))
        .collect();
    users::insert(database, tenant, &new_users).await?;
    all(vec![
        insert_entries(database, tenant, &changes.entries).boxed(),
        update_accounts(database, tenant, &changes.accounts).boxed(),
        add_to_days(database, tenant, &changes.days).boxed(),
        users::update(database, tenant, &changes.changed_users).boxed(),
        store_tokens(database, tenant, &changes.tokens).boxed(),
        revoke_tokens(database, tenant, &changes.revoked_tokens).boxed(),
        note_uses(database, tenant, &changes.used_tokens).boxed(),
        catalogue::save(database, tenant, changes).boxed(),
        insert_orders(database, tenant, &changes.new_orders).boxed(),
        close_orders(database, tenant, &changes.closed_orders).boxed(),
        keys::keep_all(database, tenant, &changes.responses).boxed(),
        keys::touch_all(database, tenant, &changes.key_uses).boxed(),
    ])
    .await
    .map(drop)
}

/// One whose business key another transaction took meanwhile fails, and all begins again.
async fn insert_entries(database: &Transaction, tenant: &str, entries: &[NewEntry]) -> Outcome<()> {
    let rows: Vec<_> = entries.iter().map(NewLedgerRow::from).collect();
    let insert = statement!(Statement::insert::<NewLedgerRow<'_>>(Dialect::Postgres, OnConflict::Fail));
    database.write_all(insert, tenant, &rows).await
}

/// Whose account, as it is now, and `seq` and balance as they were read.
type AccountUpdate<'c> = (&'c UserId, &'c AccountState, u64, Points);

/// Writes the states of known users, each over the one that it follows, and no other: another writer in between took the
/// next `seq`. The balance is in the guard as well, against writes that are none of the service's.
async fn update_accounts(database: &Transaction, tenant: &str, changes: &[AccountChange]) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<AccountUpdate<'_>>(
        "UPDATE users SET balance = given.balance, day_count = given.day_count,
             last_seq = given.last_seq, last_hash = given.last_hash
         FROM unnest({arrays})
             AS given (id, balance, day_count, last_seq, last_hash, seq_before, balance_before)
         WHERE users.tenant_id = $1 AND users.id = given.id
             AND users.last_seq = given.seq_before AND users.balance = given.balance_before"
    ));
    let known: Vec<_> = changes.iter().filter_map(account_update).collect();
    database.write_all(update, tenant, &known).await
}

fn account_update(AccountChange { user_id, before, after, .. }: &AccountChange) -> Option<AccountUpdate<'_>> {
    let AccountState { balance, last_seq, .. } = before.as_ref()?;
    Some((user_id, after, *last_seq, *balance))
}

async fn add_to_days(database: &Transaction, tenant: &str, days: &[DayCount]) -> Outcome<()> {
    let upsert = statement!(Statement::of_arrays::<(&UserId, Day, u32)>(
        "INSERT INTO history_days (tenant_id, user_id, day, transaction_count)
         SELECT own.tenant_id, given.user_id, given.day, given.added
         FROM catalogue_versions AS own CROSS JOIN unnest({arrays}) AS given (user_id, day, added)
         WHERE own.tenant_id = $1
         ON CONFLICT (tenant_id, user_id, day)
         DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count"
    ));
    let rows: Vec<_> = days.iter().map(|DayCount { user_id, day, added }| (user_id, *day, *added)).collect();
    database.write_all(upsert, tenant, &rows).await
}

/// One by one, since two of them may have the same hash.
async fn store_tokens(database: &Transaction, tenant: &str, tokens: &[TokenRecord]) -> Outcome<()> {
    let upsert = statement!(Statement::insert::<TokenRecord>(Dialect::Postgres, OnConflict::Replace));
    for token in tokens {
        database.write_all(upsert, tenant, &[token]).await?;
    }
    Ok(())
}

async fn revoke_tokens(
    database: &Transaction,
    tenant: &str,
    revoked: &[(TokenHash, Timestamp)],
) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<(TokenHash, Timestamp)>(
        "UPDATE tokens SET revoked_at = given.revoked_at FROM unnest({arrays}) AS given (hash, revoked_at)
         WHERE tokens.tenant_id = $1 AND tokens.hash = given.hash AND tokens.revoked_at IS NULL"
    ));
    database.write_all(update, tenant, revoked).await
}

/// Stores when keys were used, unless a later use is stored.
async fn note_uses(database: &Transaction, tenant: &str, used: &[(TokenHash, Timestamp)]) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<(TokenHash, Timestamp)>(
        "UPDATE tokens SET last_used_at = given.last_used_at FROM unnest({arrays}) AS given (hash, last_used_at)
         WHERE tokens.tenant_id = $1 AND tokens.hash = given.hash
             AND (tokens.last_used_at IS NULL OR tokens.last_used_at < given.last_used_at)"
    ));
    database.write(update, tenant, used).await.map(drop)
}

async fn insert_orders(database: &Transaction, tenant: &str, orders: &[Order]) -> Outcome<()> {
    let insert = statement!(Statement::insert::<Order>(Dialect::Postgres, OnConflict::Fail));
    database.write_all(insert, tenant, orders).await
}

type Close<'o> = (&'o OrderId, OrderStatus, Option<Timestamp>, Option<Timestamp>);

/// Closes orders that are held and placed.
async fn close_orders(database: &Transaction, tenant: &str, orders: &[Order]) -> Outcome<()> {
    let Some(first) = orders.first() else { return Ok(()) };
    let update = statement!(Statement::of_arrays::<Close<'_>>(
        "UPDATE orders SET status = given.status, fulfilled_at = given.fulfilled_at,
             cancelled_at = given.cancelled_at
         FROM unnest({arrays}) AS given (id, status, fulfilled_at, cancelled_at)
         WHERE orders.tenant_id = $1 AND orders.id = given.id AND orders.status = 'placed'"
    ));
    let rows: Vec<Close<'_>> = orders
        .iter()
        .map(|order| (&order.id, order.status, order.fulfilled_at, order.cancelled_at))
        .collect();
    if database.write(update, tenant, &rows).await? == orders.len() as u64 {
        return Ok(());
    }
    Err(wrong("orders", first.id.as_str(), "or one beside it is no longer placed, as it was read"))
}
