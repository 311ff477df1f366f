//! The fixture of the cases: a store, and a service on it in this process.

use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use bytes::Bytes;
use http::header::{AUTHORIZATION, HOST, IF_NONE_MATCH};
use http::{HeaderValue, Request};
use http_body_util::Empty;
use pointbook_access::tokens::authenticate::Tokens;
use pointbook_access::tokens::issue::{StoreToken, token_record, token_text};
use pointbook_catalogue::cache::snapshot;
use pointbook_catalogue::commands::{ReplaceCategories, UpsertProducts};
use pointbook_catalogue::index::Snapshot;
use pointbook_domain::{Timestamp, TokenKind};
use pointbook_http::kernel::{AccessLog, AccessLogFormat, HttpLimits};
use pointbook_http::{Gateway, HttpState, Site, router};
use pointbook_server::slices::LISTED;
use pointbook_store::ports::{Database, TenantData};
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_store::{Parts, ServedTenant, Service, ServiceLimits};
use pointbook_testkit::{FixedClock, FixedSecrets, OneSecret, SequentialIds, build};
use tokio::runtime::{Builder, Runtime};

use crate::goods;

/// The user whose history is read.
pub(crate) const USER: &str = "ann";
/// The client address of requests.
pub(crate) const PEER: &str = "127.0.0.1:50000";
const TOKEN_SECRET: [u8; 32] = [7; 32];
/// Capacity for the headers of a response.
const HEADERS: usize = 12;
const PRODUCTS_PER_COMMIT: usize = 1_000;

/// A service with a gateway, on the calling thread.
pub(crate) struct ServiceFixture {
    pub(crate) runtime: Runtime,
    pub(crate) gateway: Gateway,
    pub(crate) access_log: Arc<AccessLog>,
    pub(crate) tenant: Arc<ServedTenant>,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) now: Timestamp,
}

impl ServiceFixture {
    /// Opens the store that [`fill`] created.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let (runtime, now) = (runtime()?, build::noon());
        let limits = ServiceLimits {
            principal_max_age_seconds: 60,
            principal_max_age_when_away_seconds: 60,
            refresh_interval_ms: 500,
            catalogue_bytes: usize::MAX,
        };
        let clock = Arc::new(FixedClock::new(now));
        let opening = Service::open(store(folder)?, clock, Arc::new(OneSecret), limits);
        let service = Arc::new(runtime.block_on(opening)?);
        let tenant = service.directory().tenants().first().cloned().context("the store has no tenant")?;
        let snapshot = runtime.block_on(with_title_index(&tenant, now))?;
        let access_log = Arc::new(AccessLog::start(Box::new(io::sink()), AccessLogFormat::Json)?);
        let state = HttpState::new(
            Arc::new(Tokens),
            Arc::new(SequentialIds::default()),
            Arc::new(FixedSecrets::default()),
            Parts::default(),
        );
        let (router, log) = (router(state, &LISTED), Some(access_log.clone()));
        let gateway = Gateway::new(Site::new(service, router), HttpLimits::default(), log, "count");
        Ok(Self { runtime, gateway, access_log, tenant, snapshot, now })
    }

    /// A GET request of the user for a path below the tenant's base URL.
    pub(crate) fn get(
        &self,
        path: &str,
        if_none_match: Option<&HeaderValue>,
    ) -> Result<Request<Empty<Bytes>>> {
        let base = &self.tenant.tenant.base_url;
        let mut request = Request::get(format!("{}{path}", base.path()))
            .header(HOST, base.authority())
            .header(AUTHORIZATION, format!("Bearer {}", token_text(&TOKEN_SECRET)));
        if let Some(tag) = if_none_match {
            request = request.header(IF_NONE_MATCH, tag);
        }
        let mut request = request.body(Empty::new())?;
        // hyper also reuses the header map of a response for the connection's next request.
        request.headers_mut().reserve(HEADERS);
        Ok(request)
    }
}

/// Waits for the snapshot with its title index, which is built in the background. Otherwise some counts would include
/// searches without the index.
async fn with_title_index(tenant: &ServedTenant, now: Timestamp) -> Result<Arc<Snapshot>> {
    loop {
        let snapshot = snapshot(tenant, now).await?;
        if !snapshot.lacks_title_index() {
            return Ok(snapshot);
        }
        tokio::task::yield_now().await;
    }
}

/// Creates the store in a folder.
pub(crate) fn fill(folder: &Path) -> Result<()> {
    let database = store(folder)?;
    let mut tenant = build::tenant("acme");
    // The rate limit counts requests, but is never reached.
    tenant.settings.rate_limit_reads_per_minute = u32::MAX;
    runtime()?.block_on(async {
        database.insert_tenant(&tenant, &[]).await?;
        let data = database.tenant(&tenant.id);
        fill_catalogue(&*data).await?;
        let rows: Vec<_> =
            (0..goods::ACTIVITIES).map(|number| build::recorded(USER, goods::activity(number))).collect();
        data.write(build::history(rows)).await?;
        let user = TokenKind::Customer(build::user_id(USER));
        let token = token_record(&token_text(&TOKEN_SECRET), user, None, build::noon());
        data.write(StoreToken(token)).await?;
        Ok(())
    })
}

async fn fill_catalogue(data: &dyn TenantData) -> Result<()> {
    data.write(ReplaceCategories::with(&goods::categories())).await?;
    let products: Vec<_> = (0..goods::PRODUCTS).map(|number| build::upsert(goods::product(number))).collect();
    for some in products.chunks(PRODUCTS_PER_COMMIT) {
        data.write(UpsertProducts(some.to_vec())).await?;
    }
    Ok(())
}

fn store(folder: &Path) -> Result<Arc<dyn Database>> {
    let options = SqliteOptions::new(build::noon());
    Ok(Arc::new(SqliteStore::open(&folder.join("instructions.db"), &options)?))
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
