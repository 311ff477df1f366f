//! Reads and writes users for commands.

use pointbook_domain::{Day, Locale, Timestamp, User, UserId};
use rusqlite::{Connection, Transaction, params};

use crate::schema::rows::NewUser;
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::missing;
use crate::{select, statement};

pub(crate) fn find(database: &Connection, tenant: &str, id: &UserId) -> Outcome<Option<User>> {
    row::one(database, select!(User, "WHERE tenant_id = ?1 AND id = ?2"), [tenant, id.as_str()])
}

pub(crate) fn insert(database: &Transaction<'_>, tenant: &str, user: &NewUser<'_>) -> Outcome<()> {
    let insert = statement!(Statement::insert::<NewUser<'_>>(Dialect::Sqlite, OnConflict::Fail));
    row::write(database, insert, tenant, user).map(drop)
}

/// Updates the profile of a user.
pub(crate) fn update(database: &Transaction<'_>, tenant: &str, user: &User) -> Outcome<()> {
    let User { id, balance: _, birth_date, birth_date_set_at, locale, disabled_at, created_at: _ } = user;
    let mut update = database.prepare_cached(
        "UPDATE users SET birth_date = ?3, birth_date_set_at = ?4, locale = ?5, disabled_at = ?6
         WHERE tenant_id = ?1 AND id = ?2",
    )?;
    let updated = update.execute(params![
        tenant,
        id.as_str(),
        birth_date.map(Day::as_days),
        birth_date_set_at.map(Timestamp::as_micros),
        locale.as_ref().map(Locale::as_str),
        disabled_at.map(Timestamp::as_micros),
    ])?;
    if updated == 1 { Ok(()) } else { Err(missing("users", id.as_str())) }
}
