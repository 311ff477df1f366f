//! A separate server for every test.

use std::net::SocketAddr;
use std::sync::Arc;

use pointbook_domain::{BaseUrl, CorsPolicy, Tenant};
use pointbook_http::kernel::{AccessLog, HttpLimits, Pages, TrustedProxies, serve};
use pointbook_http::root::DocsSettings;
use pointbook_http::{Gateway, KnownPrincipal, Site};
use pointbook_store::{Service, ServiceLimits};
use pointbook_testkit::{FaultyDatabase, FixedClock, OneSecret, TestDatabase, build, sqlite};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client::Client;
use crate::router::{Gate, Trials};

/// The path at which the tenant `acme` answers `hello`.
pub(crate) const HELLO: &str = "/api/v1/hello";
/// The path at which it waits for the gate.
pub(crate) const WAIT: &str = "/api/v1/wait";

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) database: Arc<FaultyDatabase>,
    pub(crate) service: Arc<Service>,
    pub(crate) gate: Arc<Gate>,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<()>,
    /// Dropped last.
    _stored: TestDatabase,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::with(HttpLimits::default()).await
    }

    pub(crate) async fn with(limits: HttpLimits) -> Self {
        Self::logging(limits, None).await
    }

    /// With pages that are filled in with these settings.
    pub(crate) async fn with_docs(settings: DocsSettings) -> Self {
        Self::made(HttpLimits::default(), None, Some(settings), |gateway| gateway).await
    }

    pub(crate) async fn logging(limits: HttpLimits, log: Option<Arc<AccessLog>>) -> Self {
        Self::made(limits, log, None, |gateway| gateway).await
    }

    pub(crate) async fn behind(proxies: &str, limits: HttpLimits, log: Option<Arc<AccessLog>>) -> Self {
        let proxies = TrustedProxies::parse(proxies).unwrap();
        let change = |gateway: Gateway| gateway.with_trusted_proxies(proxies);
        Self::made(limits, log, None, change).await
    }

    /// With pages beside the tenants.
    pub(crate) async fn with_pages(pages: impl Pages<KnownPrincipal> + 'static) -> Self {
        Self::made(HttpLimits::default(), None, None, |gateway| gateway.with_pages(pages)).await
    }

    /// The same, and with a log.
    pub(crate) async fn logging_with_pages(
        log: Arc<AccessLog>,
        pages: impl Pages<KnownPrincipal> + 'static,
    ) -> Self {
        Self::made(HttpLimits::default(), Some(log), None, |gateway| gateway.with_pages(pages)).await
    }

    async fn made(
        limits: HttpLimits,
        log: Option<Arc<AccessLog>>,
        docs: Option<DocsSettings>,
        change: impl FnOnce(Gateway) -> Gateway,
    ) -> Self {
        let stored = stored().await;
        let database = Arc::new(FaultyDatabase::healthy(stored.database.clone()));
        let service_limits = ServiceLimits {
            principal_max_age_seconds: 1,
            principal_max_age_when_away_seconds: 1,
            refresh_interval_ms: 500,
            catalogue_bytes: 1,
        };
        let clock = Arc::new(FixedClock::new(build::noon()));
        let service = Service::open(database.clone(), clock, Arc::new(OneSecret), service_limits).await;
        let service = Arc::new(service.unwrap());
        let gate = Arc::new(Gate::default());
        let site = Site::new(service.clone(), Trials(gate.clone())).with_docs(docs);
        let gateway = change(Gateway::new(site, limits, log, "test"));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let shutdown = async { drop(stopped.await) };
        let ended = tokio::spawn(serve(listener, Arc::new(gateway), shutdown));
        Self { address, database, service, gate, stop: Some(stop), ended, _stored: stored }
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect(self.address).await
    }

    /// Begins the end.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Until the server is gone.
    pub(crate) async fn ended(self) {
        self.ended.await.unwrap();
    }
}

/// A database with the tenants and their secrets. A request then reads only, on the thread of the test, so that a paused
/// clock does not move meanwhile.
async fn stored() -> TestDatabase {
    let stored = sqlite::database_of(tenants()).await;
    for tenant in tenants() {
        stored.database.tenant(&tenant.id).secret("tenant", &[7; 32], build::noon()).await.unwrap();
    }
    stored
}

/// One tenant per CORS policy, and one at another authority with the same path.
fn tenants() -> Vec<Tenant> {
    let tenant = |slug: &str, base_url: &str, cors: CorsPolicy| {
        let mut tenant = build::tenant(slug);
        tenant.base_url = BaseUrl::parse(base_url).unwrap();
        tenant.settings.cors = cors;
        tenant
    };
    let listed = CorsPolicy::Origins(vec!["https://shop.example".to_owned()]);
    vec![
        tenant("acme", "https://acme.example/api", CorsPolicy::AnyOrigin),
        tenant("off", "https://acme.example/off/api", CorsPolicy::Off),
        tenant("listed", "https://acme.example/listed/api", listed),
        tenant("other", "https://other.example/api", CorsPolicy::AnyOrigin),
        tenant("docs", "https://acme.example/docs/api", CorsPolicy::AnyOrigin),
    ]
}
