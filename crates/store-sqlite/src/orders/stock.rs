//! The pieces of a product that orders take and give back.

use pointbook_app::ports::NewOrder;
use pointbook_domain::product::Availability;
use pointbook_domain::{Order, Price, Product, ProductId};
use rusqlite::{Row, Transaction, params};

use crate::catalogue::NextVersion;
use crate::error::Outcome;
use crate::row::{Record, missing, timestamp, wrong};

/// The product that an order is for, unless it is retired. What an order has no use for (texts,
/// images, categories) is left out and stays empty.
pub(super) fn find_product(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
) -> Outcome<Option<Product>> {
    let mut select = database.prepare_cached(
        "SELECT id, sku, title, regular_price, sale_price, stock, popular, published_at, active
         FROM products WHERE tenant_id = ?1 AND id = ?2 AND retired_at IS NULL",
    )?;
    let mut rows = select.query([tenant, id.as_str()])?;
    rows.next()?.map(read).transpose()
}

fn read(row: &Row<'_>) -> Outcome<Product> {
    let record = Record::new("products", 1, row);
    Ok(Product {
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
    })
}

/// Takes and reserves the pieces of an order; true when clients see another catalogue then.
pub(super) fn take(
    database: &Transaction<'_>,
    tenant: &str,
    product: &Product,
    order: &NewOrder,
) -> Outcome<bool> {
    let pieces = order.quantity.get();
    let mut update = database.prepare_cached(
        "UPDATE products SET stock = stock - ?3, reserved = reserved + ?3
         WHERE tenant_id = ?1 AND id = ?2 AND (stock IS NULL OR stock - ?3 >= 0)",
    )?;
    let updated = update.execute(params![tenant, product.id.as_str(), pieces])?;
    if updated != 1 {
        return Err(wrong("products", product.id.as_str(), "fewer pieces are left than were read"));
    }
    let left = product.stock.map(|stock| stock.saturating_sub(pieces));
    let change = Change { product: &product.id, from: product.stock, to: left };
    change.show(database, tenant)
}

/// The pieces of an order went out: they are no longer reserved.
pub(super) fn release(database: &Transaction<'_>, tenant: &str, order: &Order) -> Outcome<()> {
    unreserve(database, tenant, order, 0, 0)
}

/// Gives back what an order took, where the stock is limited still; true when clients see another
/// catalogue then.
pub(super) fn give_back(database: &Transaction<'_>, tenant: &str, order: &Order) -> Outcome<bool> {
    let product = &order.product.id;
    let (stock, is_retired) = find_stock(database, tenant, product)?;
    let (Some(stock), true) = (stock, order.takes_stock) else {
        release(database, tenant, order)?;
        return Ok(false);
    };
    let left = stock.saturating_add(order.quantity.get());
    let given = left - stock;
    // Beyond the largest stock there is, pieces are given up: they count as never supplied.
    unreserve(database, tenant, order, given, order.quantity.get() - given)?;
    // Clients do not see a retired product, whatever is left of it.
    let change = Change { product, from: Some(stock), to: Some(left) };
    Ok(!is_retired && change.show(database, tenant)?)
}

/// Ends the reservation of an order's pieces, and gives some back to the stock.
fn unreserve(
    database: &Transaction<'_>,
    tenant: &str,
    order: &Order,
    given: u32,
    given_up: u32,
) -> Outcome<()> {
    let mut update = database.prepare_cached(
        "UPDATE products SET reserved = reserved - ?3, stock = stock + ?4, stock_supplied = stock_supplied - ?5
         WHERE tenant_id = ?1 AND id = ?2 AND reserved - ?3 >= 0",
    )?;
    let product = &order.product.id;
    match update.execute(params![tenant, product.as_str(), order.quantity.get(), given, given_up])? {
        1 => Ok(()),
        _ => Err(wrong("products", product.as_str(), "fewer pieces are reserved than were ordered")),
    }
}

/// What is left of a product, and whether it is retired.
fn find_stock(database: &Transaction<'_>, tenant: &str, product: &ProductId) -> Outcome<(Option<u32>, bool)> {
    let mut select = database
        .prepare_cached("SELECT id, stock, retired_at FROM products WHERE tenant_id = ?1 AND id = ?2")?;
    let mut rows = select.query([tenant, product.as_str()])?;
    let row = rows.next()?.ok_or_else(|| missing("products", product.as_str()))?;
    let record = Record::new("products", 1, row);
    Ok((record.get(1)?, record.read_optional(2, timestamp)?.is_some()))
}

/// How a stock changed.
struct Change<'p> {
    product: &'p ProductId,
    from: Option<u32>,
    to: Option<u32>,
}

impl Change<'_> {
    /// Stamps the product and raises the catalogue's version, if what is left is something else to
    /// clients; true then. Most orders change a number that clients do not see. The threshold is that of
    /// this transaction: one that came with the request may not be the tenant's any more.
    fn show(&self, database: &Transaction<'_>, tenant: &str) -> Outcome<bool> {
        if self.from == self.to {
            return Ok(false);
        }
        let (version, low_stock_threshold) = NextVersion::take_with_threshold(database, tenant)?;
        let class = |stock| Availability::of(stock, low_stock_threshold);
        if class(self.from) == class(self.to) {
            return Ok(false);
        }
        let mut stamp =
            database.prepare_cached("UPDATE products SET version = ?3 WHERE tenant_id = ?1 AND id = ?2")?;
        stamp.execute(params![tenant, self.product.as_str(), version.stamp()])?;
        version.raise(database, tenant)?;
        Ok(true)
    }
}
