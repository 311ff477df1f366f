//! The pieces of products that orders take and give back.

use std::collections::BTreeSet;

use pointbook_app::commands::{Facts, ProductFacts, StockChange, StockGuard};
use pointbook_domain::ProductId;
use pointbook_schema::rows::ProductOffer;
use pointbook_schema::{Group, Statement, sql, statement};
use tokio_postgres::Row;

use crate::catalogue::NextVersion;
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::pipeline::both;
use crate::row;

/// Products as orders need them, retired or not. They are read without a lock, for which the orders of different
/// users would wait, and are changed only as they were read.
pub(super) async fn find(
    database: &Transaction,
    tenant: &str,
    products: &BTreeSet<ProductId>,
) -> Outcome<Vec<Row>> {
    let select = sql!(format!(
        "SELECT {}, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = products.tenant_id
         WHERE products.tenant_id = $1 AND id = ANY ($2::text[])",
        ProductOffer::names_of("products")
    ));
    database.rows_by(select, tenant, products.iter().map(ProductId::as_str).collect()).await
}

/// Puts the rows of [`find`] among the facts.
pub(super) fn put(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let (offer, low_stock_threshold) = row::read_as(("products", 1), row)?;
        let product = ProductFacts::of(offer, low_stock_threshold);
        facts.put_product(product.product.id.clone(), Some(product));
    }
    Ok(())
}

type Bounds = Option<(u32, u32)>;

/// Which product; what is added to its stock, its reserved and its supplied pieces; the version that it gets, `None` where it
/// keeps its own; the version that it must have; the bounds of its stock before the change, and after it.
type Update<'c> = (&'c ProductId, (i64, i64, i64), Option<i64>, Option<u64>, Bounds, Bounds);

fn update_of<'c>(change: &'c StockChange, next: Option<&NextVersion>) -> Update<'c> {
    let StockChange { product_id, stock, reserved, supplied, guard } = change;
    let (version, before, after) = match *guard {
        StockGuard::None => (None, None, None),
        StockGuard::Unseen { version, bounds } => (Some(version), bounds, bounds),
        StockGuard::Shown { version, stock } => (Some(version), Some((stock, stock)), None),
    };
    let is_shown = matches!(guard, StockGuard::Shown { .. });
    let stamp = next.filter(|_| is_shown).map(NextVersion::stamp);
    (product_id, (*stock, *reserved, *supplied), stamp, version, before, after)
}

/// Saves changes of stocks, unless one comes to something else than was decided: then all begins again. A product
/// whose change clients see gets the next version.
pub(super) async fn save(
    database: &Transaction,
    tenant: &str,
    changes: &[StockChange],
    next: Option<&NextVersion>,
) -> Outcome<()> {
    let ids: Vec<&str> = changes.iter().map(|change| change.product_id.as_str()).collect();
    let rows: Vec<Update<'_>> = changes.iter().map(|change| update_of(change, next)).collect();
    both(lock(database, tenant, &ids), update(database, tenant, &rows)).await?;
    Ok(())
}

/// Locks the rows of several products in the order of ids, so that two transactions do not wait for each other.
async fn lock(database: &Transaction, tenant: &str, ids: &[&str]) -> Outcome<()> {
    if ids.len() > 1 {
        let select = "SELECT id FROM products WHERE tenant_id = $1 AND id = ANY ($2::text[])
                      ORDER BY id FOR NO KEY UPDATE";
        database.execute(select, &[&tenant, &ids]).await?;
    }
    Ok(())
}

async fn update(database: &Transaction, tenant: &str, rows: &[Update<'_>]) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<Update<'_>>(
        "UPDATE products SET stock = products.stock + given.stock,
             reserved = products.reserved + given.reserved,
             stock_supplied = products.stock_supplied + given.supplied,
             version = coalesce(given.stamp, products.version)
         FROM unnest({arrays})
             AS given (id, stock, reserved, supplied, stamp, version, least, most, least_after, most_after)
         WHERE products.tenant_id = $1 AND products.id = given.id
             AND products.reserved + given.reserved >= 0
             AND (given.version IS NULL OR products.version = given.version)
             AND (given.least IS NULL OR products.stock BETWEEN given.least AND given.most)
             AND (given.least_after IS NULL
                 OR products.stock + given.stock BETWEEN given.least_after AND given.most_after)"
    ));
    database.write_all(update, tenant, rows).await
}
