//! While the database is unavailable, reads from memory work, and the log says why other requests fail.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use pointbook_testkit::postgres::Cluster;
use serde_json::json;

use crate::client::{Answer, Call, probe};
use crate::instance::Instance;
use crate::setup::{Customer, FleetSetup, PRINCIPAL_MAX_AGE_SECONDS};
use crate::{pause, wait_until};

/// How long a request may take after the server knows that the database is unavailable.
const AT_ONCE: Duration = Duration::from_secs(2);

const FROM_MEMORY: [&str; 3] = ["/v1/store/products", "/v1/store/products/mug", "/v1/store/categories"];

const STALE: &str = "warning: 110 - \"response is stale\"";

/// A server, its customers, and the database that it loses.
struct Scene {
    cluster: Cluster,
    setup: FleetSetup,
    server: Instance,
    /// A customer whose token is in use.
    ann: Customer,
    /// A customer whose token this server revoked.
    ben: Customer,
    /// A customer whose token was never used.
    cid: Customer,
    /// A customer whom the command line disabled, which the server has noticed.
    dan: Customer,
}

impl Scene {
    fn new() -> Option<Self> {
        let cluster = Cluster::alone()?;
        let setup = FleetSetup::on(&cluster.url());
        let [ann, ben, cid, dan] = ["ann", "ben", "cid", "dan"].map(|user| setup.customer(user, 100));
        let server = setup.serve();
        let scene = Self { cluster, setup, server, ann, ben, cid, dan };
        for customer in [&scene.ann, &scene.ben, &scene.dan] {
            assert_eq!(scene.read(FROM_MEMORY[0], customer).status, 200);
        }
        let revoke = Call::new("DELETE", "/v1/auth/token", &scene.ben.token);
        assert!(revoke.send(scene.address()).unwrap().status < 300);
        let other = scene.setup.serve();
        let disable = Call::new("PUT", "/v1/manage/users/dan", &scene.setup.back_office);
        assert!(disable.json(json!({"disabled": true})).send(other.address).unwrap().status < 300);
        wait_until(|| scene.read(FROM_MEMORY[0], &scene.dan).status == 401);
        Some(scene)
    }

    fn address(&self) -> SocketAddr {
        self.server.address
    }

    fn read(&self, path: &str, customer: &Customer) -> Answer {
        Call::new("GET", path, &customer.token).send(self.address()).unwrap()
    }

    fn order(&self, key: &str) -> Answer {
        let order = Call::new("POST", "/v1/store/orders", &self.ann.token).key(key);
        order.json(json!({"product_id": "mug", "quantity": 1})).send(self.address()).unwrap()
    }

    fn is_away(&self) -> bool {
        probe(self.address(), "/readyz").1["database"] == "away"
    }

    #[track_caller]
    fn assert_reads_come_from_memory(&self) {
        for path in FROM_MEMORY {
            let answer = self.read(path, &self.ann);
            assert!(answer.status == 200 && answer.has_header(STALE) && answer.took < AT_ONCE, "{answer:?}");
        }
        assert_eq!(self.read("/v1/store/products/none", &self.ann).status, 404);
        assert_eq!(self.read(FROM_MEMORY[0], &self.ben).status, 401, "a revoked token");
        assert_eq!(self.read(FROM_MEMORY[0], &self.dan).status, 401, "a disabled user");
    }

    #[track_caller]
    fn assert_the_rest_is_refused_at_once(&self) {
        let refused = [
            self.read("/v1/user/point-history", &self.ann),
            self.order("away"),
            // The server cannot know whether this token is valid.
            self.read(FROM_MEMORY[0], &self.cid),
        ];
        for answer in refused {
            assert!(answer.status == 503 && answer.has_header("retry-after: "), "{answer:?}");
            assert!(answer.took < AT_ONCE, "{answer:?}");
        }
        let degraded = json!({"status": "degraded", "database": "away"});
        assert_eq!(probe(self.address(), "/readyz"), (200, degraded));
        assert_eq!(probe(self.address(), "/readyz/writes").0, 503);
    }

    #[track_caller]
    fn assert_all_is_as_before(&self) {
        wait_until(|| !self.is_away());
        wait_until(|| self.order("back").status == 201);
        assert_eq!(probe(self.address(), "/readyz"), (200, json!({"status": "ok"})));
        assert_eq!(probe(self.address(), "/readyz/writes").0, 200);
        for path in FROM_MEMORY {
            let answer = self.read(path, &self.ann);
            assert!(answer.status == 200 && !answer.has_header("warning: "), "{answer:?}");
        }
        assert_eq!(self.read("/v1/user/point-history", &self.ann).status, 200);
        assert_eq!(self.read(FROM_MEMORY[0], &self.cid).status, 200);
        assert_eq!(self.read(FROM_MEMORY[0], &self.ben).status, 401);
    }
}

#[test]
fn a_stopped_database_leaves_reads_from_memory() {
    let Some(mut scene) = Scene::new() else { return };
    scene.cluster.stop_primary();
    // From the start of the outage, and for longer than a token is valid without the outage.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(PRINCIPAL_MAX_AGE_SECONDS + 2) {
        let answer = scene.read(FROM_MEMORY[0], &scene.ann);
        assert_eq!(answer.status, 200, "{answer:?} after {:?}", began.elapsed());
        pause(Duration::from_millis(20));
    }
    wait_until(|| scene.is_away());
    scene.assert_reads_come_from_memory();
    for _ in 0..50 {
        scene.assert_the_rest_is_refused_at_once();
    }
    scene.cluster.start_primary();
    scene.assert_all_is_as_before();
    let log = scene.server.said();
    let count = |part: &str| log.matches(part).count();
    assert_eq!(count("does not respond\""), 1, "{log}");
    assert!(log.contains("no connection to PostgreSQL: ") && log.contains(".s.PGSQL.5432: "), "{log}");
    assert_eq!(count("the database responds again after "), 1, "{log}");
    assert_eq!(
        count("refresh failed") + count("store unavailable") + count("catalogue not read"),
        0,
        "{log}"
    );
    scene.setup.assert_audit_is_clean();
}

#[test]
fn a_silent_database_leaves_reads_from_memory() {
    let Some(mut scene) = Scene::new() else { return };
    scene.cluster.hang_primary();
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(PRINCIPAL_MAX_AGE_SECONDS + 3) {
        let answer = scene.read(FROM_MEMORY[0], &scene.ann);
        assert_eq!(answer.status, 200, "{answer:?} after {:?}", began.elapsed());
        pause(Duration::from_millis(20));
    }
    wait_until(|| scene.is_away());
    // Requests from before the server noticed the outage must wait.
    wait_until(|| scene.order("away").took < AT_ONCE);
    scene.assert_reads_come_from_memory();
    scene.assert_the_rest_is_refused_at_once();
    scene.cluster.wake_primary();
    scene.assert_all_is_as_before();
}

/// If every request waited for the database, they would use up all permits.
#[test]
fn requests_for_a_database_that_is_away_do_not_pile_up() {
    let Some(mut scene) = Scene::new() else { return };
    scene.cluster.hang_primary();
    wait_until(|| scene.is_away());
    wait_until(|| scene.order("first").took < AT_ONCE);
    thread::scope(|scope| {
        let ask = || {
            for _ in 0..20 {
                let answer = scene.read("/v1/user/point-history", &scene.ann);
                assert!(answer.status == 503 && answer.took < AT_ONCE, "{answer:?}");
            }
        };
        for _ in 0..16 {
            scope.spawn(ask);
        }
    });
    scene.cluster.wake_primary();
    scene.assert_all_is_as_before();
}
