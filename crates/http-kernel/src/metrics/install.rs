//! The recorder behind the metrics, and the list of all there are.

use std::sync::{Mutex, PoisonError};

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Renders all metrics in the Prometheus text format. Whoever holds it must call `run_upkeep` now and
/// then, as [`crate::serve_metrics`] does, or measurements pile up.
pub type MetricsHandle = PrometheusHandle;

/// Upper bounds of the buckets for things that take as long as a request, in seconds.
const REQUEST_SECONDS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
    0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Upper bounds of the buckets for things that take as long as loading a catalogue, in seconds.
const BUILD_SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Upper bounds of the buckets for writes that share a commit, in writes.
const JOBS_PER_COMMIT: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Installs the process's recorder. To be called before anything is measured; called again, it gives
/// the recorder that is there.
///
/// # Errors
/// When another recorder was installed by somebody else.
pub fn install_metrics() -> Result<MetricsHandle, BuildError> {
    static INSTALLED: Mutex<Option<MetricsHandle>> = Mutex::new(None);
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = &*installed {
        return Ok(handle.clone());
    }
    let buckets = |name: &str| Matcher::Full(name.to_owned());
    let handle = PrometheusBuilder::new()
        .set_buckets(&REQUEST_SECONDS)?
        .set_buckets_for_metric(buckets("pointbook_catalogue_build_seconds"), &BUILD_SECONDS)?
        .set_buckets_for_metric(buckets("pointbook_writer_jobs_per_commit"), &JOBS_PER_COMMIT)?
        .install_recorder()?;
    describe();
    Ok(installed.insert(handle).clone())
}

fn describe_requests() {
    describe_counter!("pointbook_http_requests_total", "Requests answered, by route, method and status.");
    describe_histogram!(
        "pointbook_http_request_duration_seconds",
        Unit::Seconds,
        "From the end of a request's head to its answer, by route, method and status."
    );
    describe_gauge!(
        "pointbook_http_requests_in_flight",
        "Requests that were not answered at once and wait for it now."
    );
    describe_gauge!("pointbook_http_bodies_arriving", "Requests that wait for their body.");
    describe_gauge!(
        "pointbook_http_body_memory_bytes",
        Unit::Bytes,
        "Memory of bodies that did not come at once, until their requests are answered."
    );
    describe_counter!(
        "pointbook_http_requests_refused_total",
        "Requests answered with 503 because a bound was used up, by bound."
    );
    describe_gauge!("pointbook_http_connections", "Open connections.");
}

fn describe() {
    describe_requests();
    describe_counter!(
        "pointbook_access_log_dropped_total",
        "Lines that the access log's sink was too slow for."
    );
    describe_gauge!(
        "pointbook_catalogue_age_seconds",
        Unit::Seconds,
        "Age of a tenant's catalogue in memory."
    );
    describe_gauge!("pointbook_catalogue_bytes", Unit::Bytes, "Memory taken by a tenant's catalogue.");
    describe_gauge!("pointbook_catalogue_products", "Products in a tenant's catalogue.");
    describe_histogram!(
        "pointbook_catalogue_build_seconds",
        Unit::Seconds,
        "Time to load or refresh a catalogue."
    );
    describe_histogram!("pointbook_store_seconds", Unit::Seconds, "Time in the database, by operation.");
    describe_histogram!("pointbook_writer_jobs_per_commit", "Writes that shared a commit.");
    describe_gauge!("pointbook_long_reads_waiting", "Long reads that wait for their turn.");
    describe_gauge!("pointbook_short_reads_waiting", "Short reads that wait for a connection to PostgreSQL.");
    describe_gauge!("pointbook_writer_waiting", "Writes that wait for their turn.");
    describe_gauge!(
        "pointbook_super_user_token_expires_in_seconds",
        Unit::Seconds,
        "Until the first active super-user token of a tenant expires."
    );
}
