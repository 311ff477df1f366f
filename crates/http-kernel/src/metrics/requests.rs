//! Counting requests by route, method and status, without asking the recorder for a name each time.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use http::{Method, StatusCode};
use metrics::{Counter, Gauge, Histogram};

/// The route and the method under which hyper's responses to unreadable bytes count.
const UNPARSED: &str = "none";

/// The handles of all series seen so far. They are few (routes, methods and statuses are ours), so
/// that looking through a list is quicker than hashing; and adding one is rare, so that readers never
/// wait.
pub(crate) struct RequestMetrics {
    known: ArcSwap<Vec<Series>>,
    pub(crate) connections: Gauge,
}

#[derive(Clone)]
struct Series {
    route: &'static str,
    method: &'static str,
    status: StatusCode,
    requests: Counter,
    seconds: Histogram,
}

impl RequestMetrics {
    pub(crate) fn new() -> Self {
        Self { known: ArcSwap::default(), connections: metrics::gauge!("pointbook_http_connections") }
    }

    /// Counts an answer.
    pub(crate) fn observe(
        &self,
        route: &'static str,
        method: &Method,
        status: StatusCode,
        duration: Duration,
    ) {
        let method = label(method);
        let known = self.known.load();
        let seconds = duration.as_secs_f64();
        if let Some(series) = known.iter().find(|series| series.is(route, method, status)) {
            return series.record(seconds);
        }
        let series = Series::new(route, method, status);
        series.record(seconds);
        self.known.rcu(|known| {
            let mut more = Vec::clone(known);
            if !more.iter().any(|one| one.is(route, method, status)) {
                more.push(series.clone());
            }
            Arc::new(more)
        });
    }

    /// Counts an answer to what was no request.
    pub(crate) fn observe_unparsed(status: StatusCode) {
        let status = status.as_str().to_owned();
        let labels = [("route", UNPARSED.to_owned()), ("method", UNPARSED.to_owned()), ("status", status)];
        metrics::counter!("pointbook_http_requests_total", &labels).increment(1);
    }
}

impl Series {
    fn new(route: &'static str, method: &'static str, status: StatusCode) -> Self {
        let text = status.as_str().to_owned();
        let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", text)];
        Self {
            route,
            method,
            status,
            requests: metrics::counter!("pointbook_http_requests_total", &labels),
            seconds: metrics::histogram!("pointbook_http_request_duration_seconds", &labels),
        }
    }

    fn is(&self, route: &str, method: &str, status: StatusCode) -> bool {
        self.status == status && self.route == route && self.method == method
    }

    fn record(&self, seconds: f64) {
        self.requests.increment(1);
        self.seconds.record(seconds);
    }
}

/// The method's name; one for all that clients make up, so that they cannot make up series.
fn label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
