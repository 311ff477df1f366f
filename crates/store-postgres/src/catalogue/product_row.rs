//! A product and its row.

use std::collections::BTreeSet;

use pointbook_app::commands::{CatalogueRow, Facts, ProductWrite};
use pointbook_domain::{ProductId, Timestamp};
use pointbook_schema::rows::{NewProduct, ProductRow};
use pointbook_schema::{Dialect, OnConflict, Statement, select, statement};
use tokio_postgres::Row;

use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row;

/// Rows in full, retired or not. No other transaction changes them before this one ends.
pub(crate) async fn hold(
    database: &Transaction,
    tenant: &str,
    ids: &BTreeSet<ProductId>,
) -> Outcome<Vec<Row>> {
    let select =
        select!(ProductRow, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR NO KEY UPDATE");
    database.rows_by(select, tenant, ids.iter().map(ProductId::as_str).collect()).await
}

/// Puts the rows of [`hold`] among the facts.
pub(crate) fn put(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let row = CatalogueRow::from(row::read::<ProductRow>(row)?);
        facts.put_catalogue_product(row.product.id.clone(), Some(row));
    }
    Ok(())
}

/// How many pieces orders took out of the limited stock of products and did not give back.
pub(crate) async fn taken_pieces(
    database: &Transaction,
    tenant: &str,
    ids: &BTreeSet<ProductId>,
) -> Outcome<Vec<Row>> {
    let select = "SELECT product_id, coalesce(sum(quantity), 0)::bigint FROM orders
         WHERE tenant_id = $1 AND product_id = ANY ($2::text[]) AND status IN ('placed', 'fulfilled')
             AND takes_stock
         GROUP BY product_id";
    database.rows_by(select, tenant, ids.iter().map(ProductId::as_str).collect()).await
}

/// Puts the rows of [`taken_pieces`] among the facts.
pub(crate) fn put_taken_pieces(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let (product, pieces) = row::read_as(("orders", 1), row)?;
        facts.put_taken_pieces(product, pieces);
    }
    Ok(())
}

/// Writes products, of which no two have the same id, over the rows that have their ids. Those rows are
/// locked, so that stock and orders stand still.
pub(crate) async fn write(
    database: &Transaction,
    tenant: &str,
    products: &[ProductWrite],
    version: i64,
) -> Outcome<()> {
    let upsert = statement!(Statement::insert::<NewProduct<'_>>(Dialect::Postgres, OnConflict::Replace));
    let rows = products.iter().map(|ProductWrite { product, supplied }| NewProduct {
        product,
        version,
        retired_at: None,
        stock_supplied: *supplied,
    });
    database.write(upsert, tenant, &rows.collect::<Vec<_>>()).await.map(drop)
}

/// Makes products that are not retired tombstones.
pub(crate) async fn retire(
    database: &Transaction,
    tenant: &str,
    retired: &[(ProductId, Timestamp)],
    version: i64,
) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<(&ProductId, Timestamp, i64)>(
        "UPDATE products SET retired_at = given.retired_at, version = given.version
         FROM unnest({arrays}) AS given (id, retired_at, version)
         WHERE products.tenant_id = $1 AND products.id = given.id AND products.retired_at IS NULL"
    ));
    let rows: Vec<_> = retired.iter().map(|(id, at)| (id, *at, version)).collect();
    database.write_all(update, tenant, &rows).await
}
