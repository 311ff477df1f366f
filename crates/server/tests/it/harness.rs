//! A server for one test: a database file of its own, a clock that stands still, a free port.

mod sample;
mod writes;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use http::Method;
use pointbook_app::ports::{Database, NewTransaction};
use pointbook_app::{
    Clock, NewTenant, SecretSource, ServedTenant, Service, ServiceLimits, add_tenant, change_tenant,
    issue_token, revoke_token, token_hash,
};
use pointbook_domain::{BaseUrl, Locale, Product, TenantName, TenantSettings, TokenKind, UserId};
use pointbook_http::gateway::{Gateway, HttpLimits};
use pointbook_http::routes::{Caller, HttpState, router};
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build::{upsert, user_id};
use pointbook_testkit::{FixedClock, FixedSecrets, SequentialIds};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

pub(crate) use self::sample::Act;
use crate::client::{Answer, Call};

/// Where production answers; the authority is never the one that tests connect to.
pub(crate) const BASE_URL: &str = "https://shop.example/shop/api";
/// Where staging answers.
pub(crate) const STAGING_PATH: &str = "/shop-staging/api";

/// The base path of production.
pub(crate) fn base_path() -> &'static str {
    "/shop/api"
}

/// A path of the table of routes with a value for each parameter.
pub(crate) fn concrete(path: &str) -> String {
    let value = |segment: &str| match segment {
        "{product_id}" => "mug".to_owned(),
        "{user_id}" => "u1".to_owned(),
        _ if segment.starts_with('{') => "nothing".to_owned(),
        _ => segment.to_owned(),
    };
    path.split('/').map(value).collect::<Vec<_>>().join("/")
}

/// Limits that tests can reach.
fn limits() -> HttpLimits {
    HttpLimits { request_timeout_ms: 300, max_concurrent_requests: MAX_CONCURRENT, ..HttpLimits::default() }
}

/// The same, but for requests that outlast every test.
pub(crate) fn patient_limits() -> HttpLimits {
    HttpLimits { request_timeout_ms: 3_600_000, ..limits() }
}

const MAX_CONCURRENT: usize = 8;

/// A running server with the tenants `shop/production`, `shop/staging` and `other/production`.
pub(crate) struct TestServer {
    address: SocketAddr,
    service: Arc<Service>,
    clock: Arc<FixedClock>,
    ids: Arc<SequentialIds>,
    secrets: Arc<FixedSecrets>,
    token: String,
    file: PathBuf,
    _folder: TempDir,
    _stop: oneshot::Sender<()>,
}

impl TestServer {
    /// Without products and transactions.
    pub(crate) async fn start() -> Self {
        Self::start_on(|database| database).await
    }

    /// With the sample of seven visible products in five categories.
    pub(crate) async fn with_sample() -> Self {
        let server = Self::start().await;
        let data = &server.production().data;
        data.replace_categories(&sample::categories()).await.unwrap();
        server.store(&sample::products()).await;
        server
    }

    /// With this many products, of which several share each price.
    pub(crate) async fn with_products(count: u32) -> Self {
        let server = Self::start().await;
        server.store(&sample::many(count)).await;
        server
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

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
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
        // The server may close before it has read everything; what it sent counts.
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8(answer).unwrap()
    }

    /// Starts as many requests as may run at once, on a database that hangs and with a time limit
    /// that is never reached. One that finds no place, because the question whether all are taken
    /// has it, tries again.
    pub(crate) async fn fill_all_places(&self) {
        let hanging = format!("{}/v1/user/point-history", base_path());
        for _ in 0..MAX_CONCURRENT {
            let call = self.call_at(&hanging).bearer(&self.token);
            tokio::spawn(async move { while call.clone().send().await.status == 503 {} });
        }
        while self.call_at(&format!("{}/v1/store/categories", base_path())).send().await.status != 503 {}
    }

    pub(crate) fn advance_seconds(&self, seconds: u32) {
        self.clock.advance_seconds(seconds);
    }

    fn find(&self, name: &str) -> Arc<ServedTenant> {
        self.service.directory().find(&TenantName::parse(name).unwrap()).unwrap().clone()
    }

    fn production(&self) -> Arc<ServedTenant> {
        self.find("shop")
    }

    /// A token of a user in production.
    pub(crate) async fn issue(&self, user: &str) -> String {
        self.issue_for(user, None).await
    }

    pub(crate) async fn issue_for(&self, user: &str, seconds: Option<u32>) -> String {
        self.issue_kind("shop", TokenKind::Customer(user_id(user)), seconds).await
    }

    pub(crate) async fn issue_expired(&self, user: &str) -> String {
        self.issue_for(user, Some(0)).await
    }

