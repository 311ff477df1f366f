//! Everything between a connection and the router, in the order in which it is checked: host, preflight,
//! overload, size of the body, length of the URI, tenant; and around the router: time limit, panics,
//! `HEAD`, `ETag`, CORS, request id, access log, metrics. Plain functions, one after another: a
//! request is allowed about 12 us in all.

mod address;
mod arriving;
mod call;
mod client_address;
mod compression;
mod conditional;
mod cors;
mod documents;
mod finish;
mod health;
mod in_flight;
mod limits;
mod panics;
mod received;
mod request_body;
mod request_id;
mod seen;

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::header::CONNECTION;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use hyper::body::Body;
use pointbook_app::{ServedTenant, Service};

use crate::access_log::{AccessLog, RefusedLine};
use crate::docs::DocsSettings;
use crate::metrics::RequestMetrics;
use crate::response::{Payload, Response};
use crate::{ApiError, Asked, BoxError};
use address::Target;
use client_address::ip_of;
use compression::Compression;
use documents::Document;
use health::Probe;
use request_id::RequestIds;
use seen::Seen;

pub(crate) use arriving::BodyOwner;
pub use client_address::TrustedProxies;
pub(crate) use conditional::{is_known, is_text_known};
pub use limits::{BodyLimit, HttpLimits};
pub use panics::log_panics;
pub(crate) use request_body::Permits;
pub use request_body::RequestBody;

/// What requests ask for.
pub trait Operations: Send + Sync {
    /// How long the body of a request to this path below a base may be. The gateway asks before it knows the sender,
    /// also for paths that no operation has.
    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit;

    /// Answers a request, also one for what there is not.
    fn answer<'r>(&'r self, asked: Asked<'r>) -> Answering<'r>;
}

/// An operation at work.
pub type Answering<'r> = Pin<Box<dyn Future<Output = Response> + Send + 'r>>;

/// Answers requests: all that is common to them here, what they ask for by the operations.
pub struct Gateway {
    service: Arc<Service>,
    operations: Box<dyn Operations>,
    limits: HttpLimits,
    access_log: Option<Arc<AccessLog>>,
    trusted_proxies: TrustedProxies,
    pub(crate) metrics: RequestMetrics,
    request_ids: RequestIds,
    permits: Permits,
    /// None where it is switched off.
    compression: Option<Compression>,
    /// None where there are no pages.
    docs: Option<DocsSettings>,
    description: documents::Description,
    shutting_down: AtomicBool,
}

impl Gateway {
    /// A gateway before these operations. Request ids begin with a prefix that no other process has.
    ///
    /// Metrics go to the recorder installed by now: call [`crate::metrics::install_metrics`] first.
    pub fn new(
        service: Arc<Service>,
        operations: impl Operations + 'static,
        limits: HttpLimits,
        access_log: Option<Arc<AccessLog>>,
        request_id_prefix: &str,
    ) -> Self {
        Self {
            service,
            operations: Box::new(operations),
            limits,
            access_log,
            trusted_proxies: TrustedProxies::default(),
            metrics: RequestMetrics::new(),
            request_ids: RequestIds::new(request_id_prefix),
            permits: Permits::new(&limits),
            compression: limits.compresses_answers.then(Compression::default),
            docs: None,
            description: documents::Description::default(),
            shutting_down: AtomicBool::new(false),
        }
    }

