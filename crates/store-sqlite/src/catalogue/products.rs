//! Reading and retiring products.

use pointbook_app::ports::{CatalogueVersion, ProductChange};
use pointbook_domain::{ProductId, Timestamp};
use rusqlite::{Connection, Params, Transaction, params};

use super::product_row::{self, ProductRow};
use super::version::NextVersion;
use crate::error::Outcome;

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

/// Retires products that are not retired yet, and counts them.
pub(super) fn retire(
    database: &Transaction<'_>,
    tenant: &str,
    ids: &[ProductId],
    at: Timestamp,
) -> Outcome<u64> {
    let version = NextVersion::take(database, tenant)?;
    let mut retire = database.prepare_cached(
        "UPDATE products SET retired_at = ?3, version = ?4 WHERE tenant_id = ?1 AND id = ?2 AND retired_at IS NULL",
    )?;
    let mut retired = 0;
    for id in ids {
        retired += retire.execute(params![tenant, id.as_str(), at.as_micros(), version.stamp()])? as u64;
    }
    if retired > 0 {
        version.raise(database, tenant)?;
    }
    Ok(retired)
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
