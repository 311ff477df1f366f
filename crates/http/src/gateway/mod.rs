//! Everything between a connection and the router, in the order in which it is checked: preflight,
//! overload, size of the body, length of the URI, tenant; and around the router: time limit, panics,
//! `HEAD`, `ETag`, CORS, request id, access log, metrics. Plain functions, one after another: a
//! request is allowed about 12 us in all.

mod address;
mod call;
mod compression;
mod conditional;
mod cors;
mod documents;
mod finish;
mod health;
mod in_flight;
mod limits;
mod panics;
mod request_id;
mod seen;

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Limited};
use hyper::body::Body;
use pointbook_app::Service;

use crate::access_log::AccessLog;
use crate::docs::DocsSettings;
use crate::metrics::RequestMetrics;
use crate::response::{Payload, Response};
use crate::routes::{BodyLimit, body_limit};
use crate::{ApiError, Asked, BoxError};
use address::Target;
use compression::Compression;
use documents::Document;
use health::{Probe, Readiness};
use in_flight::InFlight;
use request_id::RequestIds;
use seen::Seen;

pub(crate) use conditional::is_known;
pub use limits::HttpLimits;
pub use panics::log_panics;

/// What requests ask for.
pub trait Operations: Send + Sync {
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
    pub(crate) metrics: RequestMetrics,
    request_ids: RequestIds,
    in_flight: InFlight,
    readiness: Readiness,
    /// None where it is switched off.
    compression: Option<Compression>,
    /// None where there are no pages.
    docs: Option<DocsSettings>,
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
            metrics: RequestMetrics::new(),
            request_ids: RequestIds::new(request_id_prefix),
            in_flight: InFlight::new(limits.max_concurrent_requests),
            readiness: Readiness::default(),
            compression: limits.compresses_answers.then(Compression::default),
            docs: None,
            shutting_down: AtomicBool::new(false),
        }
    }

    /// The same with pages at `/docs`, filled in with these settings.
    #[must_use]
    pub fn with_docs(self, settings: DocsSettings) -> Self {
        Self { docs: Some(settings), ..self }
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
        if let Some(probe) = Probe::of(request.uri().path()) {
            return finish::probe(probe.answer(self, request.method()).await, request.method());
        }
        if let Some(document) = Document::of(request.uri().path(), self) {
            let answer = document.answer(self, request.method(), request.headers());
            return finish::probe(answer, request.method());
        }
        let (parts, body) = request.into_parts();
        let directory = self.service.directory();
        let seen = Seen::new(self, &directory, parts);
        let mut answer = self.decide(&seen, body).await.unwrap_or_else(ApiError::into_response);
        seen.log_store_failure(&answer);
        finish::settle(&mut answer, &seen, self.compression.as_ref()).await;
        self.record(&seen, &answer, peer);
        finish::answer(answer, seen)
    }

    async fn decide<B>(&self, seen: &Seen<'_>, body: B) -> Result<Response, ApiError>
    where
        B: Body<Data = Bytes> + Send + Sync + 'static,
        B::Error: Into<BoxError>,
    {
        if seen.cors.is_on && cors::is_preflight(&seen.method, &seen.headers) {
            return Ok(cors::preflight(&seen.headers));
        }
        if !self.in_flight.has_room() {
            return Err(ApiError::Unavailable);
        }
        let target = seen.found.as_ref().map(|found| found.target(&seen.uri));
        let max_body_bytes = self.max_body_bytes(&seen.method, target.as_ref());
        if body.size_hint().lower() > max_body_bytes {
            return Err(ApiError::PayloadTooLarge);
        }
        if seen.uri.path_and_query().is_some_and(|target| target.as_str().len() > self.limits.max_uri_bytes) {
            return Err(ApiError::UriTooLong);
        }
        let Some((found, target)) = seen.found.as_ref().zip(target) else { return Err(ApiError::NotFound) };
        let asked = Asked {
            tenant: found.tenant,
            now: seen.now,
            method: if seen.method == Method::HEAD { &Method::GET } else { &seen.method },
            path: target.path,
            query: target.query,
            headers: &seen.headers,
            body: asked_body(&seen.method, body, max_body_bytes),
            route: &seen.route,
            sender: None,
        };
        let answer = self.operations.answer(asked);
        let answered = call::call(answer, self.limits.request_timeout(), &self.in_flight).await;
        answered.map_err(|failure| seen.blame(failure))
    }

    /// How long the body of a request may be, in bytes.
    fn max_body_bytes(&self, method: &Method, target: Option<&Target<'_>>) -> u64 {
        // No other method has an import, and reads are not to pay for the question.
        let limit = match target {
            Some(target) if *method == Method::POST => body_limit(method, target.path),
            _ => BodyLimit::Ordinary,
        };
        self.limits.body_bytes(limit)
    }

    fn record(&self, seen: &Seen<'_>, answer: &Response, peer: &str) {
        let (route, duration) = (seen.route_name(), seen.started.elapsed());
        self.metrics.observe(route, &seen.method, answer.status, duration);
        if let Some(log) = &self.access_log {
            log.write(&seen.log_line(answer, route, duration, peer));
        }
    }
}

/// A body on GET is ignored; elsewhere it ends at the limit even when it was not declared.
fn asked_body<B>(method: &Method, body: B, max_bytes: u64) -> Option<BoxBody<Bytes, BoxError>>
where
    B: Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<BoxError>,
{
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return None;
    }
    Some(BodyExt::boxed(Limited::new(body, usize::try_from(max_bytes).unwrap_or(usize::MAX))))
}
