//! What a reader knows of the feed: every event by its position, and the ledger that follows from the events.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::client::Client;
use super::ledger::{Key, exported, read_row};
use super::request::Status;
use super::setup::CrashSetup;

/// The events of a feed from position 1 on.
#[derive(Default)]
pub(super) struct EventBook {
    /// A fingerprint of each event; the first one is of position 1.
    prints: Vec<u64>,
    rows: HashMap<Key, (i64, i64)>,
    /// The positions of the events of transactions.
    transactions: HashSet<u64>,
    /// The last `seq` and the balance after it, by user.
    accounts: HashMap<String, (u64, i64)>,
    users: HashSet<String>,
    orders: HashMap<String, Status>,
}

impl EventBook {
    /// Takes an event. Returns `false` for one that was read before.
    ///
    /// # Errors
    /// When a position is missing, has another event than before, or an event contradicts an earlier one.
    pub(super) fn take(&mut self, event: &Value) -> Result<bool> {
        let position = event["position"].as_u64().context("no position")?;
        let place = usize::try_from(position)?.checked_sub(1).context("position 0")?;
        let print = fingerprint(event);
        if let Some(known) = self.prints.get(place) {
            ensure!(*known == print, "position {position} had another event before");
            return Ok(false);
        }
        let next = self.prints.len() + 1;
        ensure!(place + 1 == next, "a gap: position {next} is missing before {position}");
        self.prints.push(print);
        self.note(event)?;
        Ok(true)
    }

    pub(super) fn events(&self) -> usize {
        self.prints.len()
    }

    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn transactions(&self) -> HashSet<u64> {
        self.transactions.clone()
    }

    fn note(&mut self, event: &Value) -> Result<()> {
        let data = &event["data"];
        match event["type"].as_str().context("no type")? {
            "transaction.recorded" | "transaction.reversed" => {
                self.transactions.extend(event["position"].as_u64());
                self.note_row(data)
            }
            "user.created" => {
                let is_new = self.users.insert(text(&data["user_id"])?);
                ensure!(is_new, "the user was created before");
                Ok(())
            }
            "order.placed" => self.note_order(data, Status::Placed),
            "order.fulfilled" => self.note_order(data, Status::Fulfilled),
            "order.cancelled" => self.note_order(data, Status::Cancelled),
            _ => Ok(()),
        }
    }

    /// The rows of a user come in the order of `seq`, after the user, each with the balance of all rows so far.
    fn note_row(&mut self, data: &Value) -> Result<()> {
        let (key, amounts) = read_row(data)?;
        ensure!(self.users.contains(&key.0), "the row comes before its user");
        let (seq, balance) = self.accounts.entry(key.0.clone()).or_default();
        let found = data["seq"].as_u64().context("no seq")?;
        ensure!(found == *seq + 1, "the row of seq {seq} was followed by that of {found}");
        (*seq, *balance) = (found, *balance + amounts.0 + amounts.1);
        ensure!(data["balance_after"] == *balance, "the rows so far make {balance}");
        ensure!(self.rows.insert(key, amounts).is_none(), "the row has two positions");
        Ok(())
    }

    fn note_order(&mut self, data: &Value, status: Status) -> Result<()> {
        let before = self.orders.insert(text(&data["order_id"])?, status);
        let expected = (status != Status::Placed).then_some(Status::Placed);
        ensure!(before == expected, "the order was {before:?} before");
        Ok(())
    }

    /// Whether another reader read the same events, as far as it came.
    pub(super) fn compare_events(&self, other: &Self) -> Result<()> {
        let differing = self.prints.iter().zip(&other.prints).position(|(one, other)| one != other);
        ensure!(differing.is_none(), "two readers read different events after position {differing:?}");
        ensure!(self.events() == other.events(), "{} events, and {} before", self.events(), other.events());
        Ok(())
    }

    /// Compares with all exported rows of the ledger, and returns their number.
    pub(super) fn compare_ledger(&self, setup: &CrashSetup) -> Result<usize> {
        let rows = exported(setup)?;
        for (key, amounts) in &rows {
            let found = self.rows.get(key);
            ensure!(found == Some(amounts), "the ledger has {key:?} with {amounts:?}, the feed {found:?}");
        }
        let count = rows.len();
        ensure!(count == self.rows.len(), "{count} rows, and events of {}", self.rows.len());
        Ok(count)
    }

    /// Compares with the orders of all clients, and returns their number.
    pub(super) fn compare_orders(&self, clients: &[Client]) -> Result<usize> {
        let orders = clients.iter().flat_map(|client| &client.book.orders);
        let mut count = 0;
        for (id, order) in orders {
            let found = self.orders.get(id);
            ensure!(
                found == Some(&order.status),
                "the order {id} is {:?}, the feed says {found:?}",
                order.status
            );
            count += 1;
        }
        ensure!(count == self.orders.len(), "{count} orders, and events of {}", self.orders.len());
        Ok(count)
    }
}

fn fingerprint(event: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    event.to_string().hash(&mut hasher);
    hasher.finish()
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().context("an event without an id")?.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn created(position: u64, user: &str) -> Value {
        json!({"position": position, "type": "user.created", "data": {"user_id": user}})
    }

    fn row(position: u64, seq: u64, balance: i64) -> Value {
        let data = json!({
            "user_id": "u", "type": "code", "source_id": format!("s-{seq}"), "points": 5, "seq": seq,
            "balance_after": balance,
        });
        json!({"position": position, "type": "transaction.recorded", "data": data})
    }

    fn book(events: &[Value]) -> (EventBook, Result<bool>) {
        let mut book = EventBook::default();
        let mut last = Ok(false);
        for event in events {
            last = book.take(event);
        }
        (book, last)
    }

    #[test]
    fn an_event_that_was_read_before_is_known_by_its_position() {
        let (book, last) = book(&[created(1, "u"), row(2, 1, 5), row(2, 1, 5)]);
        assert!(!last.unwrap());
        assert_eq!((book.events(), book.rows()), (2, 1));
    }

    #[test]
    fn a_gap_another_event_and_a_second_position_are_found() {
        assert!(book(&[created(1, "u"), row(3, 1, 5)]).1.is_err());
        assert!(book(&[created(1, "u"), created(1, "v")]).1.is_err());
        assert!(book(&[created(1, "u"), row(2, 1, 5), row(3, 1, 5)]).1.is_err());
        assert!(book(&[created(1, "u"), created(2, "u")]).1.is_err());
    }

    #[test]
    fn rows_out_of_order_and_wrong_balances_are_found() {
        assert!(book(&[row(1, 1, 5)]).1.is_err());
        assert!(book(&[created(1, "u"), row(2, 2, 5)]).1.is_err());
        assert!(book(&[created(1, "u"), row(2, 1, 6)]).1.is_err());
    }

    #[test]
    fn an_order_is_placed_before_its_step() {
        let event = |position: u64, kind: &str| json!({"position": position, "type": kind, "data": {"order_id": "o", "user_id": "u"}});
        assert!(book(&[event(1, "order.placed"), event(2, "order.cancelled")]).1.is_ok());
        assert!(book(&[event(1, "order.cancelled")]).1.is_err());
        assert!(book(&[event(1, "order.placed"), event(2, "order.placed")]).1.is_err());
    }
}
