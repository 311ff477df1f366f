//! The database is unavailable for a while.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use pointbook_testkit::postgres::Cluster;
use serde_json::json;

use crate::client::{Call, probe};
use crate::setup::{Customer, FleetSetup};
use crate::wait_until;

/// How long a request may take while the database is unavailable.
const FAIL_FAST: Duration = Duration::from_secs(5);

/// How long a request may take while the database hangs. The server notices that after ten seconds.
const HANGING: Duration = Duration::from_secs(15);

/// A read and a write that both need the database.
fn calls(customer: &Customer) -> [Call; 2] {
    let order = Call::new("POST", "/v1/store/orders", &customer.token).key("k");
    [
        Call::new("GET", "/v1/user/point-history", &customer.token),
        order.json(json!({"product_id": "mug", "quantity": 1})),
    ]
}

#[track_caller]
fn assert_unavailable(call: &Call, address: SocketAddr, within: Duration) {
    let answer = call.send(address).unwrap();
    assert_eq!(answer.status, 503, "{answer:?}");
    assert_eq!(answer.body["message"], "Service Unavailable");
    assert!(answer.has_header("retry-after: ") && answer.took < within, "{answer:?}");
}

#[test]
fn server_recovers_after_a_database_outage() {
    let Some(mut cluster) = Cluster::alone() else { return };
    let setup = FleetSetup::on(&cluster.url());
    let customer = setup.customer("ann", 100);
    let server = setup.serve();
    let ready = || setup.command(&format!("healthcheck http://{}", server.address)).output().unwrap();
    let products = Call::new("GET", "/v1/store/products", &customer.token);
    assert_eq!(products.send(server.address).unwrap().status, 200, "its catalogue is in memory");
    let takes_writes = || probe(server.address, "/readyz/writes").0 == 200;
    for end in [Cluster::stop_primary, Cluster::kill_primary] {
        // The server loses these connections.
        assert_eq!(calls(&customer)[0].send(server.address).unwrap().status, 200);
        end(&mut cluster);
        for call in calls(&customer).iter().cycle().take(6) {
            assert_unavailable(call, server.address, FAIL_FAST);
        }
        wait_until(|| !takes_writes());
        assert!(ready().status.success(), "it has a catalogue to serve");
        cluster.start_primary();
        for call in calls(&customer) {
            wait_until(|| call.send(server.address).unwrap().status < 300);
        }
        wait_until(takes_writes);
        assert!(ready().status.success());
    }
    assert_eq!(setup.rows().len(), 2, "retries place one order");
    setup.assert_audit_is_clean();
}

#[test]
fn server_recovers_from_a_hanging_database() {
    let Some(mut cluster) = Cluster::alone() else { return };
    let setup = FleetSetup::on(&cluster.url());
    let customer = setup.customer("ann", 100);
    let server = setup.serve();
    let address = server.address;
    assert_eq!(calls(&customer)[0].send(address).unwrap().status, 200);
    cluster.hang_primary();
    thread::scope(|scope| {
        for call in calls(&customer) {
            scope.spawn(move || assert_unavailable(&call, address, HANGING));
        }
    });
    cluster.wake_primary();
    for call in calls(&customer) {
        wait_until(|| call.send(server.address).unwrap().status < 300);
    }
    assert_eq!(setup.rows().len(), 2, "retries place one order");
    setup.assert_audit_is_clean();
}
