//! A server for one test, with a new database, a clock that stands still, and a free port.

mod catalogue;
mod elsewhere;
mod sample;
mod serving;
mod storage;
mod tokens;
pub(crate) mod transcript;
mod writes;

use std::hash::RandomState;
use std::net::SocketAddr;
use std::sync::Arc;

use http::Method;
use pointbook_catalogue::cache::CatalogueCache;
use pointbook_domain::{TenantName, UserId};
use pointbook_events::webhooks::{Deliveries, Outbox};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_store::ports::{NewTransaction, RecordOutcome};
use pointbook_store::tenants::manage::change_tenant;
use pointbook_store::{Clock, SecretSource, ServedTenant, Service};
use pointbook_testkit::build::user_id;
use pointbook_testkit::{FixedClock, FixedSecrets, SequentialIds};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

pub(crate) use self::sample::Act;
pub(crate) use self::serving::{CONSOLE_ORIGIN, patient_limits};
use self::storage::Storage;
pub(crate) use self::storage::{ForeignTransaction, crowd, setup};
use crate::client::{Answer, Call};
use crate::contract;

/// The base URL of production. Its authority is never the one that tests connect to.
pub(crate) const BASE_URL: &str = "https://shop.example/shop/api";
/// The base URL of staging.
pub(crate) const STAGING_PATH: &str = "/shop-staging/api";

/// The base path of production.
pub(crate) fn base_path() -> &'static str {
    "/shop/api"
}

/// A path of the route table with a value for each parameter.
pub(crate) fn concrete(path: &str) -> String {
    let value = |segment: &str| match segment {
        "{productId}" => "mug".to_owned(),
        "{userId}" => "u1".to_owned(),
        _ if segment.starts_with('{') => "nothing".to_owned(),
        _ => segment.to_owned(),
    };
    path.split('/').map(value).collect::<Vec<_>>().join("/")
}

/// A running server with the tenants `shop/production`, `shop/staging` and `other/production`.
pub(crate) struct TestServer {
    address: SocketAddr,
    /// The same, unless the console has its own listener.
    console_address: SocketAddr,
    service: Arc<Service>,
    /// Sends to receivers on this machine.
    outbox: Arc<Outbox>,
    clock: Arc<FixedClock>,
    ids: Arc<SequentialIds>,
    secrets: Arc<FixedSecrets>,
    token: String,
    storage: Arc<Storage>,
    _stop: oneshot::Sender<()>,
}

impl TestServer {
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn console_address(&self) -> SocketAddr {
        self.console_address
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// A process that delivers to webhooks.
    pub(crate) fn deliveries(&self) -> Deliveries {
        let (service, ids) = (self.service.clone(), self.ids.clone());
        Deliveries::new(service, self.outbox.clone(), ids, "test".to_owned(), RandomState::new())
    }

    /// A token of user `u1` in production.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// A GET of production with the token of `u1`.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call(path).bearer(&self.token).send().await
    }

    /// A GET of production without a token.
    pub(crate) fn call(&self, path: &str) -> Call {
        self.call_at(&format!("{}{path}", base_path()))
    }

    /// A GET of any path.
    pub(crate) fn call_at(&self, path: &str) -> Call {
        Call::new(self.address, Method::GET, path)
    }

    /// Sends bytes and reads until the server closes.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        // The server may close the connection before it has read everything. Only the response matters.
        let _ = stream.read_to_end(&mut answer).await;
        transcript::write_raw(bytes, &answer);
        contract::check_raw(bytes, &answer);
        String::from_utf8(answer).unwrap()
    }

    /// Random bytes for the nonce of a link.
    pub(crate) fn new_secret(&self) -> [u8; 32] {
        self.secrets.secret()
    }

    pub(crate) fn advance_seconds(&self, seconds: u32) {
        self.clock.advance_seconds(seconds);
    }

    pub(crate) fn find(&self, name: &str) -> Arc<ServedTenant> {
        self.service.directory().find(&TenantName::parse(name).unwrap()).unwrap().clone()
    }

    pub(crate) fn production(&self) -> Arc<ServedTenant> {
        self.find("shop")
    }

    /// Records an activity of user `u1` in production.
    pub(crate) async fn record(&self, acts: &[Act]) {
        let user: UserId = user_id("u1");
        let new =
            |act: &Act| NewTransaction { user_id: user.clone(), transaction: act.transaction(&self.ids) };
        let transactions: Vec<_> = acts.iter().map(new).collect();
        let outcomes = self
            .production()
            .data
            .write(RecordHistory::new(transactions.clone(), self.clock.now()))
            .await
            .unwrap();
        assert!(outcomes.iter().all(|outcome| *outcome == RecordOutcome::Recorded));
    }

    /// Changes a setting of production.
    pub(crate) async fn set(&self, key: &str, value: &str) {
        let mut tenant = self.production().tenant.clone();
        tenant.settings.set(key, value).unwrap();
        let by =
            (pointbook_store::audit_log::Actor::CommandLine, pointbook_store::audit_log::Origin::default());
        change_tenant(&self.service, &tenant, by).await.unwrap();
        self.sync_with_database().await;
    }

    /// Applies changes of other processes. A real server does so with time and requests, but this clock stands still.
    pub(crate) async fn sync_with_database(&self) {
        self.service.refresh().await.unwrap();
        let tenants = self.service.directory().tenants().to_vec();
        for served in tenants {
            served.state::<CatalogueCache>().refresh(self.clock.now()).await.unwrap();
        }
    }
}
