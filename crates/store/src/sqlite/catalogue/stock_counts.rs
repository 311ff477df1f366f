//! Reads the stock of products together with the sums of their orders.

use rusqlite::{Connection, params};

use crate::ports::StockCount;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;

/// Reads products along the key, and the orders of each product in an index that has all summed columns.
pub(super) fn page(database: &Connection, tenant: &str, after: &str, limit: u32) -> Outcome<Vec<StockCount>> {
    let select = "SELECT products.id, products.stock, products.stock_supplied, products.reserved,
             coalesce(sum(orders.quantity) FILTER (WHERE orders.status = 'placed'), 0) AS placed_pieces,
             coalesce(sum(orders.quantity) FILTER (WHERE orders.status <> 'cancelled' AND orders.takes_stock = 1), 0)
                 AS taken_pieces
         FROM products LEFT JOIN orders
             ON orders.tenant_id = products.tenant_id AND orders.product_id = products.id
         WHERE products.tenant_id = ?1 AND products.id > ?2
         GROUP BY products.tenant_id, products.id ORDER BY products.tenant_id, products.id LIMIT ?3";
    row::all(database, select, params![tenant, after, limit])
}
