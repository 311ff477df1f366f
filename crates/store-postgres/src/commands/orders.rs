//! Orders that commands hold, place and close.

use std::collections::BTreeSet;

use pointbook_app::commands::Facts;
use pointbook_domain::{Order, OrderId, OrderStatus, Timestamp};
use pointbook_schema::{Dialect, OnConflict, Statement, select, statement};
use tokio_postgres::Row;

use super::hold::{Hold, locking};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row::{self, wrong};

/// Reads orders, which no other transaction changes before the end of this one.
pub(super) async fn hold(
    database: &Transaction,
    tenant: &str,
    orders: &BTreeSet<OrderId>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    let select = locking!(Order, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE");
    hold.rows(database, tenant, select, orders.iter().map(OrderId::as_str).collect()).await
}

/// Which of these strings are ids of orders, of any user.
pub(super) async fn known(
    database: &Transaction,
    tenant: &str,
    names: &BTreeSet<String>,
) -> Outcome<Vec<Row>> {
    let select = "SELECT id FROM orders WHERE tenant_id = $1 AND id = ANY ($2::text[])";
    database.rows_by(select, tenant, names.iter().map(String::as_str).collect()).await
}

/// Puts the rows of [`known`] among the facts.
pub(super) fn put_names(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let (id,) = row::read_as(("orders", 1), row)?;
        facts.put_order_name(id, true);
    }
    Ok(())
}

/// Adds orders; their ids and numbers are new.
pub(super) async fn insert(database: &Transaction, tenant: &str, orders: &[Order]) -> Outcome<()> {
    let insert = statement!(Statement::insert::<Order>(Dialect::Postgres, OnConflict::Fail));
    database.write(insert, tenant, orders).await.map(drop)
}

/// How an order was closed.
type Close<'o> = (&'o OrderId, OrderStatus, Option<Timestamp>, Option<Timestamp>);

/// Closes orders that are held and placed.
pub(super) async fn close(database: &Transaction, tenant: &str, orders: &[Order]) -> Outcome<()> {
    let Some(first) = orders.first() else { return Ok(()) };
    let update = statement!(Statement::of_arrays::<Close<'_>>(
        "UPDATE orders SET status = given.status, fulfilled_at = given.fulfilled_at,
             cancelled_at = given.cancelled_at
         FROM unnest({arrays}) AS given (id, status, fulfilled_at, cancelled_at)
         WHERE orders.tenant_id = $1 AND orders.id = given.id AND orders.status = 'placed'"
    ));
    let rows: Vec<Close<'_>> = orders
        .iter()
        .map(|order| (&order.id, order.status, order.fulfilled_at, order.cancelled_at))
        .collect();
    if database.write(update, tenant, &rows).await? == orders.len() as u64 {
        return Ok(());
    }
    Err(wrong("orders", first.id.as_str(), "or one beside it is no longer placed, as it was read"))
}