    pub(crate) async fn issue_revoked(&self, user: &str) -> String {
        let token = self.issue(user).await;
        self.revoke(&token).await;
        token
    }

    pub(crate) async fn issue_super_user(&self) -> String {
        self.issue_kind("shop", TokenKind::SuperUser, None).await
    }

    /// A new token of the kind that an operation takes; a customer's is of `u1`.
    pub(crate) async fn issue_to(&self, tenant: &str, caller: Caller) -> String {
        let kind = match caller {
            Caller::Customer | Caller::Anyone => TokenKind::Customer(user_id("u1")),
            Caller::SuperUser => TokenKind::SuperUser,
        };
        self.issue_kind(tenant, kind, None).await
    }

    pub(crate) async fn issue_in_staging(&self, user: &str) -> String {
        self.issue_kind("shop/staging", TokenKind::Customer(user_id(user)), None).await
    }

    async fn issue_kind(&self, tenant: &str, kind: TokenKind, seconds: Option<u32>) -> String {
        let data = self.find(tenant).data.clone();
        let secrets: &dyn SecretSource = &*self.secrets;
        issue_token(&*data, kind, seconds, secrets, self.clock.now()).await.unwrap().text
    }

    /// Revokes through this process.
    pub(crate) async fn revoke(&self, token: &str) {
        let hash = token_hash(token.as_bytes());
        assert!(revoke_token(&self.production(), &hash, self.clock.now()).await.unwrap());
    }

    /// Another process on the same file.
    fn elsewhere(&self) -> Arc<dyn Database> {
        open(&self.file)
    }

    pub(crate) async fn revoke_elsewhere(&self, token: &str) {
        let data = self.elsewhere().tenant(&self.production().tenant.id);
        assert!(data.revoke_token(&token_hash(token.as_bytes()), self.clock.now()).await.unwrap());
    }

    /// Disables a user of production.
    pub(crate) fn disable_elsewhere(&self, user: &str) {
        let disable = "UPDATE users SET disabled_at = created_at WHERE tenant_id = ?1 AND id = ?2";
        let file = rusqlite::Connection::open(&self.file).unwrap();
        let tenant = self.production().tenant.id.clone();
        assert_eq!(file.execute(disable, [tenant.as_str(), user]).unwrap(), 1);
    }

    pub(crate) async fn add_product_elsewhere(&self, id: &str) {
        let data = self.elsewhere().tenant(&self.production().tenant.id);
        data.upsert_products(&[upsert(sample::product(id))]).await.unwrap();
    }

    pub(crate) async fn add_tenant_elsewhere(&self, slug: &str) {
        let mut tenant = self.production().tenant.clone();
        tenant.id = pointbook_domain::TenantId::new(slug).unwrap();
        tenant.slug = pointbook_domain::Slug::new(slug).unwrap();
        tenant.base_url = BaseUrl::parse(&format!("https://{slug}.example/{slug}/api")).unwrap();
        self.elsewhere().insert_tenant(&tenant).await.unwrap();
    }

    /// Adds a product to production and takes it in.
    pub(crate) async fn add_product(&self, id: &str) {
        self.store(&[sample::product(id)]).await;
    }

    async fn store(&self, products: &[Product]) {
        let upserts: Vec<_> = products.iter().cloned().map(upsert).collect();
        self.production().data.upsert_products(&upserts).await.unwrap();
        self.service.refresh().await.unwrap();
    }

    /// Records what user `u1` did, in production.
    pub(crate) async fn record(&self, acts: &[Act]) {
        let user: UserId = user_id("u1");
        let new =
            |act: &Act| NewTransaction { user_id: user.clone(), transaction: act.transaction(&self.ids) };
        let transactions: Vec<_> = acts.iter().map(new).collect();
        let outcomes = self.production().data.record_history(&transactions, self.clock.now()).await.unwrap();
        assert!(outcomes.iter().all(|outcome| *outcome == pointbook_app::ports::RecordOutcome::Recorded));
    }

    /// Changes a setting of production.
    pub(crate) async fn set(&self, key: &str, value: &str) {
        let mut tenant = self.production().tenant.clone();
        tenant.settings.set(key, value).unwrap();
        change_tenant(&self.service, &tenant).await.unwrap();
        self.service.refresh().await.unwrap();
    }

    /// The tenants whose catalogue is in memory.
    pub(crate) fn loaded_catalogues(&self) -> Vec<String> {
        let directory = self.service.directory();
        let loaded = directory.tenants().iter().filter(|served| served.catalogue.memory_bytes() > 0);
        loaded.map(|served| served.name().to_string()).collect()
    }
}

fn open(file: &std::path::Path) -> Arc<dyn Database> {
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
