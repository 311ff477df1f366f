//! Everything between a connection and an operation, in the order in which it is checked: host, preflight,
//! overload, size of the body, length of the URI, tenant; and around the operation: time limit, panics,
//! `HEAD`, `ETag`, CORS, request id, access log, metrics. Plain functions, one after another: a
//! request is allowed about 12 us in all.

mod address;
mod arriving;
mod call;
mod client_address;
mod compression;
mod conditional;
mod cors;
mod finish;
mod in_flight;
mod panics;
mod received;
mod request_body;
mod request_id;
mod seen;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::header::CONNECTION;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use hyper::body::Body;

use crate::BoxError;
use crate::access_log::{AccessLog, RefusedLine};
use crate::interface::Interface;
use crate::limits::{BodyLimit, HttpLimits};
use crate::metrics::RequestMetrics;
use crate::pages::{PageRequest, Pages};
use crate::refusal::Refusal;
use crate::request::{RootRequest, TenantRequest};
use crate::response::{Payload, Response};
use address::Target;
use client_address::ip_of;
use compression::Compression;
use finish::Finish;
use request_id::RequestIds;
use seen::Seen;

pub(crate) use address::has_valid_host;
pub use arriving::BodyOwner;
pub use client_address::TrustedProxies;
pub use compression::takes_gzip;
pub use conditional::{is_known, is_text_known};
pub use panics::log_panics;
pub use request_body::{Permits, RequestBody};

/// Answers requests: what is common to all of them here, what they ask for by the interface.
pub struct Gateway<I> {
    interface: I,
    pages: Option<Box<dyn Pages>>,
    limits: HttpLimits,
    access_log: Option<Arc<AccessLog>>,
    trusted_proxies: TrustedProxies,
    pub(crate) metrics: RequestMetrics,
    request_ids: RequestIds,
    permits: Permits,
    /// None where it is switched off.
    compression: Option<Compression>,
    shutting_down: AtomicBool,
}

