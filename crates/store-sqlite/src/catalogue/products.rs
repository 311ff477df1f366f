//! Reading and retiring products.

use pointbook_app::ports::{CatalogueVersion, PageOf, ProductChange, StoredProduct};
use pointbook_domain::{PageRequest, ProductId};
use pointbook_schema::rows::ProductRow;
use pointbook_schema::{pages, select};
use rusqlite::{Connection, Params, params};

use crate::error::Outcome;
use crate::row;

/// The product, unless it is retired.
pub(super) fn find(database: &Connection, tenant: &str, id: &ProductId) -> Outcome<Option<StoredProduct>> {
    let select = select!(ProductRow, "WHERE tenant_id = ?1 AND id = ?2 AND retired_at IS NULL");
    let row: Option<ProductRow> = row::one(database, select, [tenant, id.as_str()])?;
    Ok(row.map(StoredProduct::from))
}

/// A page by id. To be called inside a read transaction, so that page and total fit together. A search
/// is for a part, not for a pattern: no character in it has a meaning.
pub(super) fn page(
    database: &Connection,
    tenant: &str,
    search: Option<&str>,
    page: PageRequest,
) -> Outcome<PageOf<StoredProduct>> {
    let search = search.map(str::to_ascii_lowercase);
    let found = pages!(
        ProductRow,
        "WHERE tenant_id = ?1 AND retired_at IS NULL AND (
             ?2 IS NULL OR instr(lower(id), ?2) > 0 OR instr(lower(sku), ?2) > 0 OR instr(lower(title), ?2) > 0)",
        "ORDER BY id LIMIT ?3 OFFSET ?4"
    );
    let PageOf { items, total } = row::page::<ProductRow>(database, found, &[&tenant, &search], page)?;
    Ok(PageOf { items: items.into_iter().map(StoredProduct::from).collect(), total })
}

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
