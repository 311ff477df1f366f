//! Verifies after a restart that every acknowledged write exists exactly once, and nothing else.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;
use xtask::operate::http_client::{Call, Connection};

use super::client::{Client, Resolved};
use super::ledger::{Ledger, expected_stock};
use super::request::Request;
use super::setup::{CrashSetup, PRODUCTS, below_base};

/// Orders per page when reading all of them.
const ORDER_PAGE: usize = 100;

/// The numbers of verified rows and requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verified {
    pub(super) resolved: Resolved,
    pub(super) rows: usize,
    pub(super) orders: usize,
}

/// Sends all requests without a response again, and compares the database with the journals of all clients.
///
/// # Errors
/// Names the first difference.
pub(super) fn verify(setup: &CrashSetup, clients: &mut [Client], address: SocketAddr) -> Result<Verified> {
    // Runs before any request is sent again, because a retry could complete an incomplete order.
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
        ensure!(*found == *balance, "{user} has {found} points, expected {balance}");
    }
    for (product, ..) in PRODUCTS {
        let data = reader.get(&format!("/v1/manage/products/{product}"))?;
        let found = (data["data"]["stock"].as_i64(), data["data"]["reserved"].as_i64().unwrap_or(-1));
        let expected = expected_stock(product, clients);
        ensure!(found == expected, "{product}: stock and reserved are {found:?}, expected {expected:?}");
    }
    let orders = clients.iter().map(|client| client.book.orders.len()).sum();
    let total = reader.get("/v1/manage/orders?page[size]=1")?;
    ensure!(total["meta"]["total"] == orders, "expected {orders} orders, found {}", total["meta"]);
    let rows = ledger.compare(setup)?;
    setup.command(&["audit"])?;
    Ok(Verified { resolved, rows, orders })
}

/// Sends the fresh requests again, and reads their orders.
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

/// Reads and compares every order.
pub(super) fn all_orders(setup: &CrashSetup, clients: &[Client], address: SocketAddr) -> Result<()> {
    let mut reader = Reader { setup, connection: Connection::new(address) };
    let (mut count, mut number) = (0, 1);
    loop {
        let page = reader.get(&format!("/v1/manage/orders?page[size]={ORDER_PAGE}&page[number]={number}"))?;
        for found in page["data"].as_array().context("no data")? {
            let id = found["id"].as_str().context("an order without an id")?;
            let owner = clients.iter().find(|client| client.book.orders.contains_key(id));
            compare_order(owner.with_context(|| format!("no client placed {found}"))?, found)?;
            count += 1;
        }
        if page["links"]["next"].is_null() {
            break;
        }
        number += 1;
    }
    let known: usize = clients.iter().map(|client| client.book.orders.len()).sum();
    ensure!(count == known, "expected {known} orders, {count} are listed");
    Ok(())
}

/// Reads the histories of all customers. Each request must succeed.
pub(super) fn read_histories(setup: &CrashSetup, address: SocketAddr) -> Result<()> {
    let mut connection = Connection::new(address);
    for customer in &setup.customers {
        let path = below_base("/v1/user/point-history");
        let answer = connection.send(&Call::get(path, &customer.token))?;
        ensure!(answer.status == 200, "{}'s history: {} {}", customer.user, answer.status, answer.text());
    }
    Ok(())
}

/// Reads with the super-user's token.
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

/// Runs `work` for every client, each on its own thread.
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
