//! The row of an order.

use pointbook_domain::{Order, OrderId, Timestamp};
use rusqlite::{Connection, Transaction, params};

use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::{count, wrong};
use crate::{select, statement};

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
