//! Saves the changes of commands.

use std::sync::Arc;

use rusqlite::{Transaction, params};

use super::{awards, catalogue, clock, data_key, table_rows};
use crate::commands::{AccountChange, AccountState, Changes, DayCount, NewEntry};
use crate::schema::rows::NewLedgerRow;
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row::wrong;
use crate::sqlite::writer::SharedCommit;
use crate::sqlite::{audit_log, feed, jobs, once, orders as order_row, row, tokens, users};
use crate::statement;

/// Saves all changes. The guards of updates are a second line of defence, because the transaction holds the write lock.
pub(super) fn changes(database: &SharedCommit<'_>, tenant: &Arc<str>, changes: &Changes) -> Outcome<()> {
    let Changes { removed_blocks, feed_restart, due_jobs, .. } = changes;
    let Changes { accounts, entries, days, new_orders, closed_orders, .. } = changes;
    let Changes { new_users, changed_users, tokens, revoked_tokens, .. } = changes;
    let Changes { used_tokens, data_key, responses, key_uses, audit, audit_seal, clock, rows, .. } = changes;
    new_users.iter().try_for_each(|user| users::insert(database, tenant, &user.into()))?;
    changed_users.iter().try_for_each(|user| users::update(database, tenant, user))?;
    accounts.iter().try_for_each(|change| account(database, tenant, change))?;
    entries.iter().try_for_each(|new| entry(database, tenant, new))?;
    awards::save(database, tenant, changes)?;
    days.iter().try_for_each(|day| add_to_day(database, tenant, day))?;
    new_orders.iter().try_for_each(|order| order_row::insert(database, tenant, order))?;
    closed_orders.iter().try_for_each(|order| order_row::close(database, tenant, order))?;
    catalogue::save(database, tenant, changes)?;
    tokens.iter().try_for_each(|token| tokens::store(database, tenant, token))?;
    revoked_tokens.iter().try_for_each(|(hash, at)| tokens::revoke(database, tenant, hash, *at))?;
    used_tokens.iter().try_for_each(|(hash, at)| tokens::note_use(database, tenant, hash, *at))?;
    data_key.iter().try_for_each(|change| data_key::save(database, tenant, change))?;
    clock.iter().try_for_each(|change| clock::save(database, tenant, change))?;
    due_jobs.iter().try_for_each(|(name, at)| jobs::schedule(database, tenant, (name, ""), *at))?;
    rows.iter().try_for_each(|change| table_rows::save(database, tenant, change))?;
    for kept in responses {
        once::insert(database, tenant, &kept.key, kept.now, &kept.response)?;
    }
    key_uses.iter().try_for_each(|used| once::touch(database, tenant, &used.key, used.now))?;
    feed::append(database, tenant, changes);
    removed_blocks.iter().try_for_each(|removal| feed::remove(database, tenant, *removal))?;
    feed_restart.iter().try_for_each(|restart| feed::restart(database, tenant, *restart))?;
    audit_log::append(database, tenant, audit)?;
    audit_seal.iter().try_for_each(|seal| audit_log::seal(database, tenant, seal))
}

/// Creates a user, or replaces exactly the state that the new one follows. The guard includes the balance, to detect writes
/// from outside of the service.
fn account(database: &Transaction<'_>, tenant: &str, change: &AccountChange) -> Outcome<()> {
    let AccountChange { user_id, before, after, recorded_at: _ } = change;
    let AccountState { balance, day_count, last_seq, last_hash, earned } = after;
    let (user, day_count, seq) = (user_id.as_str(), day_count.cast_signed(), last_seq.cast_signed());
    let Some(before) = before else {
        return change.new_user().map_or(Ok(()), |user| users::insert(database, tenant, &user));
    };
    let mut update = database.prepare_cached(
        "UPDATE users SET balance = ?3, day_count = ?4, last_seq = ?5, last_hash = ?6, earned_counts = ?7
         WHERE tenant_id = ?1 AND id = ?2 AND last_seq = ?8 AND balance = ?9",
    )?;
    let (seq_before, balance_before) = (before.last_seq.cast_signed(), before.balance.get());
    let (balance, earned) = (balance.get(), earned.to_string());
    let given = params![tenant, user, balance, day_count, seq, last_hash, earned, seq_before, balance_before];
    if update.execute(given)? == 1 {
        return Ok(());
    }
    let reason = format_args!("is no longer at transaction {seq_before} with {balance_before} points");
    Err(wrong("users", user, reason))
}

fn entry(database: &Transaction<'_>, tenant: &str, entry: &NewEntry) -> Outcome<()> {
    let insert = statement!(Statement::insert::<NewLedgerRow<'_>>(Dialect::Sqlite, OnConflict::Fail));
    row::write(database, insert, tenant, &NewLedgerRow::from(entry)).map(drop)
}

/// Inserts a day, or adds to its count.
fn add_to_day(database: &Transaction<'_>, tenant: &str, count: &DayCount) -> Outcome<()> {
    let DayCount { user_id, day, added } = count;
    let mut upsert = database.prepare_cached(
        "INSERT INTO history_days (tenant_id, user_id, day, transaction_count) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (tenant_id, user_id, day)
         DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count",
    )?;
    upsert.execute(params![tenant, user_id.as_str(), day.as_days(), added])?;
    Ok(())
}
