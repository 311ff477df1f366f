//! Orders that commands hold, place and close.

use std::collections::BTreeSet;

use pointbook_app::commands::Facts;
use pointbook_domain::{Order, OrderId, OrderedProduct, Timestamp};
use tokio_postgres::Row;

use super::accounts::Hold;
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::orders::select_orders;
use crate::row::{Record, wrong};

/// Reads orders, which no other transaction changes before the end of this one.
pub(super) async fn hold(
    database: &Transaction,
    tenant: &str,
    orders: &BTreeSet<OrderId>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = orders.iter().map(OrderId::as_str).collect();
    let select = match hold {
        Hold::Waiting => {
            select_orders!("WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE")
        }
        Hold::Skipping => {
            select_orders!(
                "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE SKIP LOCKED"
            )
        }
    };
    database.rows(select, &[&tenant, &ids]).await
}

/// Which of these strings are ids of orders, of any user.
pub(super) async fn known(
    database: &Transaction,
    tenant: &str,
    names: &BTreeSet<String>,
) -> Outcome<Vec<Row>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let select = "SELECT id FROM orders WHERE tenant_id = $1 AND id = ANY ($2::text[])";
    database.rows(select, &[&tenant, &names]).await
}

/// Puts the rows of [`known`] among the facts.
pub(super) fn put_names(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        facts.put_order_name(Record::new("orders", 1, row).get(0)?, true);
    }
    Ok(())
}

/// New orders, by column.
#[derive(Default)]
struct Columns<'o> {
    ids: Vec<&'o str>,
    numbers: Vec<&'o str>,
    users: Vec<&'o str>,
    products: Vec<&'o str>,
    skus: Vec<&'o str>,
    titles: Vec<&'o str>,
    prices: Vec<i64>,
    quantities: Vec<i64>,
    points: Vec<i64>,
    takes_stock: Vec<bool>,
    statuses: Vec<&'o str>,
    created_at: Vec<i64>,
    fulfilled_at: Vec<Option<i64>>,
    cancelled_at: Vec<Option<i64>>,
}

impl<'o> Columns<'o> {
    fn push(&mut self, order: &'o Order) {
        let Order { id, number, user_id, product, quantity, points, .. } = order;
        let Order { takes_stock, status, created_at, fulfilled_at, cancelled_at, .. } = order;
        let OrderedProduct { id: product_id, sku, title, price } = product;
        self.ids.push(id.as_str());
        self.numbers.push(number);
        self.users.push(user_id.as_str());
        self.products.push(product_id.as_str());
        self.skus.push(sku);
        self.titles.push(title);
        self.prices.push(price.get());
        self.quantities.push(i64::from(quantity.get()));
        self.points.push(points.get());
        self.takes_stock.push(*takes_stock);
        self.statuses.push(status.as_str());
        self.created_at.push(created_at.as_micros());
        self.fulfilled_at.push(fulfilled_at.map(Timestamp::as_micros));
        self.cancelled_at.push(cancelled_at.map(Timestamp::as_micros));
    }
}

/// Adds orders; their ids and numbers are new.
pub(super) async fn insert(database: &Transaction, tenant: &str, orders: &[Order]) -> Outcome<()> {
    if orders.is_empty() {
        return Ok(());
    }
    let mut columns = Columns::default();
    for order in orders {
        columns.push(order);
    }
    database
        .execute(
            "INSERT INTO orders (tenant_id, id, number, user_id, product_id, product_sku, product_title,
                 product_price, quantity, points, takes_stock, status, created_at, fulfilled_at, cancelled_at)
             SELECT $1, given.*
             FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
                 $9::bigint[], $10::bigint[], $11::boolean[], $12::text[], $13::bigint[], $14::bigint[],
                 $15::bigint[]) AS given",
            &[
                &tenant,
                &columns.ids,
                &columns.numbers,
                &columns.users,
                &columns.products,
                &columns.skus,
                &columns.titles,
                &columns.prices,
                &columns.quantities,
                &columns.points,
                &columns.takes_stock,
                &columns.statuses,
                &columns.created_at,
                &columns.fulfilled_at,
                &columns.cancelled_at,
            ],
        )
        .await?;
    Ok(())
}

/// Closes orders that are held and placed.
pub(super) async fn close(database: &Transaction, tenant: &str, orders: &[Order]) -> Outcome<()> {
    let Some(first) = orders.first() else { return Ok(()) };
    let mut columns = Columns::default();
    for order in orders {
        columns.push(order);
    }
    let update = "UPDATE orders SET status = given.status, fulfilled_at = given.fulfilled_at,
             cancelled_at = given.cancelled_at
         FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])
             AS given (id, status, fulfilled_at, cancelled_at)
         WHERE orders.tenant_id = $1 AND orders.id = given.id AND orders.status = 'placed'";
    let Columns { ids, statuses, fulfilled_at, cancelled_at, .. } = &columns;
    let closed = database.execute(update, &[&tenant, ids, statuses, fulfilled_at, cancelled_at]).await?;
    if closed == orders.len() as u64 {
        return Ok(());
    }
    Err(wrong("orders", first.id.as_str(), "or one beside it is no longer placed, as it was read"))
}
