//! Finds the most ordered products, for sorting by popularity.

use async_trait::async_trait;
use pointbook_domain::{ProductId, Timestamp};

use crate::ports::{OrderStore, StoreResult};
use crate::postgres::connection::{Connection, Params};
use crate::postgres::error::Outcome;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;

#[async_trait]
impl OrderStore for PostgresTenant {
    async fn most_ordered(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<ProductId>> {
        self.access
            .read("most_ordered", |database| most_ordered(database, &self.id, since, limit).scoped())
            .await
    }
}

/// The visible products with the most ordered pieces, in descending order. The query sums pieces first, so that it looks
/// up each product only once.
async fn most_ordered(
    database: &Connection,
    tenant: &str,
    since: Timestamp,
    limit: u32,
) -> Outcome<Vec<ProductId>> {
    let select = "SELECT product_id, pieces FROM (
             SELECT product_id, sum(quantity) AS pieces FROM orders
             WHERE tenant_id = $1 AND created_at >= $2 AND status <> 'cancelled'
             GROUP BY product_id
         ) AS ordered JOIN products ON tenant_id = $1 AND id = product_id
         WHERE retired_at IS NULL AND active
         ORDER BY pieces DESC, product_id LIMIT $3";
    let params: Params<'_> = &[&tenant, &since.as_micros(), &i64::from(limit)];
    let rows: Vec<(ProductId,)> = database.all_of(("orders", 1), select, params).await?;
    Ok(rows.into_iter().map(|(product,)| product).collect())
}
