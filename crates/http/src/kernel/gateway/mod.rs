//! The steps between a connection and an operation, in this order: host, preflight, overload, size of the body, length of the
//! URI, tenant. Around the operation: time limit, panics, `HEAD`, `ETag`, CORS, request id, access log, metrics. They are plain
//! functions; a request may take about 12 us in all.

mod address;
mod arriving;
mod call;
mod client_address;
mod compression;
mod cors;
mod finish;
mod permits;
mod request_body;
mod request_id;
mod seen;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

pub use address::{Repeated, has_valid_host, only_header, requested_authority};
pub use arriving::BodyOwner;
use bytes::Bytes;
use call::Threads;
pub use call::log_panics;
use client_address::ip_of;
pub(crate) use client_address::network_of;
pub use client_address::{ClientAddress, TrustedProxies};
use compression::Compression;
pub use compression::takes_gzip;
use finish::close_after;
use http::{Method, Request, StatusCode};
use hyper::body::Body;
pub use permits::Permits;
use pointbook_domain::{OperatorId, UserId};
pub use request_body::RequestBody;
use request_id::RequestIds;
use seen::Seen;
use tokio::time::sleep_until;

use crate::kernel::access_log::{AccessLine, AccessLog};
use crate::kernel::metrics::RequestMetrics;
use crate::kernel::response::{Response, Sent};
use crate::kernel::{
    BodyLimit, BoxError, Face, HttpLimits, Interface, PageRequest, Pages, Refusal, RefusedRequest,
    RootRequest, TenantRequest,
};

/// A 429 and a 503 are sent this long after the request began at the earliest. Otherwise a client that repeats a refused request at once
/// would take much time of the threads that all requests share.
const MIN_REFUSAL: Duration = Duration::from_millis(100);

/// Responds to requests: the steps that all requests share.
pub struct Gateway<I: Interface> {
    interface: I,
    pages: Option<Box<dyn Pages<I::Known>>>,
    pub(crate) limits: HttpLimits,
    access_log: Option<Arc<AccessLog>>,
    pub(crate) trusted_proxies: TrustedProxies,
    pub(crate) metrics: RequestMetrics,
    request_ids: RequestIds,
    permits: Permits,
    threads: Threads,
    compression: Option<Compression>,
    shutting_down: AtomicBool,
}

impl<I: Interface> Gateway<I> {
    /// A gateway for this interface. The prefix of request ids is unique to the process.
    ///
    /// Metrics go to the installed recorder: call [`crate::kernel::install_metrics`] first.
    pub fn new(
        interface: I,
        limits: HttpLimits,
        access_log: Option<Arc<AccessLog>>,
        request_id_prefix: &str,
    ) -> Self {
        Self {
            interface,
            pages: None,
            limits,
            access_log,
            trusted_proxies: TrustedProxies::default(),
            metrics: RequestMetrics::new(),
            request_ids: RequestIds::new(request_id_prefix),
            permits: Permits::new(&limits),
            threads: Threads::new(available_parallelism().map_or(1, Into::into)),
            compression: limits.compresses_answers.then(Compression::default),
            shutting_down: AtomicBool::new(false),
        }
    }

    #[must_use]
    pub fn with_pages(self, pages: impl Pages<I::Known> + 'static) -> Self {
        Self { pages: Some(Box::new(pages)), ..self }
    }

    /// The same behind these proxies.
    #[must_use]
    pub fn with_trusted_proxies(self, trusted_proxies: TrustedProxies) -> Self {
        Self { trusted_proxies, ..self }
    }

    /// From now on `/readyz` asks load balancers to send no more requests. The server still responds to them.
    pub(crate) fn begin_shutdown(&self) {
        self.shutting_down.store(true, Ordering::Relaxed);
    }

    /// Responds to one request of the client at this address, which came by a listener with this face. Never fails and never panics.
    pub async fn answer<B>(&self, request: Request<B>, peer: &str, face: Face) -> Sent
    where
        B: Body<Data = Bytes> + Send + Sync + 'static,
        B::Error: Into<BoxError>,
    {
        let (parts, body) = request.into_parts();
        let mut body = RequestBody::new(&self.permits, body);
        let is_shutting_down = self.shutting_down.load(Ordering::Relaxed);
        let root = RootRequest { parts: &parts, face, permits: &self.permits, is_shutting_down };
        if let Some(mut answer) = self.interface.answer_at_root(&root) {
            close_after(&mut answer, &body, &parts.headers);
            return finish::sent_at_root(answer, &parts.method);
        }
        let directory = self.interface.directory();
        let seen = Seen::new(&self.interface, &self.request_ids, &directory, parts, face);
        let mut answer =
            self.decide(&seen, &mut body, peer).await.unwrap_or_else(|refusal| self.refuse(&seen, refusal));
        seen.log_failure(&answer, &self.interface);
        self.settle(&mut answer, &seen, &body).await;
        close_after(&mut answer, &body, &seen.headers);
        self.record(&seen, &answer, peer);
        if is_refusal(answer.status) {
            // Its permits go back first.
            drop(body);
            sleep_until(seen.started + MIN_REFUSAL).await;
        }
        finish::sent(answer, seen)
    }

