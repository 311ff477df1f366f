//! Reads the products of a catalogue and their changes.

use rusqlite::{Connection, Params, params};

use crate::ports::{CatalogueVersion, ProductChange};
use crate::schema::rows::ProductRow;
use crate::select;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;

/// The products of the catalogue, ordered by id.
pub(super) fn not_retired(
    database: &Connection,
    tenant: &str,
    after: &str,
    limit: u32,
) -> Outcome<Vec<ProductChange>> {
    let select =
        select!(ProductRow, "WHERE tenant_id = ?1 AND id > ?2 AND retired_at IS NULL ORDER BY id LIMIT ?3");
    read(database, select, params![tenant, after, limit])
}

/// The products that changed after a version. SQLite finds and sorts the changed ids in the index, because reading the
/// whole catalogue for a few changes is slow.
pub(super) fn changed(
    database: &Connection,
    tenant: &str,
    since: CatalogueVersion,
    after: &str,
    limit: u32,
) -> Outcome<Vec<ProductChange>> {
    let select = select!(
        ProductRow,
        "WHERE tenant_id = ?1 AND id IN (
             SELECT id FROM products INDEXED BY products_by_version
             WHERE tenant_id = ?1 AND version > ?2 AND id > ?3 ORDER BY id LIMIT ?4
         ) ORDER BY id"
    );
    // Versions are stored as signed numbers, so none is above `i64::MAX`.
    let since = i64::try_from(since.0).unwrap_or(i64::MAX);
    read(database, select, params![tenant, since, after, limit])
}

fn read<T: From<ProductRow>>(database: &Connection, sql: &str, params: impl Params) -> Outcome<Vec<T>> {
    let rows: Vec<ProductRow> = row::all(database, sql, params)?;
    Ok(rows.into_iter().map(T::from).collect())
}
