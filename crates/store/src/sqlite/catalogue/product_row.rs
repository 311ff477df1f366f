//! The row of a product.

use pointbook_domain::{ProductId, Timestamp};
use rusqlite::{Transaction, params};

use crate::commands::{CatalogueRow, ProductWrite};
use crate::schema::rows::{NewProduct, ProductRow};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::missing;
use crate::{select, statement};

/// Finds a product, even a retired one.
pub(crate) fn find(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
) -> Outcome<Option<CatalogueRow>> {
    let select = select!(ProductRow, "WHERE tenant_id = ?1 AND id = ?2");
    let row: Option<ProductRow> = row::one(database, select, [tenant, id.as_str()])?;
    Ok(row.map(CatalogueRow::from))
}

/// How many pieces orders took from the limited stock of a product and did not return.
pub(crate) fn taken_pieces(database: &Transaction<'_>, tenant: &str, id: &ProductId) -> Outcome<i64> {
    let select = "SELECT coalesce(sum(quantity), 0) FROM orders
         WHERE tenant_id = ?1 AND product_id = ?2 AND status IN ('placed', 'fulfilled') AND takes_stock = 1";
    let pieces: Option<(i64,)> = row::one_of(("orders", 0), database, select, [tenant, id.as_str()])?;
    Ok(pieces.map_or(0, |(pieces,)| pieces))
}

/// Inserts a product or replaces the one with the same id.
pub(crate) fn write(
    database: &Transaction<'_>,
    tenant: &str,
    ProductWrite { product, supplied }: &ProductWrite,
    version: i64,
) -> Outcome<()> {
    let upsert = statement!(Statement::insert::<NewProduct<'_>>(Dialect::Sqlite, OnConflict::Replace));
    let row = NewProduct { product, version, retired_at: None, stock_supplied: *supplied };
    row::write(database, upsert, tenant, &row).map(drop)
}

/// Retires a product. Its row stays as a tombstone.
pub(crate) fn retire(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
    at: Timestamp,
    version: i64,
) -> Outcome<()> {
    let mut retire = database.prepare_cached(
        "UPDATE products SET retired_at = ?3, version = ?4 WHERE tenant_id = ?1 AND id = ?2 AND retired_at IS NULL",
    )?;
    match retire.execute(params![tenant, id.as_str(), at.as_micros(), version])? {
        1 => Ok(()),
        _ => Err(missing("products", id.as_str())),
    }
}
