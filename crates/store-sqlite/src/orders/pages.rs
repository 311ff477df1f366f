//! Lists of orders.

use pointbook_app::ports::{OrderFilter, PageOf};
use pointbook_domain::{Order, OrderStatus, PageRequest, ProductId, Timestamp, UserId};
use rusqlite::{Connection, Params, params};

use super::order_row;
use crate::access::in_snapshot;
use crate::error::Outcome;
use crate::row::Record;

/// How many orders a user may have for a page of them to be read on the calling thread: counting and
/// passing over so many takes about a millisecond.
const MAX_SHORT_ROWS: u64 = 1_000;

/// A page of a user's orders, if the user has few.
pub(super) enum ShortPage {
    /// It is, and here it is.
    Read(PageOf<Order>),
    /// The user has too many, and no page was read yet.
    TooLong,
}

/// Reads a page of a user's orders unless there are many of them.
pub(super) fn short_page(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    status: Option<OrderStatus>,
    page: PageRequest,
) -> Outcome<ShortPage> {
    in_snapshot(database, |database| {
        if has_many(database, tenant, user)? {
            return Ok(ShortPage::TooLong);
        }
        Ok(ShortPage::Read(page_of_user(database, tenant, user, status, page)?))
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
            page_of_status(database, tenant, *status, page)
        }
        OrderFilter { user_id: None, status: None } => page_of_all(database, tenant, page),
    }
}

fn has_many(database: &Connection, tenant: &str, user: &UserId) -> Outcome<bool> {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM orders WHERE tenant_id = ?1 AND user_id = ?2 LIMIT ?3)";
    let found = total(database, sql, params![tenant, user.as_str(), MAX_SHORT_ROWS.cast_signed() + 1])?;
    Ok(found > MAX_SHORT_ROWS)
}

fn page_of_user(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    status: Option<OrderStatus>,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    let (user, status) = (user.as_str(), status.map(OrderStatus::as_str));
    let counted = "SELECT count(*) FROM orders
                   WHERE tenant_id = ?1 AND user_id = ?2 AND (?3 IS NULL OR status = ?3)";
    let listed =
        "SELECT id, number, user_id, product_id, product_sku, product_title, product_price, quantity, points,
                      takes_stock, status, created_at, fulfilled_at, cancelled_at
                  FROM orders WHERE tenant_id = ?1 AND user_id = ?2 AND (?3 IS NULL OR status = ?3)
                  ORDER BY created_at DESC, id DESC LIMIT ?4 OFFSET ?5";
    let total = total(database, counted, params![tenant, user, status])?;
    let Some((size, offset)) = window(page, total) else { return Ok(PageOf { items: Vec::new(), total }) };
    Ok(PageOf { items: select(database, listed, params![tenant, user, status, size, offset])?, total })
}

fn page_of_status(
    database: &Connection,
    tenant: &str,
    status: OrderStatus,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    let counted = "SELECT count(*) FROM orders WHERE tenant_id = ?1 AND status = ?2";
    let listed =
        "SELECT id, number, user_id, product_id, product_sku, product_title, product_price, quantity, points,
                      takes_stock, status, created_at, fulfilled_at, cancelled_at
                  FROM orders WHERE tenant_id = ?1 AND status = ?2
                  ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?4";
    let total = total(database, counted, params![tenant, status.as_str()])?;
    let Some((size, offset)) = window(page, total) else { return Ok(PageOf { items: Vec::new(), total }) };
    Ok(PageOf { items: select(database, listed, params![tenant, status.as_str(), size, offset])?, total })
}

fn page_of_all(database: &Connection, tenant: &str, page: PageRequest) -> Outcome<PageOf<Order>> {
    let counted = "SELECT count(*) FROM orders WHERE tenant_id = ?1";
    let listed =
        "SELECT id, number, user_id, product_id, product_sku, product_title, product_price, quantity, points,
                      takes_stock, status, created_at, fulfilled_at, cancelled_at
                  FROM orders WHERE tenant_id = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2 OFFSET ?3";
    let total = total(database, counted, params![tenant])?;
    let Some((size, offset)) = window(page, total) else { return Ok(PageOf { items: Vec::new(), total }) };
    Ok(PageOf { items: select(database, listed, params![tenant, size, offset])?, total })
}

/// Limit and offset of a page; none beyond the last.
fn window(page: PageRequest, total: u64) -> Option<(u32, i64)> {
    // The offset is below a count that was a signed number.
    (page.offset() < total).then(|| (page.size.get(), page.offset().cast_signed()))
}

fn total(database: &Connection, sql: &str, params: impl Params) -> Outcome<u64> {
    let counted: i64 = database.prepare_cached(sql)?.query_row(params, |row| row.get(0))?;
    Ok(counted.unsigned_abs())
}

fn select(database: &Connection, sql: &str, params: impl Params) -> Outcome<Vec<Order>> {
    let mut select = database.prepare_cached(sql)?;
    let mut rows = select.query(params)?;
    let mut orders = Vec::new();
    while let Some(row) = rows.next()? {
        orders.push(order_row::read(row)?);
    }
    Ok(orders)
}

/// The products with the most pieces in orders, the most ordered first.
pub(super) fn most_ordered(
    database: &Connection,
    tenant: &str,
    since: Timestamp,
    limit: u32,
) -> Outcome<Vec<ProductId>> {
    let mut select = database.prepare_cached(
        "SELECT product_id, sum(quantity) AS pieces FROM orders
         WHERE tenant_id = ?1 AND created_at >= ?2 AND status <> 'cancelled'
         GROUP BY product_id ORDER BY pieces DESC, product_id LIMIT ?3",
    )?;
    let mut rows = select.query(params![tenant, since.as_micros(), limit])?;
    let mut products = Vec::new();
    while let Some(row) = rows.next()? {
        products.push(Record::new("orders", 1, row).read(0, |id: Box<str>| ProductId::new(id))?);
    }
    Ok(products)
}
