//! Starts the server of a test: its limits, its database, its tenants, its port.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use pointbook_access::openid::OpenId;
use pointbook_access::sessions::ConsoleOrigin;
use pointbook_access::tokens::authenticate::Tokens;
use pointbook_console::Entrance;
use pointbook_domain::{BaseUrl, Locale, Network, TenantName, TenantSettings};
use pointbook_events::webhooks::sender::{Resolve, RootCertStore, Sender, SenderOptions};
use pointbook_events::webhooks::{AddressPolicy, Outbox};
use pointbook_http::kernel::{Face, HttpLimits};
use pointbook_http::{Gateway, HttpState, Site, router};
use pointbook_server::AllPages;
use pointbook_server::slices::{LISTED, parts};
use pointbook_shop::Home;
use pointbook_store::ports::Database;
use pointbook_store::tenants::manage::{NewTenant, add_tenant};
use pointbook_store::{Service, ServiceLimits};
use pointbook_testkit::{FixedClock, FixedSecrets, OneSecret, SequentialIds};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::storage::Storage;
use super::{BASE_URL, STAGING_PATH, TestServer, sample, transcript};

/// Limits that tests can reach: a second is long for a request, and short to wait for.
fn limits() -> HttpLimits {
    HttpLimits { request_timeout_ms: 1_000, max_concurrent_requests: MAX_CONCURRENT, ..HttpLimits::default() }
}

/// The same limits, but requests never time out.
pub(crate) fn patient_limits() -> HttpLimits {
    HttpLimits { request_timeout_ms: 3_600_000, ..limits() }
}

/// Enough permits for all requests of a race.
pub(super) fn roomy_limits() -> HttpLimits {
    HttpLimits { max_concurrent_requests: 4_096, ..patient_limits() }
}

/// Where browsers reach a console with its own listener: through a proxy that ends TLS.
pub(crate) const CONSOLE_ORIGIN: &str = "https://console.example";

/// Few, so that a test can take all permits.
pub(super) const MAX_CONCURRENT: usize = 8;

impl TestServer {
    /// A server without products and transactions.
    pub(crate) async fn start() -> Self {
        Self::start_with(patient_limits(), |database| database).await
    }

    /// A server on a wrapped database, which may delay a request until it times out.
    pub(crate) async fn start_on(wrap: impl FnOnce(Arc<dyn Database>) -> Arc<dyn Database>) -> Self {
        Self::start_with(limits(), wrap).await
    }

    pub(crate) async fn start_with(
        limits: HttpLimits,
        wrap: impl FnOnce(Arc<dyn Database>) -> Arc<dyn Database>,
    ) -> Self {
        transcript::begin();
        let clock = Arc::new(FixedClock::new(sample::now()));
        let sources =
            Sources { clock, ids: Arc::default(), secrets: Arc::default(), entrance: Entrance::default() };
        let mut server = Self::raise(Arc::new(Storage::fresh().await), sources, limits, wrap).await;
        for (name, base_url) in [
            ("shop", BASE_URL.to_owned()),
            ("shop/staging", format!("https://shop.example{STAGING_PATH}")),
            ("other", "https://other.example/other/api".to_owned()),
        ] {
            add_tenant(
                &server.service,
                new_tenant(name, &base_url),
                pointbook_store::audit_log::Origin::default(),
                &*server.ids,
            )
            .await
            .unwrap();
        }
        server.token = server.issue("u1").await;
        server
    }

    /// Starts another instance on the same database. It has its own service, so it shares no caches with
    /// the first one. Both have the same clock and different ids.
    pub(crate) async fn second_instance(&self) -> Self {
        self.another_instance(Entrance::default()).await
    }

    /// The same, with an issuer that signs operators in.
    pub(crate) async fn instance_with_openid(&self, openid: OpenId) -> Self {
        self.another_instance(Entrance { openid: Some(Arc::new(openid)), ..Entrance::default() }).await
    }

