//! Lists of orders.

use pointbook_app::ports::{OrderFilter, PageOf};
use pointbook_domain::{Order, OrderStatus, PageRequest, ProductId, Timestamp, UserId};
use pointbook_schema::{pages, select};
use rusqlite::{Connection, params};

use crate::access::in_snapshot;
use crate::error::Outcome;
use crate::row;

/// How many orders a user may have for a page of them to be read on the calling thread: counting and
/// passing over so many takes about a millisecond.
const MAX_SHORT_ROWS: u64 = 1_000;

/// Reads a page of a user's orders; none when the user has many, and then none of them was read.
pub(super) fn short_page(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    status: Option<OrderStatus>,
    page: PageRequest,
) -> Outcome<Option<PageOf<Order>>> {
    in_snapshot(database, |database| {
        if has_many(database, tenant, user)? {
            return Ok(None);
        }
        page_of_user(database, tenant, user, status, page).map(Some)
    })
}

/// Reads a page of any list. To be called inside a read transaction.
pub(super) fn page(
    database: &Connection,
    tenant: &str,
    filter: &OrderFilter,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    match filter {
        OrderFilter { user_id: Some(user), status } => page_of_user(database, tenant, user, *status, page),
        OrderFilter { user_id: None, status: Some(status) } => {
            let in_status = pages!(
                Order,
                "WHERE tenant_id = ?1 AND status = ?2",
                "ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?4"
            );
            row::page(database, in_status, &[&tenant, &status.as_str()], page)
        }
        OrderFilter { user_id: None, status: None } => {
            let all =
                pages!(Order, "WHERE tenant_id = ?1", "ORDER BY created_at DESC, id DESC LIMIT ?2 OFFSET ?3");
            row::page(database, all, &[&tenant], page)
        }
    }
}

fn has_many(database: &Connection, tenant: &str, user: &UserId) -> Outcome<bool> {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM orders WHERE tenant_id = ?1 AND user_id = ?2 LIMIT ?3)";
    let found = row::count(
        "orders",
        database,
        sql,
        params![tenant, user.as_str(), MAX_SHORT_ROWS.cast_signed() + 1],
    )?;
    Ok(found > MAX_SHORT_ROWS)
}

fn page_of_user(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    status: Option<OrderStatus>,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    let counted = "SELECT count(*) FROM orders INDEXED BY orders_by_user
                   WHERE tenant_id = ?1 AND user_id = ?2 AND (?3 IS NULL OR status = ?3)";
    let listed = select!(
        Order,
        "WHERE tenant_id = ?1 AND user_id = ?2 AND (?3 IS NULL OR status = ?3)
         ORDER BY created_at DESC, id DESC LIMIT ?4 OFFSET ?5"
    );
    let (user, status) = (user.as_str(), status.map(OrderStatus::as_str));
    row::page(database, [counted, listed], &[&tenant, &user, &status], page)
}

/// The products with the most pieces in orders, of those that clients may see, the most ordered first.
/// Pieces are counted before products are looked at, each of them once.
pub(super) fn most_ordered(
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
