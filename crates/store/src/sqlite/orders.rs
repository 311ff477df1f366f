//! The products that are ordered most.

use async_trait::async_trait;
use pointbook_domain::{ProductId, Timestamp};
use rusqlite::{Connection, params};

use crate::ports::{OrderStore, StoreResult};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::store::SqliteTenant;

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
