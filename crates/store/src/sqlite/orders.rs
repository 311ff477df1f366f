//! The row of an order, and the products that are ordered most.

use async_trait::async_trait;
use pointbook_domain::{Order, OrderId, ProductId, Timestamp};
use rusqlite::{Connection, Transaction, params};

use crate::ports::{OrderStore, StoreResult};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::{count, wrong};
use crate::sqlite::store::SqliteTenant;
use crate::{select, statement};

#[async_trait]
impl OrderStore for SqliteTenant {
    async fn most_ordered(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<ProductId>> {
        let tenant = self.id.clone();
        self.access
            .read_catalogue("most_ordered", move |database| most_ordered(database, &tenant, since, limit))
            .await
    }
}

/// The visible products with the most ordered pieces, in descending order. The query sums pieces first, so that it looks
/// up each product only once.
fn most_ordered(
    database: &Connection,
    tenant: &str,
    since: Timestamp,
    limit: u32,
) -> Outcome<Vec<ProductId>> {
    let select = "SELECT product_id, pieces FROM (
             SELECT product_id, sum(quantity) AS pieces FROM orders
             WHERE tenant_id = ?1 AND created_at >= ?2 AND status <> 'cancelled'
             GROUP BY product_id
         ) AS ordered JOIN products ON tenant_id = ?1 AND id = product_id
         WHERE retired_at IS NULL AND active = 1
         ORDER BY pieces DESC, product_id LIMIT ?3";
    let rows: Vec<(ProductId,)> =
        row::all_of(("orders", 1), database, select, params![tenant, since.as_micros(), limit])?;
    Ok(rows.into_iter().map(|(product,)| product).collect())
}

pub(crate) fn find(database: &Connection, tenant: &str, id: &OrderId) -> Outcome<Option<Order>> {
    let select = select!(Order, "WHERE tenant_id = ?1 AND id = ?2");
    row::one(database, select, [tenant, id.as_str()])
}

/// Whether an order of any user has this id.
pub(crate) fn has_id(database: &Connection, tenant: &str, id: &str) -> Outcome<bool> {
    let select = "SELECT EXISTS (SELECT 1 FROM orders WHERE tenant_id = ?1 AND id = ?2)";
    Ok(count("orders", database, select, [tenant, id])? > 0)
}

/// Inserts an order. Fails when its id or number exists.
pub(crate) fn insert(database: &Transaction<'_>, tenant: &str, order: &Order) -> Outcome<()> {
    let insert = statement!(Statement::insert::<Order>(Dialect::Sqlite, OnConflict::Fail));
    row::write(database, insert, tenant, order).map(drop)
}

/// Closes a placed order.
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
        _ => Err(wrong("orders", order.id.as_str(), "is no longer placed")),
    }
}
