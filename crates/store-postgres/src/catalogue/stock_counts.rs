//! The stock of products beside what their orders come to.

use pointbook_app::ports::StockCount;

use crate::connection::Connection;
use crate::error::Outcome;

/// One walk along the key, and for each product one along its orders in the index, which holds all that
/// is summed.
pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    after: &str,
    limit: u32,
) -> Outcome<Vec<StockCount>> {
    let select = "SELECT id, stock, stock_supplied, reserved, placed_pieces, taken_pieces
         FROM (
             SELECT tenant_id, id, stock, stock_supplied, reserved FROM products
             WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3
         ) AS counted CROSS JOIN LATERAL (
             SELECT coalesce(sum(quantity) FILTER (WHERE status = 'placed'), 0)::BIGINT AS placed_pieces,
                 coalesce(sum(quantity) FILTER (WHERE status <> 'cancelled' AND takes_stock), 0)::BIGINT
                     AS taken_pieces
             FROM orders WHERE orders.tenant_id = counted.tenant_id AND orders.product_id = counted.id
         ) AS summed
         ORDER BY id";
    database.all(select, &[&tenant, &after, &i64::from(limit)]).await
}
