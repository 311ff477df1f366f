//! The metrics of requests.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use http::{Method, StatusCode};
use metrics::{Counter, Gauge, Histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Renders all metrics in the Prometheus text format. The owner must call `run_upkeep` regularly, as [`crate::kernel::serve_metrics`]
/// does, or measurements pile up.
pub type MetricsHandle = PrometheusHandle;

/// Upper bounds of the buckets for durations like those of requests, in seconds.
const REQUEST_SECONDS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
    0.5, 1.0, 2.5, 5.0, 10.0,
];
/// Upper bounds of the buckets for durations like those of catalogue loads, in seconds.
const BUILD_SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];
/// Upper bounds of the buckets for writes that share a commit, in writes.
const JOBS_PER_COMMIT: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

const REQUESTS: &str = "pointbook_http_requests_total";
const REJECTED: &str = "pointbook_tenant_requests_rejected_total";
const REQUEST_DURATION: &str = "pointbook_http_request_duration_seconds";
const CATALOGUE_BUILD: &str = "pointbook_catalogue_build_seconds";
const WRITER_JOBS: &str = "pointbook_writer_jobs_per_commit";

/// Installs the process's recorder. Call it before the first measurement. A second call returns the same recorder.
///
/// # Errors
/// When other code has installed another recorder.
pub fn install_metrics() -> Result<MetricsHandle, BuildError> {
    static INSTALLED: Mutex<Option<MetricsHandle>> = Mutex::new(None);
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = &*installed {
        return Ok(handle.clone());
    }
    let buckets = |name: &str| Matcher::Full(name.to_owned());
    let handle = PrometheusBuilder::new()
        .set_buckets(&REQUEST_SECONDS)?
        .set_buckets_for_metric(buckets(CATALOGUE_BUILD), &BUILD_SECONDS)?
        .set_buckets_for_metric(buckets(WRITER_JOBS), &JOBS_PER_COMMIT)?
        .install_recorder()?;
    pointbook_store::measure::describe();
    Ok(installed.insert(handle).clone())
}

/// The handles of all series so far, so that the recorder is asked once per name. They are few (routes, methods and statuses are
/// ours), so a scan is faster than a hash.
pub(crate) struct RequestMetrics {
    known: ArcSwap<Vec<Series>>,
    pub(crate) connections: Gauge,
    /// Connections that were closed because their address had its share.
    pub(crate) refused_connections: Counter,
}

#[derive(Clone)]
struct Series {
    key: (&'static str, &'static str, StatusCode),
    requests: Counter,
    seconds: Histogram,
}

impl RequestMetrics {
    pub(crate) fn new() -> Self {
        let refused_connections = metrics::counter!("pointbook_http_connections_refused_total");
        let connections = metrics::gauge!("pointbook_http_connections");
        Self { known: ArcSwap::default(), connections, refused_connections }
    }

    pub(crate) fn observe(
        &self,
        route: &'static str,
        method: &Method,
        status: StatusCode,
        duration: Duration,
    ) {
        let (key, seconds) = ((route, label(method), status), duration.as_secs_f64());
        if let Some(series) = self.known.load().iter().find(|series| series.key == key) {
            return series.record(seconds);
        }
        let labels = labels(route, key.1, status);
        let requests = metrics::counter!(REQUESTS, &labels);
        let series = Series { key, requests, seconds: metrics::histogram!(REQUEST_DURATION, &labels) };
        series.record(seconds);
        // Two threads may add the same series, which only costs an entry.
        self.known.rcu(|known| known.iter().chain([&series]).cloned().collect::<Vec<_>>());
    }

    /// Counts a rejected request for its tenant, given by slug and environment. `None` when no tenant has its base URL or its page:
    /// clients must not create series.
    pub(crate) fn observe_rejected(tenant: Option<[&str; 2]>, status: StatusCode) {
        let tenant = tenant.map(|tenant| tenant.join("/"));
        let labels = [("tenant", tenant.unwrap_or_default()), ("status", status.as_str().to_owned())];
        metrics::counter!(REJECTED, &labels).increment(1);
    }

    pub(crate) fn observe_unparsed(status: StatusCode) {
        metrics::counter!(REQUESTS, &labels("none", "none", status)).increment(1);
    }
}

impl Series {
    fn record(&self, seconds: f64) {
        self.requests.increment(1);
        self.seconds.record(seconds);
    }
}

fn labels(route: &'static str, method: &'static str, status: StatusCode) -> [(&'static str, String); 3] {
    [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.as_str().to_owned())]
}

/// The method's name. All unknown methods share one, so that clients cannot create series.
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
