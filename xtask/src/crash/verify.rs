//! After a restart: is everything there that was acknowledged, once, and nothing else?

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use pointbook_operate::http_client::{Call, Connection};
use serde_json::Value;

use super::client::{Client, Resolved};
use super::ledger::{Ledger, expected_stock};
use super::request::Request;
use super::setup::{CrashSetup, PRODUCTS, below_base};

/// Orders per page when all are read.
const ORDER_PAGE: usize = 100;

/// What was found to stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verified {
    pub(super) resolved: Resolved,
    pub(super) rows: usize,
    pub(super) orders: usize,
}

/// Resolves what has no answer, and compares the database with the books of all clients.
///
/// # Errors
/// Names the first difference.
pub(super) fn verify(setup: &CrashSetup, clients: &mut [Client], address: SocketAddr) -> Result<Verified> {
    // Before anything is sent again: a half-done order could be made whole by it.
    setup.command(&["audit"])?;
    let parts = each(clients, |client| client.resolve(setup, address))?;
    let mut resolved = Resolved::default();
    for part in parts {
        resolved.unanswered += part.unanswered;
        resolved.happened += part.happened;
    }
    each(clients, |client| repeat(client, setup, address))?;
    let mut reader = Reader { setup, connection: Connection::new(address) };
    let ledger = Ledger::expected(setup, clients)?;
    for (user, balance) in &ledger.balances {
        let data = reader.get(&format!("/v1/manage/users/{user}"))?;
        let found = &data["data"]["user_points"];
        ensure!(*found == *balance, "{user} has {found} points, acknowledged are {balance}");
    }
    for (product, ..) in PRODUCTS {
        let data = reader.get(&format!("/v1/manage/products/{product}"))?;
        let found = (data["data"]["stock"].as_i64(), data["data"]["reserved"].as_i64().unwrap_or(-1));
        let expected = expected_stock(product, clients);
        ensure!(found == expected, "{product}: stock and reserved {found:?}, acknowledged {expected:?}");
    }
    let orders = clients.iter().map(|client| client.book.orders.len()).sum();
    let total = reader.get("/v1/manage/orders?page[size]=1")?;
    ensure!(total["meta"]["total"] == orders, "{orders} orders are acknowledged, {}", total["meta"]);
    let rows = ledger.compare(setup)?;
    setup.command(&["audit"])?;
    Ok(Verified { resolved, rows, orders })
}

/// Sends what is fresh again, and reads the orders that it speaks of.
fn repeat(client: &mut Client, setup: &CrashSetup, address: SocketAddr) -> Result<()> {
    let fresh = client.repeat_fresh(setup, address)?;
    let placed: BTreeSet<&str> = fresh
        .iter()
        .filter_map(|request| match request {
            Request::Step(step) => Some(step.order.as_str()),
            Request::Order(order) => client.book.order_of(&order.key),
            Request::Activity(_) => None,
        })
        .collect();
    let mut reader = Reader { setup, connection: Connection::new(address) };
    for id in placed {
        let found = reader.get(&format!("/v1/manage/orders/{id}"))?;
        compare_order(client, &found["data"])?;
    }
    Ok(())
}

fn compare_order(client: &Client, found: &Value) -> Result<()> {
    let id = found["id"].as_str().context("an order without an id")?;
    let order = client.book.orders.get(id).with_context(|| format!("unknown order {id}"))?;
    let same = found["status"] == order.status.word() && found["points"] == order.points;
    ensure!(same, "acknowledged {order:?}, found {found}");
    Ok(())
}

/// Reads every order there is, and compares it.
pub(super) fn all_orders(setup: &CrashSetup, clients: &[Client], address: SocketAddr) -> Result<()> {
    let mut reader = Reader { setup, connection: Connection::new(address) };
    let (mut count, mut number) = (0, 1);
    loop {
        let page = reader.get(&format!("/v1/manage/orders?page[size]={ORDER_PAGE}&page[number]={number}"))?;
        for found in page["data"].as_array().context("no data")? {
            let id = found["id"].as_str().context("an order without an id")?;
            let owner = clients.iter().find(|client| client.book.orders.contains_key(id));
            compare_order(owner.with_context(|| format!("nobody placed {found}"))?, found)?;
            count += 1;
        }
        if page["links"]["next"].is_null() {
            break;
        }
        number += 1;
    }
    let known: usize = clients.iter().map(|client| client.book.orders.len()).sum();
    ensure!(count == known, "{known} orders are acknowledged, {count} are listed");
    Ok(())
}

/// Reads the histories of all customers: each must be answered.
pub(super) fn read_histories(setup: &CrashSetup, address: SocketAddr) -> Result<()> {
    let mut connection = Connection::new(address);
    for customer in &setup.customers {
        let path = below_base("/v1/user/point-history");
        let answer = connection.send(&Call::get(path, &customer.token))?;
        ensure!(answer.status == 200, "{}'s history: {} {}", customer.user, answer.status, answer.text());
    }
    Ok(())
}

/// Reads as the back office.
struct Reader<'g> {
    setup: &'g CrashSetup,
    connection: Connection,
}

impl Reader<'_> {
    fn get(&mut self, path: &str) -> Result<Value> {
        let call = Call::get(below_base(path), &self.setup.back_office);
        let answer = self.connection.send(&call)?;
        ensure!(answer.status == 200, "{path}: {} {}", answer.status, answer.text());
        answer.json()
    }
}

/// Lets every client do something at the same time.
pub(super) fn each<T: Send>(
    clients: &mut [Client],
    work: impl Fn(&mut Client) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = clients.iter_mut().map(|client| scope.spawn(move || work(client))).collect();
        let ended =
            threads.into_iter().map(|thread| thread.join().map_err(|_| anyhow!("a client panicked"))?);
        ended.collect()
    })
}
