//! Loads and saves products, their stock and the category tree for commands.

use std::collections::BTreeSet;

use pointbook_domain::{ProductId, Timestamp};

use super::load::{each, each_of};
use crate::commands::{CatalogueRow, Changes, Facts, Needs, ProductWrite, StockChange, StockGuard};
use crate::postgres::catalogue::{NextVersion, categories};
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::pipeline::both;
use crate::schema::rows::{NewProduct, ProductRow};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::{select, statement};

/// Loads complete products, including retired ones, and categories. Locks the version first, as every transaction that changes
/// them does. No other transaction changes the products before this one ends.
pub(super) async fn load(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    if needs.catalogue {
        facts.put_catalogue_version(NextVersion::take(database, tenant).await?.stored());
    }
    if needs.categories {
        facts.put_categories(categories::read_text(database, tenant).await?);
    }
    let hold =
        select!(ProductRow, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR NO KEY UPDATE");
    // Counts pieces taken from limited stock and not returned.
    let count_taken = "SELECT product_id, coalesce(sum(quantity), 0)::bigint FROM orders
         WHERE tenant_id = $1 AND product_id = ANY ($2::text[]) AND status IN ('placed', 'fulfilled')
             AND takes_stock
         GROUP BY product_id";
    let (products, taken) = both(
        database.rows_by(hold, tenant, texts(&needs.catalogue_products)),
        database.rows_by(count_taken, tenant, texts(&needs.taken_pieces)),
    )
    .await?;
    each(&products, |row: ProductRow| {
        let row = CatalogueRow::from(row);
        facts.put_catalogue_product(row.product.id.clone(), Some(row));
    })?;
    each_of(("orders", 1), &taken, |(product, pieces)| facts.put_taken_pieces(product, pieces))
}

fn texts(ids: &BTreeSet<ProductId>) -> Vec<&str> {
    ids.iter().map(ProductId::as_str).collect()
}

/// Saves stocks, products and categories. Raises the version by one when clients see a change. Takes the version before it locks
/// products, in the same order as every write.
pub(super) async fn save(database: &Transaction, tenant: &str, changes: &Changes) -> Outcome<()> {
    let Changes { stocks, products, retired_products, categories, .. } = changes;
    if !changes.raises_catalogue() {
        return save_stocks(database, tenant, stocks, None).await;
    }
    let next = NextVersion::take(database, tenant).await?;
    let written = both(
        write(database, tenant, products, next.stamp()),
        retire(database, tenant, retired_products, next.stamp()),
    );
    both(save_stocks(database, tenant, stocks, Some(&next)), written).await?;
    if let Some(tree) = categories {
        categories::replace(database, tenant, tree).await?;
    }
    next.raise(database, tenant).await
}

/// Inserts products or replaces those with the same id. The ids are distinct. The rows are locked, so that orders cannot change
/// the stock meanwhile.
async fn write(database: &Transaction, tenant: &str, products: &[ProductWrite], version: i64) -> Outcome<()> {
    let upsert = statement!(Statement::insert::<NewProduct<'_>>(Dialect::Postgres, OnConflict::Replace));
    let rows = products.iter().map(|ProductWrite { product, supplied }| NewProduct {
        product,
        version,
        retired_at: None,
        stock_supplied: *supplied,
    });
    database.write_all(upsert, tenant, &rows.collect::<Vec<_>>()).await
}

async fn retire(
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

type Bounds = Option<(u32, u32)>;

/// The product; the pieces added to stock, reserved and supplied; the new version, or `None` to keep it; the version that the
/// row must have; and the bounds of the stock before and after the change.
type StockUpdate<'c> = (&'c ProductId, (i64, i64, i64), Option<i64>, Option<u64>, Bounds, Bounds);

fn stock_update<'c>(change: &'c StockChange, next: Option<&NextVersion>) -> StockUpdate<'c> {
    let StockChange { product_id, stock, reserved, supplied, guard } = change;
    let (stamp, version, before, after) = match *guard {
        StockGuard::None => (None, None, None, None),
        StockGuard::Unseen { version, bounds } => (None, Some(version), bounds, bounds),
        StockGuard::Shown { version, stock } => {
            (next.map(NextVersion::stamp), Some(version), Some((stock, stock)), None)
        }
    };
    (product_id, (*stock, *reserved, *supplied), stamp, version, before, after)
}

/// Saves changes of stocks. Fails as overtaken when a product has changed since the decision. A product whose change clients
/// see gets the next version. Several rows are locked in the order of ids, to prevent deadlocks.
async fn save_stocks(
    database: &Transaction,
    tenant: &str,
    changes: &[StockChange],
    next: Option<&NextVersion>,
) -> Outcome<()> {
    let lock = "SELECT id FROM products WHERE tenant_id = $1 AND id = ANY ($2::text[])
                ORDER BY id FOR NO KEY UPDATE";
    let update = statement!(Statement::of_arrays::<StockUpdate<'_>>(
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
    let several = if changes.len() > 1 { changes } else { &[] };
    let ids: Vec<&str> = several.iter().map(|change| change.product_id.as_str()).collect();
    let rows: Vec<StockUpdate<'_>> = changes.iter().map(|change| stock_update(change, next)).collect();
    both(database.rows_by(lock, tenant, ids), database.write_all(update, tenant, &rows)).await?;
    Ok(())
}
