//! How a server of a test comes up: its limits, its file, its tenants, its port.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use pointbook_app::ports::Database;
use pointbook_app::{NewTenant, Service, ServiceLimits, add_tenant};
use pointbook_domain::{BaseUrl, Locale, TenantName, TenantSettings};
use pointbook_http::gateway::{Gateway, HttpLimits};
use pointbook_http::routes::{HttpState, router};
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::{FixedClock, FixedSecrets, SequentialIds};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::{BASE_URL, STAGING_PATH, TestServer, sample};

/// Limits that tests can reach.
fn limits() -> HttpLimits {
    HttpLimits { request_timeout_ms: 300, max_concurrent_requests: MAX_CONCURRENT, ..HttpLimits::default() }
}

/// The same, but for requests that outlast every test.
pub(crate) fn patient_limits() -> HttpLimits {
    HttpLimits { request_timeout_ms: 3_600_000, ..limits() }
}

/// Few, so that a test can take all places.
pub(super) const MAX_CONCURRENT: usize = 8;

impl TestServer {
    /// Without products and transactions.
    pub(crate) async fn start() -> Self {
        Self::start_on(|database| database).await
    }

    /// On a database that is wrapped.
    pub(crate) async fn start_on(wrap: impl FnOnce(Arc<dyn Database>) -> Arc<dyn Database>) -> Self {
        Self::start_with(limits(), wrap).await
    }

    pub(crate) async fn start_with(
        limits: HttpLimits,
        wrap: impl FnOnce(Arc<dyn Database>) -> Arc<dyn Database>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        let clock = Arc::new(FixedClock::new(sample::now()));
        let database = wrap(open(&file));
        let service_limits = ServiceLimits { principal_max_age_seconds: 10, catalogue_bytes: 1 };
        let service = Arc::new(Service::open(database, clock.clone(), service_limits).await.unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let (ids, secrets) = (Arc::<SequentialIds>::default(), Arc::<FixedSecrets>::default());
        let state = HttpState::new(ids.clone(), secrets.clone());
        let address = serve(service.clone(), limits, state, stopped).await;
        let mut server = Self {
            address,
            service,
            clock,
            ids,
            secrets,
            token: String::new(),
            file,
            _folder: folder,
            _stop: stop,
        };
        for (name, base_url) in [
            ("shop", BASE_URL.to_owned()),
            ("shop/staging", format!("https://shop.example{STAGING_PATH}")),
            ("other", "https://other.example/other/api".to_owned()),
        ] {
            add_tenant(&server.service, new_tenant(name, &base_url), &*server.ids).await.unwrap();
        }
        server.token = server.issue("u1").await;
        server
    }
}

pub(super) fn open(file: &Path) -> Arc<dyn Database> {
    Arc::new(SqliteStore::open(file, &SqliteOptions::new(sample::now())).unwrap())
}

fn new_tenant(name: &str, base_url: &str) -> NewTenant {
    NewTenant {
        name: TenantName::parse(name).unwrap(),
        base_url: BaseUrl::parse(base_url).unwrap(),
        title: "The shop".to_owned(),
        locale: Locale::new("en").unwrap(),
        settings: TenantSettings::default(),
    }
}

async fn serve(
    service: Arc<Service>,
    limits: HttpLimits,
    state: HttpState,
    stopped: oneshot::Receiver<()>,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = router(state);
    let gateway = Arc::new(Gateway::new(service, routes, limits, None, "test"));
    let until = async move {
        // A dropped sender is a stop as well.
        let _ = stopped.await;
    };
    tokio::spawn(pointbook_http::serve::serve(listener, gateway, until));
    address
}
