//! The stock of products beside what their orders come to.

use pointbook_app::ports::StockCount;
use pointbook_domain::ProductId;
use rusqlite::{Connection, Row, params};

use crate::error::Outcome;
use crate::row::Record;

/// One walk along the key, and for each product one along its orders in the index, which holds all that
/// is summed.
pub(super) fn page(database: &Connection, tenant: &str, after: &str, limit: u32) -> Outcome<Vec<StockCount>> {
    let mut select = database.prepare_cached(
        "SELECT products.id, products.stock, products.stock_supplied, products.reserved,
             coalesce(sum(orders.quantity) FILTER (WHERE orders.status = 'placed'), 0) AS placed_pieces,
             coalesce(sum(orders.quantity) FILTER (WHERE orders.status <> 'cancelled' AND orders.takes_stock = 1), 0)
                 AS taken_pieces
         FROM products LEFT JOIN orders
             ON orders.tenant_id = products.tenant_id AND orders.product_id = products.id
         WHERE products.tenant_id = ?1 AND products.id > ?2
         GROUP BY products.tenant_id, products.id ORDER BY products.tenant_id, products.id LIMIT ?3",
    )?;
    let mut rows = select.query(params![tenant, after, limit])?;
    let mut counts = Vec::new();
    while let Some(row) = rows.next()? {
        counts.push(read(row)?);
    }
    Ok(counts)
}

fn read(row: &Row<'_>) -> Outcome<StockCount> {
    let record = Record::new("products", 1, row);
    Ok(StockCount {
        product_id: record.read(0, |id: Box<str>| ProductId::new(id))?,
        stock: record.get(1)?,
        supplied: record.get(2)?,
        reserved: record.get(3)?,
        placed_pieces: record.get(4)?,
        taken_pieces: record.get(5)?,
    })
}
