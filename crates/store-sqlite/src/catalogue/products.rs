//! The products of a catalogue, and what changed of them.

use pointbook_app::ports::{CatalogueVersion, ProductChange};
use pointbook_schema::rows::ProductRow;
use pointbook_schema::select;
use rusqlite::{Connection, Params, params};

use crate::error::Outcome;
use crate::row;

/// The catalogue as it is, in the order of its key.
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

/// What changed after a version. The changed ids are found and sorted in the index alone: few rows
/// changed, and a whole catalogue is not to be read for them.
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
    // No stored version exceeds what is stored as a signed number.
    let since = i64::try_from(since.0).unwrap_or(i64::MAX);
    read(database, select, params![tenant, since, after, limit])
}

fn read<T: From<ProductRow>>(database: &Connection, sql: &str, params: impl Params) -> Outcome<Vec<T>> {
    let rows: Vec<ProductRow> = row::all(database, sql, params)?;
    Ok(rows.into_iter().map(T::from).collect())
}
