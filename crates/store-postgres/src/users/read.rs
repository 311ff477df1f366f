//! Reading users.

use std::collections::BTreeSet;

use pointbook_app::ports::{PageOf, UserFilter};
use pointbook_domain::{PageRequest, User, UserId};
use pointbook_schema::{pages, select};
use tokio_postgres::Row;

use crate::commands::{Hold, locking};
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;

pub(super) async fn user(database: &Connection, tenant: &str, id: &UserId) -> Outcome<Option<User>> {
    let sql = select!(User, "WHERE tenant_id = $1 AND id = $2");
    database.one(sql, &[&tenant, &id.as_str()]).await
}

/// Those of the users who are known. No other transaction changes them before this one ends; the order of ids
/// keeps two transactions from waiting for each other.
pub(crate) async fn hold(
    database: &Transaction,
    tenant: &str,
    ids: &BTreeSet<UserId>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    let select = locking!(User, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE");
    hold.rows(database, tenant, select, ids.iter().map(UserId::as_str).collect()).await
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
    let found = pages!(
        User,
        "WHERE tenant_id = $1 AND ($2::text IS NULL OR strpos(lower(id COLLATE \"C\"), $2) > 0)
             AND ($3::boolean IS NULL OR (disabled_at IS NOT NULL) = $3)",
        "ORDER BY id LIMIT $4 OFFSET $5"
    );
    database.page(found, &[&tenant, &search, disabled], page).await
}

/// The users after one, by id.
pub(super) async fn after(
    database: &Connection,
    tenant: &str,
    after: Option<&UserId>,
    limit: u32,
) -> Outcome<Vec<User>> {
    let sql = select!(User, "WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3");
    let after = after.map_or("", UserId::as_str);
    database.all(sql, &[&tenant, &after, &i64::from(limit)]).await
}
