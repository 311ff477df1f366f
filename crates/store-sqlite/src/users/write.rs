//! Writing users and their profiles.

use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Day, Locale, Timestamp, User};
use rusqlite::{Transaction, params};

use crate::error::Outcome;
use crate::row::missing;

/// Adds a user without a history.
pub(crate) fn insert(database: &Transaction<'_>, tenant: &str, user: &User) -> Outcome<()> {
    let User { id, balance: _, birth_date, locale, disabled_at, created_at } = user;
    let mut insert = database.prepare_cached(
        "INSERT INTO users (tenant_id, id, balance, day_count, last_seq, last_hash, birth_date, locale, disabled_at,
             created_at)
         VALUES (?1, ?2, 0, 0, 0, ?3, ?4, ?5, ?6, ?7)",
    )?;
    insert.execute(params![
        tenant,
        id.as_str(),
        CHAIN_START,
        birth_date.map(Day::as_days),
        locale.as_ref().map(Locale::as_str),
        disabled_at.map(Timestamp::as_micros),
        created_at.as_micros(),
    ])?;
    Ok(())
}

/// Writes the profile of a user.
pub(crate) fn update(database: &Transaction<'_>, tenant: &str, user: &User) -> Outcome<()> {
    let User { id, balance: _, birth_date, locale, disabled_at, created_at: _ } = user;
    let mut update = database.prepare_cached(
        "UPDATE users SET birth_date = ?3, locale = ?4, disabled_at = ?5 WHERE tenant_id = ?1 AND id = ?2",
    )?;
    let updated = update.execute(params![
        tenant,
        id.as_str(),
        birth_date.map(Day::as_days),
        locale.as_ref().map(Locale::as_str),
        disabled_at.map(Timestamp::as_micros),
    ])?;
    if updated == 1 { Ok(()) } else { Err(missing("users", id.as_str())) }
}
