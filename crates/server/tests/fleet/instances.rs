//! Two servers on one database.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pointbook_testkit::postgres::{PostgresDatabase, empty_database};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::client::Call;
use crate::instance::Instance;
use crate::setup::{Customer, FleetSetup, MUG_POINTS, PRINCIPAL_MAX_AGE_SECONDS};
use crate::wait_until;

/// How soon all servers serve a change of the catalogue.
const CATALOGUE_AGE: Duration = Duration::from_secs(1);

/// How many changes the test makes. It judges their median.
const CHANGES: usize = 5;

/// Pairs of clients with the same requests, one at each server.
const PAIRS: usize = 4;

/// The requests of a pair. Together they cost more than the user's points.
const REQUESTS: usize = 40;

/// How many mugs the user's points can buy.
const AFFORDABLE: usize = 100;

/// A database with two servers.
struct Fleet {
    setup: FleetSetup,
    servers: [Instance; 2],
    _database: PostgresDatabase,
}

impl Fleet {
    /// `None` without PostgreSQL.
    fn new() -> Option<Self> {
        let database = Runtime::new().unwrap().block_on(empty_database())?;
        let setup = FleetSetup::on(&database.url);
        let servers = [setup.serve(), setup.serve()];
        Some(Self { setup, servers, _database: database })
    }

    fn back_office(&self, method: &'static str, path: &str) -> Call {
        Call::new(method, path, &self.setup.back_office)
    }
}

/// Waits for this response. Returns how long after the start the last other response was requested.
fn last_otherwise(call: &Call, address: SocketAddr, status: u16, moment: Instant) -> Duration {
    let last = Cell::new(Duration::ZERO);
    wait_until(|| {
        let asked = moment.elapsed();
        let is_so = call.send(address).unwrap().status == status;
        if !is_so {
            last.set(asked);
        }
        is_so
    });
    last.get()
}

#[test]
fn a_change_of_the_catalogue_is_served_by_the_other_within_a_second() {
    let Some(fleet) = Fleet::new() else { return };
    let customer = fleet.setup.customer("ann", 1);
    let [one, other] = fleet.servers.each_ref().map(|server| server.address);
    let show = Call::new("GET", "/v1/store/products/cup", &customer.token);
    assert_eq!(show.send(other).unwrap().status, 404);
    let cup = json!({"sku": "cup", "title": "Cup", "regular_price": 5});
    let put = &fleet.back_office("PUT", "/v1/manage/products/cup").json(cup);
    let delete = &fleet.back_office("DELETE", "/v1/manage/products/cup");
    let mut ages: Vec<Duration> = [(put, 200), (delete, 404)]
        .into_iter()
        .cycle()
        .take(CHANGES)
        .map(|(change, status)| {
            let changed = change.send(one).unwrap();
            assert!(changed.status < 300, "{changed:?}");
            last_otherwise(&show, other, status, Instant::now())
        })
        .collect();
    ages.sort_unstable();
    // A short stall of the machine delays one change. A server with a too long interval delays most of them.
    assert!(ages[CHANGES / 2] < CATALOGUE_AGE, "{ages:?}");
}

#[test]
fn revocation_through_one_server_applies_to_the_other_within_cache_age() {
    let Some(fleet) = Fleet::new() else { return };
    let [one, other] = fleet.servers.each_ref().map(|server| server.address);
    let revoke = fleet.back_office("DELETE", "/v1/manage/users/ann/tokens");
    let disable = fleet.back_office("PUT", "/v1/manage/users/bob").json(json!({"disabled": true}));
    for (user, change) in [("ann", revoke), ("bob", disable)] {
        let customer = fleet.setup.customer(user, 1);
        let read = Call::new("GET", "/v1/user", &customer.token);
        assert_eq!(read.send(other).unwrap().status, 200);
        let changed = change.send(one).unwrap();
        assert!(changed.status < 300, "{changed:?}");
        // The cache is older than this moment, so later responses cannot be from the cache.
        let last = last_otherwise(&read, other, 401, Instant::now());
        assert!(last < Duration::from_secs(PRINCIPAL_MAX_AGE_SECONDS), "{user}: still let in after {last:?}");
    }
}

/// The outcome of each key, as every client was told: an order, or none.
type Outcomes = Mutex<BTreeMap<String, Option<String>>>;

#[test]
fn one_user_spends_through_both_servers_while_one_is_killed() {
    let Some(mut fleet) = Fleet::new() else { return };
    let points = i64::try_from(AFFORDABLE).unwrap() * MUG_POINTS;
    let customer = &fleet.setup.customer("ann", points);
    let addresses = &fleet.servers.each_ref().map(|server| server.address);
    let (outcomes, answered) = (&Outcomes::default(), &AtomicUsize::new(0));
    thread::scope(|scope| {
        for client in 0..2 * PAIRS {
            scope.spawn(move || spend(client, customer, addresses, outcomes, answered));
        }
        wait_until(|| answered.load(Ordering::SeqCst) >= AFFORDABLE / 4);
        fleet.servers[0].kill();
    });
    let outcomes = outcomes.lock().unwrap();
    let orders: BTreeSet<&String> = outcomes.values().flatten().collect();
    assert_eq!((outcomes.len(), orders.len()), (PAIRS * REQUESTS, AFFORDABLE));
    let user = Call::new("GET", "/v1/user", &customer.token).send(addresses[1]).unwrap();
    assert_eq!(user.body["data"]["user_points"], 0);
    assert_eq!(fleet.setup.rows().len(), 1 + AFFORDABLE);
    fleet.setup.assert_audit_is_clean();
}

/// Sends the requests of a pair to the first server, and to the other one after the first was killed.
fn spend(
    client: usize,
    customer: &Customer,
    addresses: &[SocketAddr; 2],
    outcomes: &Outcomes,
    answered: &AtomicUsize,
) {
    let mut own = client % 2;
    for request in 0..REQUESTS {
        let key = format!("{}-{request}", client / 2);
        let order = Call::new("POST", "/v1/store/orders", &customer.token).key(&key);
        let order = order.json(json!({"product_id": "mug", "quantity": 1}));
        let answer = order.send(addresses[own]).unwrap_or_else(|_| {
            own = 1;
            order.send(addresses[own]).unwrap()
        });
        let came_to = match answer.status {
            201 => Some(answer.id()),
            422 => None,
            _ => panic!("{order:?}: {answer:?}"),
        };
        let first = outcomes.lock().unwrap().entry(key).or_insert_with(|| came_to.clone()).clone();
        assert_eq!(first, came_to, "{order:?}: {answer:?}");
        answered.fetch_add(1, Ordering::SeqCst);
    }
}