impl<I: Interface> Gateway<I> {
    /// A gateway before this interface. Request ids begin with a prefix that no other process has.
    ///
    /// Metrics go to the recorder installed by now: call [`crate::install_metrics`] first.
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
            compression: limits.compresses_answers.then(Compression::default),
            shutting_down: AtomicBool::new(false),
        }
    }

    /// The same with these pages beside the tenants.
    #[must_use]
    pub fn with_pages(self, pages: impl Pages + 'static) -> Self {
        Self { pages: Some(Box::new(pages)), ..self }
    }

    /// The same behind these proxies, which say whom they ask for.
    #[must_use]
    pub fn with_trusted_proxies(self, trusted_proxies: TrustedProxies) -> Self {
        Self { trusted_proxies, ..self }
    }

    /// The limits that it holds clients to.
    pub fn limits(&self) -> &HttpLimits {
        &self.limits
    }

    /// Makes `/readyz` say from now on that no more requests should come. Requests are answered
    /// all the same.
    pub fn begin_shutdown(&self) {
        self.shutting_down.store(true, Ordering::Relaxed);
    }

    /// Answers one request of the client at this address. Never fails and never panics.
    pub async fn answer<B>(&self, request: Request<B>, peer: &str) -> http::Response<Payload>
    where
        B: Body<Data = Bytes> + Send + Sync + 'static,
        B::Error: Into<BoxError>,
    {
        let (parts, body) = request.into_parts();
        let mut body = RequestBody::new(&self.permits, body);
        let is_shutting_down = self.shutting_down.load(Ordering::Relaxed);
        let root = RootRequest { parts: &parts, permits: &self.permits, is_shutting_down };
        if let Some(mut answer) = self.interface.answer_at_root(&root) {
            close_after(&mut answer, &body, &parts.headers);
            return finish::at_root(answer, &parts.method);
        }
        let directory = self.interface.directory();
        let seen = Seen::new(&self.interface, &self.request_ids, &directory, parts);
        let mut answer = self.decide(&seen, &mut body).await.unwrap_or_else(I::refuse);
        seen.log_failure(&answer, &self.interface);
        let (timeout, compression) = (self.limits.request_timeout(), self.compression.as_ref());
        Finish { interface: &self.interface, compression, timeout }.settle(&mut answer, &seen, &body).await;
        close_after(&mut answer, &body, &seen.headers);
        self.record(&seen, &answer, peer);
        finish::answer(answer, seen)
    }

    async fn decide(&self, seen: &Seen<'_, I>, body: &mut RequestBody<'_>) -> Result<Response, Refusal> {
        if seen.has_bad_host {
            return Err(Refusal::InvalidHost);
        }
        if seen.cors.is_on && cors::is_preflight(&seen.method, &seen.headers) {
            return Ok(cors::preflight(&seen.headers));
        }
        if !self.permits.admits(body.has_body()) {
            return Err(Refusal::Unavailable);
        }
        let target = seen.found.as_ref().map(|found| Target::of(&seen.uri, found.base_bytes));
        if body.has_body() {
            let max_bytes = self.max_body_bytes(&seen.method, target.as_ref());
            if body.declared_bytes() > max_bytes {
                return Err(Refusal::PayloadTooLarge);
            }
            body.limit(max_bytes);
        }
        if seen.uri.path_and_query().is_some_and(|target| target.as_str().len() > self.limits.max_uri_bytes) {
            return Err(Refusal::UriTooLong);
        }
        let answer = match seen.found.as_ref().zip(target) {
            Some((found, target)) => self.interface.answer(tenant_request(seen, found.served, target, body)),
            None => self
                .pages
                .as_ref()
                .and_then(|pages| pages.answer(page_request(seen, body)))
                .ok_or(Refusal::UnknownBaseUrl)?,
        };
        let answered = call::call(answer, self.limits.request_timeout(), body).await;
        answered.map_err(|failure| seen.blame(failure))
    }

    /// How long the body of a request may be, in bytes.
    fn max_body_bytes(&self, method: &Method, target: Option<&Target<'_>>) -> u64 {
        let limit = target.map(|target| self.interface.body_limit(method, target.path));
        self.limits.body_bytes(limit.unwrap_or(BodyLimit::Ordinary))
    }

    fn record(&self, seen: &Seen<'_, I>, answer: &Response, peer: &str) {
        let (route, duration) = (seen.route_name(), seen.started.elapsed());
        self.metrics.observe(route, &seen.method, answer.status, duration);
        if let Some(log) = &self.access_log {
            let client = self.trusted_proxies.client(peer, &seen.headers);
            log.write(&seen.log_line(answer, route, duration, &client, peer));
        }
    }

    /// Counts and logs the response of hyper to bytes that it could not read as a request.
    pub(crate) fn record_unparsed(&self, status: StatusCode, peer: &str) {
        RequestMetrics::observe_unparsed(status);
        if let Some(log) = &self.access_log {
            let time = self.interface.now();
            log.write_refused(&RefusedLine { time, status: status.as_u16(), client: ip_of(peer), peer });
        }
    }
}

/// A request as the operations get it.
fn tenant_request<'r, I: Interface>(
    seen: &'r Seen<'_, I>,
    tenant: &'r Arc<I::Served>,
    target: Target<'r>,
    body: &'r RequestBody<'r>,
) -> TenantRequest<'r, I> {
    TenantRequest {
        tenant,
        now: seen.now,
        method: if seen.method == Method::HEAD { &Method::GET } else { &seen.method },
        path: target.path,
        query: target.query,
        headers: &seen.headers,
        body,
        route: &seen.route,
        principal: &seen.principal,
    }
}

/// A request as the pages get it.
fn page_request<'r, I: Interface>(seen: &'r Seen<'_, I>, body: &'r RequestBody<'r>) -> PageRequest<'r> {
    PageRequest { method: &seen.method, uri: &seen.uri, headers: &seen.headers, body }
}

/// Says that the connection ends with this response, when what is left of the request's body leaves no choice.
fn close_after(answer: &mut Response, body: &RequestBody<'_>, headers: &HeaderMap) {
    if body.settle(headers) {
        answer.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
}
