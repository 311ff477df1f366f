//! An order and its row.

use pointbook_domain::{
    Order, OrderId, OrderStatus, OrderedProduct, Points, Price, ProductId, Quantity, UserId,
};
use tokio_postgres::Row;

use crate::connection::Connection;
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
