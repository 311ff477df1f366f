//! Reading users.

use pointbook_app::ports::{PageOf, UserFilter};
use pointbook_domain::{PageRequest, User, UserId};
use pointbook_schema::{pages, select};
use rusqlite::{Connection, params};

use crate::error::Outcome;
use crate::row;

pub(crate) fn user(database: &Connection, tenant: &str, id: &UserId) -> Outcome<Option<User>> {
    row::one(database, select!(User, "WHERE tenant_id = ?1 AND id = ?2"), [tenant, id.as_str()])
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
    let found = pages!(
        User,
        "WHERE tenant_id = ?1
             AND (?2 IS NULL OR instr(lower(id), ?2) > 0) AND (?3 IS NULL OR (disabled_at IS NOT NULL) = ?3)",
        "ORDER BY id LIMIT ?4 OFFSET ?5"
    );
    row::page(database, found, &[&tenant, &search, disabled], page)
}

/// The users after one, by id.
pub(super) fn after(
    database: &Connection,
    tenant: &str,
    after: Option<&UserId>,
    limit: u32,
) -> Outcome<Vec<User>> {
    let sql = select!(User, "WHERE tenant_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3");
    row::all(database, sql, params![tenant, after.map_or("", UserId::as_str), limit])
}
