//! Reading and retiring products.

use pointbook_app::ports::{CatalogueVersion, PageOf, ProductChange, StoredProduct};
use pointbook_domain::{PageRequest, ProductId};
use rusqlite::{Connection, Params, params};

use super::product_row::{self, ProductRow};
use crate::error::Outcome;

/// The product, unless it is retired.
pub(super) fn find(database: &Connection, tenant: &str, id: &ProductId) -> Outcome<Option<StoredProduct>> {
    let mut select = database.prepare_cached(
        "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail, gallery,
             categories, stock, popular, published_at, active, retired_at, reserved, version
         FROM products WHERE tenant_id = ?1 AND id = ?2 AND retired_at IS NULL",
    )?;
    let mut rows = select.query([tenant, id.as_str()])?;
    rows.next()?.map(product_row::read_stored).transpose()
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
    let mut count = database.prepare_cached(
        "SELECT count(*) FROM products WHERE tenant_id = ?1 AND retired_at IS NULL AND (
             ?2 IS NULL OR instr(lower(id), ?2) > 0 OR instr(lower(sku), ?2) > 0 OR instr(lower(title), ?2) > 0)",
    )?;
    let total: i64 = count.query_row(params![tenant, search], |row| row.get(0))?;
    let mut select = database.prepare_cached(
        "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail, gallery,
             categories, stock, popular, published_at, active, retired_at, reserved, version
         FROM products WHERE tenant_id = ?1 AND retired_at IS NULL AND (
             ?2 IS NULL OR instr(lower(id), ?2) > 0 OR instr(lower(sku), ?2) > 0 OR instr(lower(title), ?2) > 0)
         ORDER BY id LIMIT ?3 OFFSET ?4",
    )?;
    // The largest page number and the largest size are 31 and 32 bits wide.
    let offset = page.offset().cast_signed();
    let mut rows = select.query(params![tenant, search, page.size.get(), offset])?;
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        items.push(product_row::read_stored(row)?);
    }
    Ok(PageOf { items, total: total.cast_unsigned() })
}

/// The catalogue as it is, in the order of its key.
pub(super) fn not_retired(
    database: &Connection,
    tenant: &str,
    after: &str,
    limit: u32,
) -> Outcome<Vec<ProductChange>> {
    let sql = "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail, gallery,
                   categories, stock, popular, published_at, active, retired_at
               FROM products WHERE tenant_id = ?1 AND id > ?2 AND retired_at IS NULL ORDER BY id LIMIT ?3";
    select(database, sql, params![tenant, after, limit])
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
    let sql = "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail, gallery,
                   categories, stock, popular, published_at, active, retired_at
               FROM products WHERE tenant_id = ?1 AND id IN (
                   SELECT id FROM products INDEXED BY products_by_version
                   WHERE tenant_id = ?1 AND version > ?2 AND id > ?3 ORDER BY id LIMIT ?4
               ) ORDER BY id";
    // No stored version exceeds what is stored as a signed number.
    let since = i64::try_from(since.0).unwrap_or(i64::MAX);
    select(database, sql, params![tenant, since, after, limit])
}

fn select(database: &Connection, sql: &str, params: impl Params) -> Outcome<Vec<ProductChange>> {
    let mut select = database.prepare_cached(sql)?;
    let mut rows = select.query(params)?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let ProductRow { product, retired_at } = product_row::read(row)?;
        changes.push(match retired_at {
            None => ProductChange::Upserted(Box::new(product)),
            Some(_) => ProductChange::Retired(product.id),
        });
    }
    Ok(changes)
}