    /// An instance whose console has its own listener, which browsers reach at [`CONSOLE_ORIGIN`].
    pub(crate) async fn instance_with_own_console(&self, openid: Option<OpenId>) -> Self {
        let origin = ConsoleOrigin::parse(CONSOLE_ORIGIN).unwrap();
        self.another_instance(Entrance { openid: openid.map(Arc::new), origin }).await
    }

    async fn another_instance(&self, entrance: Entrance) -> Self {
        let (clock, ids, secrets) = (self.clock.clone(), self.ids.clone(), self.secrets.clone());
        let sources = Sources { clock, ids, secrets, entrance };
        let mut second =
            Self::raise(self.storage.clone(), sources, roomy_limits(), |database| database).await;
        second.token.clone_from(&self.token);
        second
    }

    async fn raise(
        storage: Arc<Storage>,
        sources: Sources,
        limits: HttpLimits,
        wrap: impl FnOnce(Arc<dyn Database>) -> Arc<dyn Database>,
    ) -> Self {
        let Sources { clock, ids, secrets, entrance } = sources;
        let database = wrap(storage.open().await);
        let opened = Service::open(database, clock.clone(), Arc::new(OneSecret), service_limits()).await;
        let service = Arc::new(opened.unwrap());
        let (outbox, (stop, stopped)) = (outbox(), oneshot::channel::<()>());
        let state = HttpState::new(Arc::new(Tokens), ids.clone(), secrets.clone(), parts(outbox.clone()));
        let [address, console_address] = serve(service.clone(), limits, state, entrance, stopped).await;
        let token = String::new();
        Self { address, console_address, service, outbox, clock, ids, secrets, token, storage, _stop: stop }
    }
}

/// Every name is one of this machine, and webhooks may be sent there.
struct ThisMachine;

#[async_trait]
impl Resolve for ThisMachine {
    async fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![Ipv4Addr::LOCALHOST.into()])
    }
}

/// Sends webhooks to receivers of this machine.
fn outbox() -> Arc<Outbox> {
    let policy = AddressPolicy::new(vec![Network::parse("127.0.0.0/8").unwrap()]).with_http_to_loopback();
    let sender = Sender::new(SenderOptions::default(), RootCertStore::empty(), Arc::new(ThisMachine));
    Arc::new(Outbox::new(sender.unwrap(), policy))
}

/// The sources of time, ids and secrets of a server.
struct Sources {
    clock: Arc<FixedClock>,
    ids: Arc<SequentialIds>,
    secrets: Arc<FixedSecrets>,
    entrance: Entrance,
}

/// The server accepts a token for ten seconds, and its memory has room for one catalogue.
pub(super) fn service_limits() -> ServiceLimits {
    ServiceLimits {
        principal_max_age_seconds: 10,
        principal_max_age_when_away_seconds: 10,
        refresh_interval_ms: 500,
        catalogue_bytes: 1,
    }
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
    entrance: Entrance,
    stopped: oneshot::Receiver<()>,
) -> [SocketAddr; 2] {
    let listen = async || TcpListener::bind("127.0.0.1:0").await.unwrap();
    let faces = if entrance.origin.is_separate() {
        vec![(listen().await, Face::WithoutConsole), (listen().await, Face::Console)]
    } else {
        vec![(listen().await, Face::Whole)]
    };
    let addresses = [&faces[0], &faces[faces.len() - 1]].map(|(listener, _)| listener.local_addr().unwrap());
    let (ids, secrets) = (state.ids.clone(), state.secrets.clone());
    let pages = AllPages::new(service.clone(), ids, secrets, state.parts.clone(), Home::default(), entrance);
    let site = Site::new(service, router(state, &LISTED));
    let gateway = Arc::new(Gateway::new(site, limits, None, "test").with_pages(pages));
    let until = async move {
        // A dropped sender stops the server, too.
        let _ = stopped.await;
    };
    tokio::spawn(pointbook_http::kernel::serve_faces(faces, gateway, until));
    addresses
}
