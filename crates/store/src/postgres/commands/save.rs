//! Saves the changes of commands, in one round trip.

use futures_util::FutureExt;
use pointbook_domain::{Day, Order, OrderId, OrderStatus, Points, Timestamp, TokenHash, TokenRecord, UserId};

use super::{awards, catalogue, clock, data_key, feed, keys, table_rows};
use crate::commands::{AccountChange, AccountState, Changes, DayCount, NewEntry};
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::pipeline::all;
use crate::postgres::row::wrong;
use crate::postgres::{audit_log, due_job, users};
use crate::schema::rows::{NewLedgerRow, NewUser};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::statement;

/// Saves all changes. An earlier round trip inserts new users, because their other rows refer to them. Products come before
/// orders, whose foreign keys would take shared locks on products first. Idempotency keys come after them, so that a transaction
/// with a key waits only for the audit log and the disk. The audit log comes last.
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
        awards::insert(database, tenant, &changes.awards).boxed(),
        add_to_days(database, tenant, &changes.days).boxed(),
        users::update(database, tenant, &changes.changed_users).boxed(),
        store_tokens(database, tenant, &changes.tokens).boxed(),
        revoke_tokens(database, tenant, &changes.revoked_tokens).boxed(),
        note_uses(database, tenant, &changes.used_tokens).boxed(),
        catalogue::save(database, tenant, changes).boxed(),
        clock::save(database, tenant, changes.clock.as_ref()).boxed(),
        insert_orders(database, tenant, &changes.new_orders).boxed(),
        close_orders(database, tenant, &changes.closed_orders).boxed(),
        data_key::save(database, tenant, changes.data_key.as_ref()).boxed(),
        feed::append(database, tenant, changes).boxed(),
        keys::keep_all(database, tenant, &changes.responses).boxed(),
        keys::touch_all(database, tenant, &changes.key_uses).boxed(),
    ])
    .await?;
    save_in_turn(database, tenant, changes).await
}

/// What other transactions may wait for: the audit log comes last.
async fn save_in_turn(database: &Transaction, tenant: &str, changes: &Changes) -> Outcome<()> {
    awards::save_shares(database, tenant, &changes.budgets).await?;
    table_rows::save(database, tenant, &changes.rows).await?;
    for (name, at) in &changes.due_jobs {
        due_job::schedule(database, tenant, (name, ""), *at).await?;
    }
    audit_log::append(database, tenant, &changes.audit).await?;
    if let Some(removal) = changes.removed_blocks {
        feed::remove(database, tenant, removal).await?;
    }
    if let Some(restart) = changes.feed_restart {
        feed::restart(database, tenant, restart).await?;
    }
    match &changes.audit_seal {
        Some(seal) => audit_log::seal(database, tenant, seal).await,
        None => Ok(()),
    }
}

/// Inserts ledger rows. Fails when another transaction has used a source id meanwhile, and the command is decided again.
async fn insert_entries(database: &Transaction, tenant: &str, entries: &[NewEntry]) -> Outcome<()> {
    let rows: Vec<_> = entries.iter().map(NewLedgerRow::from).collect();
    let insert = statement!(Statement::insert::<NewLedgerRow<'_>>(Dialect::Postgres, OnConflict::Fail));
    database.write_all(insert, tenant, &rows).await
}

/// The user, the new state, and the `seq` and balance that were read.
type AccountUpdate<'c> = (&'c UserId, &'c AccountState, u64, Points);

/// Replaces the states of known users. The guard requires the `seq` that was read, because another writer may have used the
/// next one. It includes the balance, to detect writes from outside of the service.
async fn update_accounts(database: &Transaction, tenant: &str, changes: &[AccountChange]) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<AccountUpdate<'_>>(
        "UPDATE users SET balance = given.balance, day_count = given.day_count,
             last_seq = given.last_seq, last_hash = given.last_hash, earned_counts = given.earned_counts
         FROM unnest({arrays})
             AS given (id, balance, day_count, last_seq, last_hash, earned_counts, seq_before, balance_before)
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

/// Stores tokens one by one, because two of them may have the same hash.
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

/// The order, its new status, and the times of fulfilment and cancellation.
type ClosedOrder<'o> = (&'o OrderId, OrderStatus, Option<Timestamp>, Option<Timestamp>);

/// Closes locked orders that are placed.
async fn close_orders(database: &Transaction, tenant: &str, orders: &[Order]) -> Outcome<()> {
    let Some(first) = orders.first() else { return Ok(()) };
    let update = statement!(Statement::of_arrays::<ClosedOrder<'_>>(
        "UPDATE orders SET status = given.status, fulfilled_at = given.fulfilled_at,
             cancelled_at = given.cancelled_at
         FROM unnest({arrays}) AS given (id, status, fulfilled_at, cancelled_at)
         WHERE orders.tenant_id = $1 AND orders.id = given.id AND orders.status = 'placed'"
    ));
    let rows: Vec<ClosedOrder<'_>> = orders
        .iter()
        .map(|order| (&order.id, order.status, order.fulfilled_at, order.cancelled_at))
        .collect();
    if database.write(update, tenant, &rows).await? == orders.len() as u64 {
        return Ok(());
    }
    Err(wrong("orders", first.id.as_str(), "this order or another of the same group is no longer placed"))
}
