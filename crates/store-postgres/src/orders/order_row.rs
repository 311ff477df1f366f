//! An order and its row.

use std::collections::HashSet;

use pointbook_domain::{
    Order, OrderId, OrderStatus, OrderedProduct, Points, Price, ProductId, Quantity, Timestamp, UserId,
};
use tokio_postgres::Row;

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::row::{Record, timestamp};

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
pub(super) async fn find(database: &Connection, tenant: &str, id: &OrderId) -> Outcome<Option<Order>> {
    let select = select_orders!("WHERE tenant_id = $1 AND id = $2");
    database.row(select, &[&tenant, &id.as_str()]).await?.as_ref().map(read).transpose()
}

/// The order with this id, which nobody else changes until the end of the transaction.
pub(super) async fn lock(database: &Transaction, tenant: &str, id: &OrderId) -> Outcome<Option<Order>> {
    let select = select_orders!("WHERE tenant_id = $1 AND id = $2 FOR UPDATE");
    database.row(select, &[&tenant, &id.as_str()]).await?.as_ref().map(read).transpose()
}

/// Which of these ids orders have, whoever's.
pub(crate) async fn known(database: &Connection, tenant: &str, ids: &[&str]) -> Outcome<HashSet<String>> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let select = "SELECT id FROM orders WHERE tenant_id = $1 AND id = ANY ($2::text[])";
    let rows = database.rows(select, &[&tenant, &ids]).await?;
    rows.iter().map(|row| Record::new("orders", 1, row).get(0)).collect()
}

/// Reads a row of a statement that selects the columns in this order.
pub(crate) fn read(row: &Row) -> Outcome<Order> {
    let record = Record::new("orders", 1, row);
    Ok(Order {
        id: record.read(0, |id: &str| OrderId::new(id))?,
        number: record.get(1)?,
        user_id: record.read(2, |id: &str| UserId::new(id))?,
        product: OrderedProduct {
            id: record.read(3, |id: &str| ProductId::new(id))?,
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
pub(super) async fn insert(database: &Transaction, tenant: &str, order: &Order) -> Outcome<()> {
    let Order { id, number, user_id, product, quantity, points, .. } = order;
    let Order { takes_stock, status, created_at, fulfilled_at, cancelled_at, .. } = order;
    let OrderedProduct { id: product_id, sku, title, price } = product;
    let insert = "INSERT INTO orders (tenant_id, id, number, user_id, product_id, product_sku, product_title,
             product_price, quantity, points, takes_stock, status, created_at, fulfilled_at, cancelled_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
    database
        .execute(
            insert,
            &[
                &tenant,
                &id.as_str(),
                number,
                &user_id.as_str(),
                &product_id.as_str(),
                sku,
                title,
                &price.get(),
                &i64::from(quantity.get()),
                &points.get(),
                takes_stock,
                &status.as_str(),
                &created_at.as_micros(),
                &fulfilled_at.map(Timestamp::as_micros),
                &cancelled_at.map(Timestamp::as_micros),
            ],
        )
        .await?;
    Ok(())
}

/// Writes where a placed order stands now; false when it is not placed any more.
pub(super) async fn leave_placed(database: &Transaction, tenant: &str, order: &Order) -> Outcome<bool> {
    let Order { id, status, fulfilled_at, cancelled_at, .. } = order;
    let update = "UPDATE orders SET status = $3, fulfilled_at = $4, cancelled_at = $5
                  WHERE tenant_id = $1 AND id = $2 AND status = 'placed'";
    let fulfilled_at = fulfilled_at.map(Timestamp::as_micros);
    let cancelled_at = cancelled_at.map(Timestamp::as_micros);
    let updated = database
        .execute(update, &[&tenant, &id.as_str(), &status.as_str(), &fulfilled_at, &cancelled_at])
        .await?;
    Ok(updated == 1)
}
