//! Reads and changes the stock of products for orders.

use pointbook_domain::ProductId;
use rusqlite::{Transaction, params};

use crate::commands::{ProductFacts, StockChange, StockGuard};
use crate::schema::Group;
use crate::schema::rows::ProductOffer;
use crate::sql;
use crate::sqlite::catalogue::NextVersion;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::wrong;

/// Finds the product facts for an order, even of a retired product.
pub(super) fn find(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
) -> Outcome<Option<ProductFacts>> {
    let select = sql!(format!(
        "SELECT {}, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = products.tenant_id
         WHERE products.tenant_id = ?1 AND id = ?2",
        ProductOffer::names_of("products")
    ));
    let found = row::one_of(("products", 1), database, select, [tenant, id.as_str()])?;
    Ok(found.map(|(offer, low_stock_threshold)| ProductFacts::of(offer, low_stock_threshold)))
}

/// Saves a change. If clients see it, the product gets the version `next`.
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
        _ => Err(wrong("products", id, "has changed since it was read")),
    }
}

fn is_shown(guard: &StockGuard) -> bool {
    matches!(guard, StockGuard::Shown { .. })
}

/// The version that the row must have, and its minimum and maximum stock.
fn bounds(guard: &StockGuard) -> (Option<i64>, Option<u32>, Option<u32>) {
    match *guard {
        StockGuard::None => (None, None, None),
        StockGuard::Unseen { version, bounds } => {
            (Some(version.cast_signed()), bounds.map(|(least, _)| least), bounds.map(|(_, most)| most))
        }
        StockGuard::Shown { version, stock } => (Some(version.cast_signed()), Some(stock), Some(stock)),
    }
}
