//! The pieces of products that orders take and give back.

use std::collections::BTreeSet;

use pointbook_app::commands::{Facts, ProductFacts, StockChange, StockGuard};
use pointbook_domain::{Price, Product, ProductId};
use tokio_postgres::Row;

use crate::catalogue::NextVersion;
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::pipeline::both;
use crate::row::{Record, count, timestamp};

/// Products as orders need them, retired or not. They are read without a lock, for which the orders of different
/// users would wait, and are changed only as they were read.
pub(super) async fn find(
    database: &Transaction,
    tenant: &str,
    products: &BTreeSet<ProductId>,
) -> Outcome<Vec<Row>> {
    if products.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = products.iter().map(ProductId::as_str).collect();
    let select = "SELECT id, sku, title, regular_price, sale_price, stock, popular, published_at, active,
             retired_at IS NOT NULL, reserved, products.version, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = products.tenant_id
         WHERE products.tenant_id = $1 AND id = ANY ($2::text[])";
    database.rows(select, &[&tenant, &ids]).await
}

/// Puts the rows of [`find`] among the facts.
pub(super) fn put(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let product = read(row)?;
        facts.put_product(product.product.id.clone(), Some(product));
    }
    Ok(())
}

fn read(row: &Row) -> Outcome<ProductFacts> {
    let record = Record::new("products", 1, row);
    let product = Product {
        id: record.read(0, |id: &str| ProductId::new(id))?,
        sku: record.get(1)?,
        title: record.get(2)?,
        description: String::new(),
        description_source: String::new(),
        regular_price: record.read(3, Price::new)?,
        sale_price: record.read_optional(4, Price::new)?,
        thumbnail: String::new(),
        gallery: Vec::new(),
        categories: Vec::new(),
        stock: record.read_optional(5, count)?,
        popular: record.get(6)?,
        published_at: record.read(7, timestamp)?,
        active: record.get(8)?,
    };
    Ok(ProductFacts {
        product,
        is_retired: record.get(9)?,
        reserved: record.get(10)?,
        version: record.read(11, count)?,
        low_stock_threshold: record.read(12, count)?,
    })
}

/// Changes of stocks, by column.
#[derive(Default)]
struct Columns<'c> {
    ids: Vec<&'c str>,
    stocks: Vec<i64>,
    reserved: Vec<i64>,
    supplied: Vec<i64>,
    /// The version that a product gets; `None` where it keeps its own.
    stamps: Vec<Option<i64>>,
    /// The version that it must have.
    versions: Vec<Option<i64>>,
    /// The bounds of its stock before the change.
    least: Vec<Option<i64>>,
    most: Vec<Option<i64>>,
    /// The bounds of its stock after the change.
    least_after: Vec<Option<i64>>,
    most_after: Vec<Option<i64>>,
}

impl<'c> Columns<'c> {
    fn push(&mut self, change: &'c StockChange, next: Option<&NextVersion>) {
        let StockChange { product_id, stock, reserved, supplied, guard } = change;
        self.ids.push(product_id.as_str());
        self.stocks.push(*stock);
        self.reserved.push(*reserved);
        self.supplied.push(*supplied);
        let (version, before, after) = match *guard {
            StockGuard::None => (None, None, None),
            StockGuard::Unseen { version, bounds } => (Some(version), bounds, bounds),
            StockGuard::Shown { version, stock } => (Some(version), Some((stock, stock)), None),
        };
        let is_shown = matches!(guard, StockGuard::Shown { .. });
        self.stamps.push(next.filter(|_| is_shown).map(NextVersion::stamp));
        self.versions.push(version.map(u64::cast_signed));
        self.least.push(before.map(|(least, _)| least.into()));
        self.most.push(before.map(|(_, most)| most.into()));
        self.least_after.push(after.map(|(least, _)| least.into()));
        self.most_after.push(after.map(|(_, most)| most.into()));
    }
}

/// Saves changes of stocks, unless one comes to something else than was decided: then all begins again. A product
/// whose change clients see gets the next version.
pub(super) async fn save(
    database: &Transaction,
    tenant: &str,
    changes: &[StockChange],
    next: Option<&NextVersion>,
) -> Outcome<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let mut columns = Columns::default();
    for change in changes {
        columns.push(change, next);
    }
    let ((), updated) =
        both(lock(database, tenant, &columns.ids), update(database, tenant, &columns)).await?;
    if updated == changes.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
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

async fn update(database: &Transaction, tenant: &str, columns: &Columns<'_>) -> Outcome<u64> {
    let update = "UPDATE products SET stock = products.stock + given.stock,
             reserved = products.reserved + given.reserved,
             stock_supplied = products.stock_supplied + given.supplied,
             version = coalesce(given.stamp, products.version)
         FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                 $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
             AS given (id, stock, reserved, supplied, stamp, version, least, most, least_after, most_after)
         WHERE products.tenant_id = $1 AND products.id = given.id
             AND products.reserved + given.reserved >= 0
             AND (given.version IS NULL OR products.version = given.version)
             AND (given.least IS NULL OR products.stock BETWEEN given.least AND given.most)
             AND (given.least_after IS NULL
                 OR products.stock + given.stock BETWEEN given.least_after AND given.most_after)";
    let Columns { ids, stocks, reserved, supplied, stamps, versions, least, most, least_after, most_after } =
        columns;
    database
        .execute(
            update,
            &[
                &tenant,
                ids,
                stocks,
                reserved,
                supplied,
                stamps,
                versions,
                least,
                most,
                least_after,
                most_after,
            ],
        )
        .await
}
