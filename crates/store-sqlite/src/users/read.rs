//! Reading users.

use pointbook_app::ports::{PageOf, UserFilter};
use pointbook_domain::{Locale, PageRequest, Points, User, UserId};
use rusqlite::{Connection, Params, Row, params};

use crate::error::Outcome;
use crate::row::{Record, day, timestamp};

pub(crate) fn user(database: &Connection, tenant: &str, id: &UserId) -> Outcome<Option<User>> {
    let mut select = database.prepare_cached(
        "SELECT id, balance, birth_date, locale, disabled_at, created_at
         FROM users WHERE tenant_id = ?1 AND id = ?2",
    )?;
    let mut rows = select.query([tenant, id.as_str()])?;
    rows.next()?.map(read).transpose()
}

/// A page by id. To be called inside a read transaction, so that page and total fit together. A search
/// is for a part, not for a pattern: no character in it has a meaning.
pub(super) fn page(
    database: &Connection,
    tenant: &str,
    filter: &UserFilter,
    page: PageRequest,
) -> Outcome<PageOf<User>> {
    let UserFilter { search, disabled } = filter;
    let search = search.as_ref().map(|part| part.to_ascii_lowercase());
    let mut count = database.prepare_cached(
        "SELECT count(*) FROM users WHERE tenant_id = ?1
             AND (?2 IS NULL OR instr(lower(id), ?2) > 0) AND (?3 IS NULL OR (disabled_at IS NOT NULL) = ?3)",
    )?;
    let total: i64 = count.query_row(params![tenant, search, disabled], |row| row.get(0))?;
    let sql = "SELECT id, balance, birth_date, locale, disabled_at, created_at FROM users WHERE tenant_id = ?1
                   AND (?2 IS NULL OR instr(lower(id), ?2) > 0) AND (?3 IS NULL OR (disabled_at IS NOT NULL) = ?3)
               ORDER BY id LIMIT ?4 OFFSET ?5";
    // The largest page number and the largest size are 31 and 32 bits wide.
    let offset = page.offset().cast_signed();
    let items = select(database, sql, params![tenant, search, disabled, page.size.get(), offset])?;
    Ok(PageOf { items, total: total.cast_unsigned() })
}

/// The users after one, by id.
pub(super) fn after(
    database: &Connection,
    tenant: &str,
    after: Option<&UserId>,
    limit: u32,
) -> Outcome<Vec<User>> {
    let sql = "SELECT id, balance, birth_date, locale, disabled_at, created_at
               FROM users WHERE tenant_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
    select(database, sql, params![tenant, after.map_or("", UserId::as_str), limit])
}

fn select(database: &Connection, sql: &str, params: impl Params) -> Outcome<Vec<User>> {
    let mut select = database.prepare_cached(sql)?;
    let mut rows = select.query(params)?;
    let mut users = Vec::new();
    while let Some(row) = rows.next()? {
        users.push(read(row)?);
    }
    Ok(users)
}

fn read(row: &Row<'_>) -> Outcome<User> {
    let record = Record::new("users", 1, row);
    Ok(User {
        id: record.read(0, |id: Box<str>| UserId::new(id))?,
        balance: record.read(1, Points::new)?,
        birth_date: record.read_optional(2, day)?,
        locale: record.read_optional(3, |tag: String| Locale::new(&tag))?,
        disabled_at: record.read_optional(4, timestamp)?,
        created_at: record.read(5, timestamp)?,
    })
}
