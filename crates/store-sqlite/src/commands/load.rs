//! Loading what commands need.

use pointbook_app::commands::{AccountState, EntryKey, Facts, Needs, StoredEntry};
use pointbook_domain::{Day, Points, UserId};
use rusqlite::{Transaction, params};

use super::stock;
use crate::catalogue::{categories, product_row, version};
use crate::error::Outcome;
use crate::ledger::transaction_row;
use crate::orders::order_row;
use crate::row::{Record, count};
use crate::{tokens, users};

/// Loads all of it.
pub(super) fn needs(
    database: &Transaction<'_>,
    tenant: &str,
    needs: Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    users_and_tokens(database, tenant, &needs, facts)?;
    of_catalogue(database, tenant, &needs, facts)?;
    let Needs { accounts, entries, order_names, orders, products, .. } = needs;
    for (key, day) in entries {
        entry(database, tenant, key, day, facts)?;
    }
    for user in accounts {
        if !facts.has_account(&user) {
            account(database, tenant, user, facts)?;
        }
    }
    for name in order_names {
        let is_order = order_row::has_id(database, tenant, &name)?;
        facts.put_order_name(name, is_order);
    }
    for id in orders {
        let order = order_row::find(database, tenant, &id)?;
        facts.put_order(id, order);
    }
    for id in products {
        let product = stock::find(database, tenant, &id)?;
        facts.put_product(id, product);
    }
    Ok(())
}

fn users_and_tokens(
    database: &Transaction<'_>,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    for id in &needs.users {
        facts.put_user(id.clone(), users::read::user(database, tenant, id)?);
    }
    for hash in &needs.tokens {
        facts.put_token(*hash, tokens::unrevoked(database, tenant, hash)?);
    }
    for owner in &needs.tokens_of {
        facts.put_tokens_of(owner.clone(), tokens::unrevoked_of(database, tenant, owner)?);
    }
    Ok(())
}

fn of_catalogue(database: &Transaction<'_>, tenant: &str, needs: &Needs, facts: &mut Facts) -> Outcome<()> {
    if needs.catalogue {
        facts.put_catalogue_version(version::read(database, tenant)?);
    }
    if needs.categories {
        facts.put_categories(categories::read(database, tenant)?);
    }
    for id in &needs.catalogue_products {
        facts.put_catalogue_product(id.clone(), product_row::find(database, tenant, id)?);
    }
    for id in &needs.taken_pieces {
        facts.put_taken_pieces(id.clone(), product_row::taken_pieces(database, tenant, id)?);
    }
    Ok(())
}

/// Loads an account, the day and the row that may stand under the key.
fn entry(
    database: &Transaction<'_>,
    tenant: &str,
    key: EntryKey,
    day: Day,
    facts: &mut Facts,
) -> Outcome<()> {
    let mut select = database.prepare_cached(
        "SELECT users.id, transactions.seq, transactions.id, transactions.created_at, transactions.type,
             transactions.source_id, transactions.points, transactions.bonus_breakdown, transactions.title,
             transactions.subtitle, history_days.day IS NOT NULL, balance, day_count, last_seq, last_hash
         FROM users
         LEFT JOIN history_days ON history_days.tenant_id = ?1 AND history_days.user_id = ?2
             AND history_days.day = ?5
         LEFT JOIN transactions ON transactions.tenant_id = ?1 AND transactions.user_id = ?2
             AND transactions.type = ?3 AND transactions.source_id = ?4
         WHERE users.tenant_id = ?1 AND users.id = ?2",
    )?;
    let EntryKey { user_id, kind, source_id } = &key;
    let named = params![tenant, user_id.as_str(), kind.as_str(), source_id.as_str(), day.as_days()];
    let mut rows = select.query(named)?;
    let Some(row) = rows.next()? else {
        facts.put_account(user_id.clone(), None);
        facts.put_day(user_id, day, false);
        facts.put_entry(key, None);
        return Ok(());
    };
    let state = read_state(&Record::new("users", 1, row), 11)?;
    let record = Record::new("transactions", 2, row);
    facts.put_account(user_id.clone(), Some(state));
    facts.put_day(user_id, day, record.get(10)?);
    let entry = match record.read_optional(1, count)? {
        Some(seq) => Some(StoredEntry { seq, transaction: transaction_row::read(&record, 2)?.into() }),
        None => None,
    };
    facts.put_entry(key, entry);
    Ok(())
}

fn account(database: &Transaction<'_>, tenant: &str, user: UserId, facts: &mut Facts) -> Outcome<()> {
    let mut select = database.prepare_cached(
        "SELECT id, balance, day_count, last_seq, last_hash FROM users WHERE tenant_id = ?1 AND id = ?2",
    )?;
    let mut rows = select.query([tenant, user.as_str()])?;
    let state = rows.next()?.map(|row| read_state(&Record::new("users", 1, row), 1)).transpose()?;
    facts.put_account(user, state);
    Ok(())
}

/// Reads the columns `balance`, `day_count`, `last_seq` and `last_hash`, which stand in this order.
fn read_state(record: &Record<'_>, first: usize) -> Outcome<AccountState> {
    Ok(AccountState {
        balance: record.read(first, Points::new)?,
        day_count: record.read(first + 1, count)?,
        last_seq: record.read(first + 2, count)?,
        last_hash: record.get(first + 3)?,
    })
}