    async fn decide(
        &self,
        seen: &Seen<'_, I>,
        body: &mut RequestBody<'_>,
        peer: &str,
    ) -> Result<Response, Refusal> {
        let Seen { method, uri, headers, found, .. } = seen;
        if seen.has_bad_host {
            return Err(Refusal::InvalidHost);
        }
        if seen.cors.is_on && cors::is_preflight(method, headers) {
            return Ok(cors::preflight(headers));
        }
        let client = ClientAddress::new(&self.trusted_proxies, peer, headers);
        let lane = || seen.lane(|| client.network());
        if !self.permits.admits(lane, body.has_body()) {
            return Err(Refusal::Unavailable);
        }
        // Below the tenant's base URL, without a trailing slash.
        let path = found.as_ref().and_then(|found| uri.path().get(found.base_bytes..)).unwrap_or_default();
        let path = path.strip_suffix('/').unwrap_or(path);
        if body.has_body() {
            self.set_limit(body, self.body_limit(seen, path))?;
        }
        if uri.path_and_query().is_some_and(|target| target.as_str().len() > self.limits.max_uri_bytes) {
            return Err(Refusal::UriTooLong);
        }
        let body = &*body;
        let answer = match (found, &self.pages) {
            (Some(found), _) => self.interface.answer(tenant_request(seen, found.served, path, body, client)),
            (None, Some(pages)) => {
                pages.answer(page_request(seen, body, client)).ok_or(Refusal::UnknownBaseUrl)?
            }
            (None, None) => return Err(Refusal::UnknownBaseUrl),
        };
        let timeout = Duration::from_millis(self.limits.request_timeout_ms);
        let is_read = found.is_some() && !body.has_body();
        let worker = || seen.worker(|| client.network());
        let threads = (&self.threads, is_read);
        call::call(answer, timeout, threads, body, worker, lane).await.map_err(|reason| seen.blame(reason))
    }

    /// A browser gets a page where pages are. All other clients get the error of the interface.
    fn refuse(&self, seen: &Seen<'_, I>, refusal: Refusal) -> Response {
        let face = seen.face;
        let request =
            RefusedRequest { face, uri: &seen.uri, headers: &seen.headers, tenant: &seen.page_tenant };
        let pages = self.pages.as_ref().filter(|_| seen.found.is_none());
        pages
            .and_then(|pages| pages.refuse(request, &refusal))
            .unwrap_or_else(|| self.interface.refuse(refusal, seen.target()))
    }

    fn body_limit(&self, seen: &Seen<'_, I>, path: &str) -> BodyLimit {
        match (&seen.found, &self.pages) {
            (Some(_), _) => self.interface.body_limit(&seen.method, path),
            (None, Some(pages)) => pages.body_limit(seen.face, &seen.method, &seen.uri),
            (None, None) => BodyLimit::Ordinary,
        }
    }

    fn set_limit(&self, body: &mut RequestBody<'_>, limit: BodyLimit) -> Result<(), Refusal> {
        let declared = body.limit(self.max_body_bytes(limit));
        if let BodyLimit::Form(_) = limit { Ok(()) } else { declared }
    }

    fn max_body_bytes(&self, limit: BodyLimit) -> u64 {
        match limit {
            BodyLimit::Ordinary => self.limits.max_body_bytes,
            BodyLimit::Import => self.limits.max_import_body_bytes,
            BodyLimit::Bytes(bytes) | BodyLimit::Form(bytes) => u64::try_from(bytes).unwrap_or(u64::MAX),
        }
    }

    fn record(&self, seen: &Seen<'_, I>, answer: &Response, peer: &str) {
        let route = seen.route.get().copied().unwrap_or("none");
        let duration = seen.started.elapsed();
        self.metrics.observe(route, &seen.method, answer.status, duration);
        if is_refusal(answer.status) {
            RequestMetrics::observe_rejected(seen.tenant_name(), answer.status);
        }
        let Some(log) = &self.access_log else { return };
        let principal = seen.principal.get().map(|known| I::principal(known));
        log.write(&AccessLine {
            time: seen.now,
            request_id: seen.request_id(),
            tenant: seen.tenant_name().map(|[slug, environment]| (slug, environment)),
            method: seen.method.as_str(),
            path: seen.uri.path(),
            route,
            status: answer.status.as_u16(),
            duration_us: u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
            response_bytes: answer.body.len(),
            token_id: principal.map(|principal| &*principal.token_id),
            user_id: principal.and_then(|principal| principal.kind.user()).map(UserId::as_str),
            operator_id: seen.operator.get().map(OperatorId::as_str),
            client: &self.trusted_proxies.client(peer, &seen.headers),
            peer,
        });
    }

    /// Counts and logs the response of hyper to bytes that it could not parse.
    pub(crate) fn record_unparsed(&self, status: StatusCode, peer: &str) {
        RequestMetrics::observe_unparsed(status);
        if let Some(log) = &self.access_log {
            log.write_refused(self.interface.now(), status, ip_of(peer), peer);
        }
    }
}

/// Whether the client may send the same request again later.
fn is_refusal(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

fn page_request<'r, I: Interface>(
    seen: &'r Seen<'_, I>,
    body: &'r RequestBody<'r>,
    client: ClientAddress<'r>,
) -> PageRequest<'r, I::Known> {
    PageRequest {
        face: seen.face,
        method: if seen.method == Method::HEAD { &Method::GET } else { &seen.method },
        uri: &seen.uri,
        headers: &seen.headers,
        body,
        route: &seen.route,
        tenant: &seen.page_tenant,
        principal: &seen.principal,
        operator: &seen.operator,
        client,
        request_id: seen.request_id(),
    }
}

fn tenant_request<'r, I: Interface>(
    seen: &'r Seen<'_, I>,
    tenant: &'r Arc<I::Served>,
    path: &'r str,
    body: &'r RequestBody<'r>,
    client: ClientAddress<'r>,
) -> TenantRequest<'r, I> {
    TenantRequest {
        tenant,
        now: seen.tenant_now,
        method: if seen.method == Method::HEAD { &Method::GET } else { &seen.method },
        path,
        query: seen.uri.query(),
        headers: &seen.headers,
        body,
        route: &seen.route,
        principal: &seen.principal,
        client,
        request_id: seen.request_id(),
    }
}
