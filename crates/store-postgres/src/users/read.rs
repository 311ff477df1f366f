//! Reading users.

use std::collections::BTreeSet;

use pointbook_app::ports::{PageOf, UserFilter};
use pointbook_domain::{Locale, PageRequest, Points, User, UserId};
use tokio_postgres::Row;

use crate::commands::Hold;
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::pipeline::both;
use crate::row::{Record, count, day, missing, timestamp};

/// The statement that selects users, as [`read`] takes them: which and in which order is the caller's.
macro_rules! select_users {
    ($which:literal) => {
        concat!("SELECT id, balance, birth_date, locale, disabled_at, created_at FROM users ", $which)
    };
}

pub(super) async fn user(database: &Connection, tenant: &str, id: &UserId) -> Outcome<Option<User>> {
    let sql = select_users!("WHERE tenant_id = $1 AND id = $2");
    database.row(sql, &[&tenant, &id.as_str()]).await?.map(|row| read(&row)).transpose()
}

/// Those of the users who are known. No other transaction changes them before this one ends; the order of ids
/// keeps two transactions from waiting for each other.
pub(crate) async fn hold(
    database: &Transaction,
    tenant: &str,
    ids: &BTreeSet<UserId>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = ids.iter().map(UserId::as_str).collect();
    let sql = match hold {
        Hold::Waiting => {
            select_users!("WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE")
        }
        Hold::Skipping => {
            select_users!("WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE SKIP LOCKED")
        }
    };
    database.rows(sql, &[&tenant, &ids]).await
}

/// A page by id. To be called inside a snapshot, so that page and total fit together. A search is for a
/// part, not for a pattern: no character in it has a meaning.
pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    filter: &UserFilter,
    page: PageRequest,
) -> Outcome<PageOf<User>> {
    let UserFilter { search, disabled } = filter;
    let search = search.as_ref().map(|part| part.to_ascii_lowercase());
    if search.as_ref().is_some_and(|part| part.contains('\0')) {
        // PostgreSQL has no text with U+0000, nor takes one to search for.
        return Ok(PageOf { items: Vec::new(), total: 0 });
    }
    let counted = "SELECT count(*) FROM users WHERE tenant_id = $1
                       AND ($2::text IS NULL OR strpos(lower(id COLLATE \"C\"), $2) > 0)
                       AND ($3::boolean IS NULL OR (disabled_at IS NOT NULL) = $3)";
    let listed = select_users!(
        "WHERE tenant_id = $1 AND ($2::text IS NULL OR strpos(lower(id COLLATE \"C\"), $2) > 0)
             AND ($3::boolean IS NULL OR (disabled_at IS NOT NULL) = $3)
         ORDER BY id LIMIT $4 OFFSET $5"
    );
    // The largest page number and the largest size are 31 and 32 bits wide.
    let (size, offset) = (i64::from(page.size.get()), page.offset().cast_signed());
    let (counted, rows) = both(
        database.row(counted, &[&tenant, &search, disabled]),
        database.rows(listed, &[&tenant, &search, disabled, &size, &offset]),
    )
    .await?;
    let counted = counted.ok_or_else(|| missing("users", "count"))?;
    let total = Record::new("users", 0, &counted).read(0, count)?;
    Ok(PageOf { items: rows.iter().map(read).collect::<Outcome<_>>()?, total })
}

/// The users after one, by id.
pub(super) async fn after(
    database: &Connection,
    tenant: &str,
    after: Option<&UserId>,
    limit: u32,
) -> Outcome<Vec<User>> {
    let sql = select_users!("WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3");
    let after = after.map_or("", UserId::as_str);
    let rows = database.rows(sql, &[&tenant, &after, &i64::from(limit)]).await?;
    rows.iter().map(read).collect()
}

/// Reads a row of these columns.
pub(crate) fn read(row: &Row) -> Outcome<User> {
    let record = Record::new("users", 1, row);
    Ok(User {
        id: record.read(0, |id: &str| UserId::new(id))?,
        balance: record.read(1, Points::new)?,
        birth_date: record.read_optional(2, day)?,
        locale: record.read_optional(3, Locale::new)?,
        disabled_at: record.read_optional(4, timestamp)?,
        created_at: record.read(5, timestamp)?,
    })
}
