//! Everything between a connection and the router, in the order in which it is checked: preflight,
//! overload, size of the body, length of the URI, tenant; and around the router: time limit, panics,
//! `HEAD`, `ETag`, CORS, request id, access log, metrics. Plain functions, one after another: a
//! request is allowed about 12 us in all.

mod address;
mod call;
mod conditional;
mod cors;
mod finish;
mod health;
mod in_flight;
mod limits;
mod panics;
mod request_id;
mod seen;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::response::IntoResponse;
use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Response, Uri};
use http_body_util::{Full, Limited};
use pointbook_app::Service;

use crate::access_log::AccessLog;
use crate::metrics::RequestMetrics;
use crate::routes::{BodyLimit, body_limit};
use crate::{ApiError, RequestContext};
use call::Failure;
use health::{Probe, Readiness};
use in_flight::InFlight;
use request_id::RequestIds;
use seen::Seen;

pub use limits::HttpLimits;
pub use panics::log_panics;

/// Answers requests: all that is common to them here, what they ask for by the router.
pub struct Gateway {
    service: Arc<Service>,
    router: Router,
    limits: HttpLimits,
    access_log: Option<Arc<AccessLog>>,
    pub(crate) metrics: RequestMetrics,
    request_ids: RequestIds,
    in_flight: InFlight,
    readiness: Readiness,
    shutting_down: AtomicBool,
}

impl Gateway {
    /// A gateway before a router that finds a [`RequestContext`] with every request, and paths that
    /// begin below the tenant's base. Request ids begin with a prefix that no other process has.
    ///
    /// Metrics go to the recorder installed by now: call [`crate::metrics::install_metrics`] first.
    pub fn new(
        service: Arc<Service>,
        router: Router,
        limits: HttpLimits,
        access_log: Option<Arc<AccessLog>>,
        request_id_prefix: &str,
    ) -> Self {
        Self {
            service,
            router,
            limits,
            access_log,
            metrics: RequestMetrics::new(),
            request_ids: RequestIds::new(request_id_prefix),
            in_flight: InFlight::new(limits.max_concurrent_requests),
            readiness: Readiness::default(),
            shutting_down: AtomicBool::new(false),
        }
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
    pub async fn answer<B>(&self, request: Request<B>, peer: &str) -> Response<Full<Bytes>>
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<axum::BoxError>,
    {
        if let Some(probe) = Probe::of(request.uri().path()) {
            let answer = probe.answer(self, request.method()).await;
            return finish::probe(whole(answer).await, request.method());
        }
        let (mut parts, body) = request.into_parts();
        let mut seen = Seen::new(self, &mut parts);
        let answer = match self.decide(&seen, parts, body).await {
            Ok(answer) => answer,
            Err(error) => whole(error.into_response()).await,
        };
        seen.log_store_failure(&answer);
        let answer = finish::answer(answer, &mut seen);
        self.record(&seen, &answer, peer);
        answer.map(Full::new)
    }

    async fn decide<B>(&self, seen: &Seen, mut parts: Parts, body: B) -> Result<Response<Bytes>, ApiError>
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<axum::BoxError>,
    {
        if seen.cors.is_on && cors::is_preflight(&seen.method, &parts.headers) {
            return Ok(whole(cors::preflight(&parts.headers)).await);
        }
        let _place = self.in_flight.enter().ok_or(ApiError::Unavailable)?;
        let routed = seen.found.as_ref().and_then(|found| found.routed_uri(&seen.uri));
        let max_body_bytes = self.max_body_bytes(&seen.method, routed.as_ref());
        if body.size_hint().lower() > max_body_bytes {
            return Err(ApiError::PayloadTooLarge);
        }
        if seen.uri.path_and_query().is_some_and(|target| target.as_str().len() > self.limits.max_uri_bytes) {
            return Err(ApiError::UriTooLong);
        }
        let found = seen.found.as_ref().ok_or(ApiError::NotFound)?;
        parts.uri = routed.ok_or(ApiError::NotFound)?;
        if seen.method == Method::HEAD {
            parts.method = Method::GET;
        }
        let tenant = found.tenant.clone();
        parts.extensions.insert(RequestContext { tenant, now: seen.now, route: seen.route.clone() });
        let request = Request::from_parts(parts, routed_body(&seen.method, body, max_body_bytes));
        let answered = call::call(self.router.clone(), request, self.limits.request_timeout()).await;
        answered.map_err(|failure| seen.blame(failure))
    }

    /// How long the body of a request may be, in bytes.
    fn max_body_bytes(&self, method: &Method, routed: Option<&Uri>) -> u64 {
        // No other method has an import, and reads are not to pay for the question.
        let limit = match routed {
            Some(uri) if *method == Method::POST => body_limit(method, uri.path()),
            _ => BodyLimit::Ordinary,
        };
        self.limits.body_bytes(limit)
    }

    fn record(&self, seen: &Seen, answer: &Response<Bytes>, peer: &str) {
        let (route, duration) = (seen.route_name(), seen.started.elapsed());
        self.metrics.observe(route, &seen.method, answer.status(), duration);
        if let Some(log) = &self.access_log {
            log.write(&seen.log_line(answer, route, duration, peer));
        }
    }
}

/// A body on GET is ignored; elsewhere it ends at the limit even when it was not declared.
fn routed_body<B>(method: &Method, body: B, max_bytes: u64) -> Body
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Body::empty();
    }
    Body::new(Limited::new(body, usize::try_from(max_bytes).unwrap_or(usize::MAX)))
}

/// Our own answers are one piece, so this neither waits nor fails.
async fn whole(response: Response<Body>) -> Response<Bytes> {
    let answered = call::with_whole_body(response).await;
    answered.unwrap_or_else(|_: Failure| Response::new(Bytes::new()))
}
