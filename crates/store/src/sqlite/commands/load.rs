//! Loads the facts that commands need.

use pointbook_domain::{Day, Transaction as LedgerTransaction, UserId};
use rusqlite::{Transaction, params};

use super::{awards, clock, data_key, stock, table_rows};
use crate::commands::{EntryKey, Facts, Needs, StoredEntry};
use crate::schema::rows::UserAccount;
use crate::schema::{ColumnAt, Group};
use crate::sqlite::catalogue::{categories, product_row, version};
use crate::sqlite::error::Outcome;
use crate::sqlite::{orders as order_row, row, tokens, users};
use crate::{select, sql};

pub(super) fn needs(
    database: &Transaction<'_>,
    tenant: &str,
    needs: Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    users_and_tokens(database, tenant, &needs, facts)?;
    of_catalogue(database, tenant, &needs, facts)?;
    clock::load(database, tenant, &needs, facts)?;
    table_rows::load(database, tenant, &needs, facts)?;
    awards::load(database, tenant, &needs, facts)?;
    let Needs { accounts, entries, order_names, orders, products, data_key: needs_data_key, .. } = needs;
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
    if needs_data_key {
        facts.put_data_key(data_key::find(database, tenant)?);
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
        facts.put_user(id.clone(), users::find(database, tenant, id)?);
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
        facts.put_categories(categories::read_text(database, tenant)?);
    }
    for id in &needs.catalogue_products {
        facts.put_catalogue_product(id.clone(), product_row::find(database, tenant, id)?);
    }
    for id in &needs.taken_pieces {
        facts.put_taken_pieces(id.clone(), product_row::taken_pieces(database, tenant, id)?);
    }
    Ok(())
}

/// Loads an account, a day, and the ledger row with the key if it exists.
fn entry(
    database: &Transaction<'_>,
    tenant: &str,
    key: EntryKey,
    day: Day,
    facts: &mut Facts,
) -> Outcome<()> {
    let select = sql!(format!(
        "SELECT users.id, transactions.seq, {}, history_days.day, {}
         FROM users
         LEFT JOIN history_days ON history_days.tenant_id = ?1 AND history_days.user_id = ?2
             AND history_days.day = ?5
         LEFT JOIN transactions ON transactions.tenant_id = ?1 AND transactions.user_id = ?2
             AND transactions.type = ?3 AND transactions.source_id = ?4
         WHERE users.tenant_id = ?1 AND users.id = ?2",
        LedgerTransaction::names_of("transactions"),
        UserAccount::names_of("users")
    ));
    let EntryKey { user_id, kind, source_id } = &key;
    let named = params![tenant, user_id.as_str(), kind.as_str(), source_id.as_str(), day.as_days()];
    let found: Option<EntryRow> = row::one_of(("transactions", 2), database, select, named)?;
    let (account, entry, begun) = match found {
        Some((_, entry, begun, account)) => (Some(account), entry, begun.is_some()),
        None => (None, None, false),
    };
    facts.put_account(user_id.clone(), account);
    facts.put_day(user_id, day, begun);
    let stored =
        |(seq, transaction): (u64, LedgerTransaction)| StoredEntry { seq, transaction: transaction.into() };
    facts.put_entry(key, entry.map(stored));
    Ok(())
}

/// The user, the ledger row with the key, the day if it has rows, and the account.
type EntryRow = (ColumnAt, Option<(u64, LedgerTransaction)>, Option<Day>, UserAccount);

fn account(database: &Transaction<'_>, tenant: &str, user: UserId, facts: &mut Facts) -> Outcome<()> {
    let select = select!(UserAccount, "WHERE tenant_id = ?1 AND id = ?2");
    let found: Option<UserAccount> = row::one(database, select, [tenant, user.as_str()])?;
    facts.put_account(user, found);
    Ok(())
}
