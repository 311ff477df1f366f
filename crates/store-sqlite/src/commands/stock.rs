//! The pieces of products that orders take and give back.

use pointbook_app::commands::{ProductFacts, StockChange, StockGuard};
use pointbook_domain::{Price, Product, ProductId};
use rusqlite::{Row, Transaction, params};

use crate::catalogue::NextVersion;
use crate::error::Outcome;
use crate::row::{Record, count, timestamp, wrong};

/// A product as orders need it, retired or not.
pub(super) fn find(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
) -> Outcome<Option<ProductFacts>> {
    let mut select = database.prepare_cached(
        "SELECT id, sku, title, regular_price, sale_price, stock, popular, published_at, active,
             retired_at IS NOT NULL, reserved, products.version, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = products.tenant_id
         WHERE products.tenant_id = ?1 AND id = ?2",
    )?;
    let mut rows = select.query([tenant, id.as_str()])?;
    rows.next()?.map(read).transpose()
}

fn read(row: &Row<'_>) -> Outcome<ProductFacts> {
    let record = Record::new("products", 1, row);
    let product = Product {
        id: record.read(0, |id: Box<str>| ProductId::new(id))?,
        sku: record.get(1)?,
        title: record.get(2)?,
        description: String::new(),
        description_source: String::new(),
        regular_price: record.read(3, Price::new)?,
        sale_price: record.read_optional(4, Price::new)?,
        thumbnail: String::new(),
        gallery: Vec::new(),
        categories: Vec::new(),
        stock: record.get(5)?,
        popular: record.get(6)?,
        published_at: record.read(7, timestamp)?,
        active: record.get(8)?,
    };
    Ok(ProductFacts {
        product,
        is_retired: record.get(9)?,
        reserved: record.get(10)?,
        version: record.read(11, count)?,
        low_stock_threshold: record.get(12)?,
    })
}

/// Saves a change. Where clients see it, the product gets this version.
pub(super) fn save(
    database: &Transaction<'_>,
    tenant: &str,
    change: &StockChange,
    next: Option<&NextVersion>,
) -> Outcome<()> {
    let StockChange { product_id, stock, reserved, supplied, guard } = change;
    let (version, least, most) = bounds(guard);
    let stamp = next.filter(|_| is_shown(guard)).map(NextVersion::stamp);
    let mut update = database.prepare_cached(
        "UPDATE products SET stock = stock + ?3, reserved = reserved + ?4,
             stock_supplied = stock_supplied + ?5, version = coalesce(?6, version)
         WHERE tenant_id = ?1 AND id = ?2 AND reserved + ?4 >= 0 AND (?7 IS NULL OR version = ?7)
             AND (?8 IS NULL OR stock BETWEEN ?8 AND ?9)",
    )?;
    let id = product_id.as_str();
    let given = params![tenant, id, stock, reserved, supplied, stamp, version, least, most];
    match update.execute(given)? {
        1 => Ok(()),
        _ => Err(wrong("products", id, "is not as it was read")),
    }
}

fn is_shown(guard: &StockGuard) -> bool {
    matches!(guard, StockGuard::Shown { .. })
}

/// The version that the row must have, and the least and the largest stock.
fn bounds(guard: &StockGuard) -> (Option<i64>, Option<u32>, Option<u32>) {
    match *guard {
        StockGuard::None => (None, None, None),
        StockGuard::Unseen { version, bounds } => {
            (Some(version.cast_signed()), bounds.map(|(least, _)| least), bounds.map(|(_, most)| most))
        }
        StockGuard::Shown { version, stock } => (Some(version.cast_signed()), Some(stock), Some(stock)),
    }
}