    /// The same with pages at `/docs`, filled in with these settings.
    #[must_use]
    pub fn with_docs(self, settings: DocsSettings) -> Self {
        Self { docs: Some(settings), ..self }
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

    fn is_shutting_down(&self) -> bool {
        self.shutting_down.load(Ordering::Relaxed)
    }

    /// Answers one request of the client at this address. Never fails and never panics.
    pub async fn answer<B>(&self, request: Request<B>, peer: &str) -> http::Response<Payload>
    where
        B: Body<Data = Bytes> + Send + Sync + 'static,
        B::Error: Into<BoxError>,
    {
        let (parts, body) = request.into_parts();
        let mut body = RequestBody::new(&self.permits, body);
        if let Some(mut answer) = self.answer_of_the_root(&parts) {
            close_after(&mut answer, &body, &parts.headers);
            return finish::probe(answer, &parts.method);
        }
        let directory = self.service.directory();
        let seen = Seen::new(self, &directory, parts);
        let mut answer = self.decide(&seen, &mut body).await.unwrap_or_else(ApiError::into_response);
        seen.log_store_failure(&answer, &self.service.health);
        finish::settle(&mut answer, &seen, &body, self).await;
        close_after(&mut answer, &body, &seen.headers);
        self.record(&seen, &answer, peer);
        finish::answer(answer, seen)
    }

    /// The response of a probe or a document, which belong to no tenant.
    fn answer_of_the_root(&self, parts: &Parts) -> Option<Response> {
        let path = parts.uri.path();
        let probe = Probe::of(path);
        let document = if probe.is_none() { Some(Document::of(path, self)?) } else { None };
        if address::authority(parts.version, &parts.uri, &parts.headers).is_err() {
            return Some(ApiError::InvalidHost.into_response());
        }
        match probe {
            Some(probe) => Some(probe.answer(self, &parts.method)),
            None => document.map(|document| document.answer(self, &parts.method, &parts.headers)),
        }
    }

    async fn decide(&self, seen: &Seen<'_>, body: &mut RequestBody<'_>) -> Result<Response, ApiError> {
        if seen.has_bad_host {
            return Err(ApiError::InvalidHost);
        }
        if seen.cors.is_on && cors::is_preflight(&seen.method, &seen.headers) {
            return Ok(cors::preflight(&seen.headers));
        }
        if !self.permits.in_flight.admits(body.has_body()) {
            return Err(ApiError::Unavailable);
        }
        let target = seen.found.as_ref().map(|found| found.target(&seen.uri));
        if body.has_body() {
            let max_bytes = self.max_body_bytes(&seen.method, target.as_ref());
            if body.declared_bytes() > max_bytes {
                return Err(ApiError::PayloadTooLarge);
            }
            body.limit(max_bytes);
        }
        if seen.uri.path_and_query().is_some_and(|target| target.as_str().len() > self.limits.max_uri_bytes) {
            return Err(ApiError::UriTooLong);
        }
        let Some((found, target)) = seen.found.as_ref().zip(target) else {
            return Err(ApiError::UnknownBaseUrl);
        };
        let answer = self.operations.answer(asked(seen, found.tenant, target, body));
        let answered = call::call(answer, self.limits.request_timeout(), body).await;
        answered.map_err(|failure| seen.blame(failure))
    }

    /// How long the body of a request may be, in bytes.
    fn max_body_bytes(&self, method: &Method, target: Option<&Target<'_>>) -> u64 {
        let limit = target.map(|target| self.operations.body_limit(method, target.path));
        self.limits.body_bytes(limit.unwrap_or(BodyLimit::Ordinary))
    }

    fn record(&self, seen: &Seen<'_>, answer: &Response, peer: &str) {
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
            let time = self.service.clock.now();
            log.write_refused(&RefusedLine { time, status: status.as_u16(), client: ip_of(peer), peer });
        }
    }
}

/// A request as the operations get it. The guard adds the pattern of the path and the sender.
fn asked<'r>(
    seen: &'r Seen<'_>,
    tenant: &'r Arc<ServedTenant>,
    target: Target<'r>,
    body: &'r RequestBody<'r>,
) -> Asked<'r> {
    Asked {
        tenant,
        now: seen.now,
        method: if seen.method == Method::HEAD { &Method::GET } else { &seen.method },
        path: target.path,
        query: target.query,
        headers: &seen.headers,
        body,
        route: &seen.route,
        pattern: "",
        principal: &seen.principal,
        sender: None,
    }
}

/// Says that the connection ends with this response, when what is left of the request's body leaves no choice.
fn close_after(answer: &mut Response, body: &RequestBody<'_>, headers: &HeaderMap) {
    if body.settle(headers) {
        answer.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
}
