//! Lists of orders.

use pointbook_app::ports::{OrderFilter, PageOf};
use pointbook_domain::{Order, OrderId, OrderStatus, PageRequest, ProductId, Timestamp, UserId};
use pointbook_schema::{pages, select};

use crate::connection::{Connection, Params};
use crate::error::Outcome;

pub(super) async fn find(database: &Connection, tenant: &str, id: &OrderId) -> Outcome<Option<Order>> {
    let select = select!(Order, "WHERE tenant_id = $1 AND id = $2");
    database.one(select, &[&tenant, &id.as_str()]).await
}

/// The newest orders first.
macro_rules! newest {
    ($bounds:literal) => {
        concat!("ORDER BY created_at DESC, id DESC ", $bounds)
    };
}

/// Reads a page of any list. To be called inside a read transaction.
pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    filter: &OrderFilter,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    let (id, status) = (filter.user_id.as_ref().map(UserId::as_str), filter.status.map(OrderStatus::as_str));
    match (id, status) {
        (Some(user), None) => {
            let of_user =
                pages!(Order, "WHERE tenant_id = $1 AND user_id = $2", newest!("LIMIT $3 OFFSET $4"));
            database.page(of_user, &[&tenant, &user], page).await
        }
        (Some(user), Some(status)) => {
            let which = pages!(
                Order,
                "WHERE tenant_id = $1 AND user_id = $2 AND status = $3",
                newest!("LIMIT $4 OFFSET $5")
            );
            database.page(which, &[&tenant, &user, &status], page).await
        }
        (None, Some(status)) => {
            let in_status =
                pages!(Order, "WHERE tenant_id = $1 AND status = $2", newest!("LIMIT $3 OFFSET $4"));
            database.page(in_status, &[&tenant, &status], page).await
        }
        (None, None) => {
            let all = pages!(Order, "WHERE tenant_id = $1", newest!("LIMIT $2 OFFSET $3"));
            database.page(all, &[&tenant], page).await
        }
    }
}

/// The products with the most pieces in orders, of those that clients may see, the most ordered first.
/// Pieces are counted before products are looked at, each of them once.
pub(super) async fn most_ordered(
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
