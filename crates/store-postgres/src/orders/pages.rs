//! Lists of orders.

use pointbook_app::ports::{OrderFilter, PageOf};
use pointbook_domain::{Order, OrderId, OrderStatus, PageRequest, ProductId, Timestamp, UserId};
use pointbook_schema::select;

use crate::connection::{Connection, Params};
use crate::error::Outcome;
use crate::pipeline::both;

/// The order with this id.
pub(super) async fn find(database: &Connection, tenant: &str, id: &OrderId) -> Outcome<Option<Order>> {
    let select = select!(Order, "WHERE tenant_id = $1 AND id = $2");
    database.one(select, &[&tenant, &id.as_str()]).await
}

/// Reads a page of any list. To be called inside a read transaction.
pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    filter: &OrderFilter,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    match filter {
        OrderFilter { user_id: Some(user), status: None } => page_of_user(database, tenant, user, page).await,
        OrderFilter { user_id: Some(user), status: Some(status) } => {
            page_of_user_and_status(database, tenant, user, *status, page).await
        }
        OrderFilter { user_id: None, status: Some(status) } => {
            page_of_status(database, tenant, *status, page).await
        }
        OrderFilter { user_id: None, status: None } => page_of_all(database, tenant, page).await,
    }
}

async fn page_of_user(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    let counted = "SELECT count(*) FROM orders WHERE tenant_id = $1 AND user_id = $2";
    let listed = select!(
        Order,
        "WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4"
    );
    read_page(database, counted, listed, &[&tenant, &user.as_str()], page).await
}

async fn page_of_user_and_status(
    database: &Connection,
    tenant: &str,
    user: &UserId,
    status: OrderStatus,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    let counted = "SELECT count(*) FROM orders WHERE tenant_id = $1 AND user_id = $2 AND status = $3";
    let listed = select!(
        Order,
        "WHERE tenant_id = $1 AND user_id = $2 AND status = $3
         ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5"
    );
    read_page(database, counted, listed, &[&tenant, &user.as_str(), &status.as_str()], page).await
}

async fn page_of_status(
    database: &Connection,
    tenant: &str,
    status: OrderStatus,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    let counted = "SELECT count(*) FROM orders WHERE tenant_id = $1 AND status = $2";
    let listed = select!(
        Order,
        "WHERE tenant_id = $1 AND status = $2 ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4"
    );
    read_page(database, counted, listed, &[&tenant, &status.as_str()], page).await
}

async fn page_of_all(database: &Connection, tenant: &str, page: PageRequest) -> Outcome<PageOf<Order>> {
    let counted = "SELECT count(*) FROM orders WHERE tenant_id = $1";
    let listed = select!(Order, "WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3");
    read_page(database, counted, listed, &[&tenant], page).await
}

/// Counts the orders that these values choose, and reads those of the page: the second statement takes
/// limit and offset behind them.
async fn read_page(
    database: &Connection,
    counted: &str,
    listed: &str,
    chosen: Params<'_>,
    page: PageRequest,
) -> Outcome<PageOf<Order>> {
    // The largest page number and the largest size are 31 and 32 bits wide.
    let (size, offset) = (i64::from(page.size.get()), page.offset().cast_signed());
    let listed_values = [chosen, &[&size, &offset]].concat();
    let ((total,), items) =
        both(database.only("orders", counted, chosen), database.all(listed, &listed_values)).await?;
    Ok(PageOf { items, total })
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
