//! The expected ledger, and its comparison with the rows in the database.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::client::Client;
use super::request::Status;
use super::setup::{CrashSetup, PRODUCTS};

/// A row of the ledger by its business key: user, type, source.
pub(super) type Key = (String, &'static str, String);

/// Points and bonus points of every expected row, and each user's sums.
#[derive(Default)]
pub(super) struct Ledger {
    rows: HashMap<Key, (i64, i64)>,
    pub(super) balances: HashMap<String, i64>,
}

impl Ledger {
    /// The ledger that follows from all acknowledged writes.
    pub(super) fn expected(setup: &CrashSetup, clients: &[Client]) -> Result<Self> {
        let mut ledger = Self::default();
        let recorded = clients.iter().flat_map(|client| client.book.activities.values());
        let mut ids = HashMap::new();
        for (activity, id) in recorded {
            let known = ids.entry((&activity.user, &activity.source_id)).or_insert(id);
            ensure!(*known == id, "{activity:?} was acknowledged under {known} and under {id}");
        }
        let recorded = clients.iter().flat_map(|client| client.book.activities.values());
        for activity in recorded.map(|(activity, _)| activity).chain(&setup.seeds) {
            let key = (activity.user.clone(), "code", activity.source_id.clone());
            ledger.add(key, activity.points, activity.bonus);
        }
        for (id, order) in clients.iter().flat_map(|client| &client.book.orders) {
            let user = &setup.customers[order.request.customer].user;
            ledger.add((user.clone(), "order", id.clone()), -order.points, 0);
            if order.status == Status::Cancelled {
                ledger.add((user.clone(), "order", format!("{id}:refund")), order.points, 0);
            }
        }
        Ok(ledger)
    }

    /// Adds a row. An existing row with this key is the same one, acknowledged to two clients.
    fn add(&mut self, key: Key, points: i64, bonus: i64) {
        let user = key.0.clone();
        if self.rows.insert(key, (points, bonus)).is_none() {
            *self.balances.entry(user).or_default() += points + bonus;
        }
    }

    /// Compares with all rows in the database and returns their number.
    pub(super) fn compare(&self, setup: &CrashSetup) -> Result<usize> {
        let rows = exported(setup)?;
        for (key, amounts) in &rows {
            let expected = self.rows.get(key);
            ensure!(expected == Some(amounts), "stored row {key:?} of {amounts:?}, expected {expected:?}");
        }
        let count = rows.len();
        ensure!(count == self.rows.len(), "{} rows are lost", self.rows.len() - count);
        Ok(count)
    }
}

/// Points and bonus points of all rows in the database.
pub(super) fn exported(setup: &CrashSetup) -> Result<Vec<(Key, (i64, i64))>> {
    let exported = setup.command(&["export", "activities", "--format", "jsonl"])?;
    exported.lines().map(|line| read_row(&serde_json::from_str(line)?)).collect()
}

/// A row by its business key, from an export or from an event.
pub(super) fn read_row(row: &Value) -> Result<(Key, (i64, i64))> {
    let text = |name: &str| Ok::<_, anyhow::Error>(row[name].as_str().context("not a string")?.to_owned());
    let kind = if row["type"] == "order" { "order" } else { "code" };
    let bonuses = row["bonus_breakdown"].as_array().into_iter().flatten();
    let bonus = bonuses.filter_map(|bonus| bonus["points"].as_i64()).sum();
    let points = row["points"].as_i64().context("no points")?;
    Ok(((text("user_id")?, kind, text("source_id")?), (points, bonus)))
}

/// Pieces of a product: left (`None` for unlimited), and in placed orders.
pub(super) fn expected_stock(product: &str, clients: &[Client]) -> (Option<i64>, i64) {
    let supplied = PRODUCTS.iter().find(|(id, ..)| *id == product).and_then(|(.., stock)| *stock);
    let orders = clients.iter().flat_map(|client| client.book.orders.values());
    let (mut taken, mut reserved) = (0, 0);
    for order in orders.filter(|order| order.request.product == product) {
        taken += if order.status == Status::Cancelled { 0 } else { order.request.quantity };
        reserved += if order.status == Status::Placed { order.request.quantity } else { 0 };
    }
    (supplied.map(|pieces| pieces - taken), reserved)
}
