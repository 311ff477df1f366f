//! An unusable host of the URL does not delay the other hosts.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use pointbook_testkit::postgres::{Cluster, PostgresDatabase, empty_database};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::client::Call;
use crate::setup::{FleetSetup, command, text};
use crate::wait_until;

/// Much longer than one host may take with `connect_timeout=1`, and shorter than the 15 seconds that a silent host
/// used to take.
const SOON: Duration = Duration::from_secs(8);

/// How soon writes go on after a promotion while the old primary is frozen. A statement that was sent to the old one
/// times out after ten seconds.
const RESUME: Duration = Duration::from_secs(15);

/// What a host does with an accepted connection.
type Behaviour = fn(TcpStream, &mut Vec<TcpStream>);

const BEHAVIOURS: [(&str, Behaviour); 3] = [
    ("says nothing", |stream, kept| kept.push(stream)),
    ("sends garbage", |mut stream, kept| {
        let _ = stream.read(&mut [0; 64]);
        let _ = stream.write_all(&[b'?'; 4_096]);
        kept.push(stream);
    }),
    ("accepts and closes", |stream, _| drop(stream)),
];

/// Starts a host with this behaviour until the test ends.
fn bad_host(behave: Behaviour) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming().map_while(Result::ok) {
            behave(stream, &mut kept);
        }
    });
    address
}

/// The URL of the same database, with this host first.
fn behind(first: SocketAddr, url: &str) -> String {
    let (user, place) = url.split_once('@').unwrap();
    let (host, name) = place.split_once('/').unwrap();
    let name = name.split('?').next().unwrap();
    let port = if host.contains(':') { "" } else { ":5432" };
    format!("{user}@{first},{host}{port}/{name}?connect_timeout=1")
}

fn database() -> Option<PostgresDatabase> {
    Runtime::new().unwrap().block_on(empty_database())
}

#[test]
fn bad_first_host_delays_only_by_its_timeout() {
    let Some(database) = database() else { return };
    FleetSetup::on(&database.url);
    for (what, behave) in BEHAVIOURS {
        for attributes in ["read-write", "any"] {
            let url = behind(bad_host(behave), &database.url);
            let url = format!("{url}&target_session_attrs={attributes}");
            let began = Instant::now();
            let listed = command(&url, "tenant list").output().unwrap();
            assert!(listed.status.success(), "{what}, {attributes}: {listed:?}");
            assert!(text(&listed).0.contains("fleet"), "{what}: {listed:?}");
            assert!(began.elapsed() < SOON, "{what}, {attributes}: {:?}", began.elapsed());
        }
    }
}

#[test]
fn a_server_starts_behind_a_silent_first_host() {
    let Some(database) = database() else { return };
    let setup = FleetSetup::on(&database.url);
    let customer = setup.customer("ann", 100);
    let setup = setup.at(&behind(bad_host(BEHAVIOURS[0].1), &database.url));
    let began = Instant::now();
    let server = setup.serve();
    let order = Call::new("POST", "/v1/store/orders", &customer.token).key("k");
    let order = order.json(json!({"product_id": "mug", "quantity": 1}));
    assert_eq!(order.send(server.address).unwrap().status, 201);
    assert!(began.elapsed() < 2 * SOON, "{:?}", began.elapsed());
}

#[test]
fn hosts_that_cannot_be_used_are_named_with_the_reason() {
    let silent = bad_host(BEHAVIOURS[0].1);
    let url = format!("postgres://me:hush@{silent},127.0.0.1:1/points?connect_timeout=1");
    let ended = command(&url, "tenant list").output().unwrap();
    let (_, stderr) = text(&ended);
    assert_eq!(ended.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains(&format!("{silent}: no response within 1 s")), "{stderr}");
    assert!(stderr.contains("127.0.0.1:1: Connection refused"), "{stderr}");
    assert!(!stderr.contains("hush"), "{stderr}");
}

/// The machine of the old primary still accepts connections, and the primary never responds.
#[test]
fn frozen_primary_does_not_block_writes_after_a_promotion() {
    let Some(mut cluster) = Cluster::with_standby() else { return };
    let setup = FleetSetup::on(&cluster.url());
    let customer = setup.customer("ann", 100);
    let server = setup.serve();
    let order = |key: &str| {
        let order = Call::new("POST", "/v1/store/orders", &customer.token).key(key);
        order.json(json!({"product_id": "mug", "quantity": 1})).send(server.address).unwrap()
    };
    assert_eq!(order("before").status, 201);
    cluster.hang_primary();
    cluster.promote_standby();
    let promoted = Instant::now();
    wait_until(|| order("after").status == 201);
    assert!(promoted.elapsed() < RESUME, "writes went on {:?} after the promotion", promoted.elapsed());
    assert_eq!(order("later").status, 201);
    cluster.end_former_primary();
}
