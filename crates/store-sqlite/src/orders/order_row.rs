//! An order and its row.

use pointbook_domain::{
    Order, OrderId, OrderStatus, OrderedProduct, Points, Price, ProductId, Quantity, Timestamp, UserId,
};
use rusqlite::{Connection, Row, Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, timestamp, wrong};

/// The statement that selects orders, as [`read`] takes them: where and in which order is the caller's.
macro_rules! select_orders {
    ($which:literal) => {
        concat!(
            "SELECT id, number, user_id, product_id, product_sku, product_title, product_price, quantity, points,
                 takes_stock, status, created_at, fulfilled_at, cancelled_at
             FROM orders ",
            $which
        )
    };
}
pub(crate) use select_orders;

/// The order with this id.
pub(crate) fn find(database: &Connection, tenant: &str, id: &OrderId) -> Outcome<Option<Order>> {
    let mut select = database.prepare_cached(select_orders!("WHERE tenant_id = ?1 AND id = ?2"))?;
    let mut rows = select.query([tenant, id.as_str()])?;
    rows.next()?.map(read).transpose()
}

/// Whether an order of any user has this id.
pub(crate) fn has_id(database: &Connection, tenant: &str, id: &str) -> Outcome<bool> {
    let mut select =
        database.prepare_cached("SELECT EXISTS (SELECT 1 FROM orders WHERE tenant_id = ?1 AND id = ?2)")?;
    Ok(select.query_row([tenant, id], |row| row.get(0))?)
}

/// Whether an order of any user takes or gives back points under this source id.
pub(crate) fn has_source(database: &Connection, tenant: &str, source: &str) -> Outcome<bool> {
    let mut select = database
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM orders WHERE tenant_id = ?1 AND id IN (?2, ?3))")?;
    let [id, refunded] = OrderId::candidates(source);
    Ok(select.query_row([tenant, id, refunded], |row| row.get(0))?)
}

/// Reads a row of a statement that selects the columns in this order.
pub(crate) fn read(row: &Row<'_>) -> Outcome<Order> {
    let record = Record::new("orders", 1, row);
    Ok(Order {
        id: record.read(0, |id: Box<str>| OrderId::new(id))?,
        number: record.get(1)?,
        user_id: record.read(2, |id: Box<str>| UserId::new(id))?,
        product: OrderedProduct {
            id: record.read(3, |id: Box<str>| ProductId::new(id))?,
            sku: record.get(4)?,
            title: record.get(5)?,
            price: record.read(6, Price::new)?,
        },
        quantity: record.read(7, Quantity::new)?,
        points: record.read(8, Points::new)?,
        takes_stock: record.get(9)?,
        status: record.parse(10, OrderStatus::parse)?,
        created_at: record.read(11, timestamp)?,
        fulfilled_at: record.read_optional(12, timestamp)?,
        cancelled_at: record.read_optional(13, timestamp)?,
    })
}

/// Adds an order; its id and its number are new.
pub(crate) fn insert(database: &Transaction<'_>, tenant: &str, order: &Order) -> Outcome<()> {
    let Order { id, number, user_id, product, quantity, points, .. } = order;
    let Order { takes_stock, status, created_at, fulfilled_at, cancelled_at, .. } = order;
    let OrderedProduct { id: product_id, sku, title, price } = product;
    let mut insert = database.prepare_cached(
        "INSERT INTO orders (tenant_id, id, number, user_id, product_id, product_sku, product_title, product_price,
             quantity, points, takes_stock, status, created_at, fulfilled_at, cancelled_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )?;
    insert.execute(params![
        tenant,
        id.as_str(),
        number,
        user_id.as_str(),
        product_id.as_str(),
        sku,
        title,
        price.get(),
        quantity.get(),
        points.get(),
        takes_stock,
        status.as_str(),
        created_at.as_micros(),
        fulfilled_at.map(Timestamp::as_micros),
        cancelled_at.map(Timestamp::as_micros),
    ])?;
    Ok(())
}

/// Closes an order that is placed.
pub(crate) fn close(database: &Transaction<'_>, tenant: &str, order: &Order) -> Outcome<()> {
    let mut update = database.prepare_cached(
        "UPDATE orders SET status = ?3, fulfilled_at = ?4, cancelled_at = ?5
         WHERE tenant_id = ?1 AND id = ?2 AND status = 'placed'",
    )?;
    let updated = update.execute(params![
        tenant,
        order.id.as_str(),
        order.status.as_str(),
        order.fulfilled_at.map(Timestamp::as_micros),
        order.cancelled_at.map(Timestamp::as_micros),
    ])?;
    match updated {
        1 => Ok(()),
        _ => Err(wrong("orders", order.id.as_str(), "is no longer placed, as it was read")),
    }
}
