//! Every metric with its kind and its description. `server/src/measure` has the metrics of the process.

/// A metric: its name and its description.
#[derive(Debug, Clone, Copy)]
pub enum Metric {
    Counter(&'static str, &'static str),
    Gauge(&'static str, &'static str),
    Histogram(&'static str, &'static str),
}

use Metric::{Counter, Gauge, Histogram};

pub const METRICS: &[Metric] = &[
    Counter("pointbook_http_requests_total", "Responses, by route, method and status."),
    Counter(
        "pointbook_http_requests_refused_total",
        "Requests that got 503 because a bound was reached, by bound.",
    ),
    Counter(
        "pointbook_tenant_requests_rejected_total",
        "Requests that got 429 or 503, by tenant and status. The empty tenant stands for all unknown base URLs.",
    ),
    Counter(
        "pointbook_access_log_dropped_total",
        "Lines that the access log dropped, because its output was too slow.",
    ),
    Counter("pointbook_job_runs_total", "Runs of background jobs, by job and outcome."),
    Counter("pointbook_activities_recorded_total", "Ledger rows that belong to no order, by tenant."),
    Counter("pointbook_points_earned_total", "Points that ledger rows added, by tenant."),
    Counter("pointbook_points_spent_total", "Points that ledger rows took, by tenant."),
    Counter("pointbook_orders_placed_total", "Orders placed, by tenant."),
    Counter("pointbook_orders_cancelled_total", "Orders cancelled, by tenant."),
    Counter(
        "pointbook_requests_replayed_total",
        "Requests that got the response of an earlier request with the same Idempotency-Key, by tenant.",
    ),
    Histogram(
        "pointbook_http_request_duration_seconds",
        "Time from the end of a request's head to its response, by route, method and status.",
    ),
    Histogram("pointbook_catalogue_build_seconds", "Time to load or refresh a catalogue."),
    Histogram("pointbook_store_seconds", "Time in the database, by operation."),
    Histogram("pointbook_writer_jobs_per_commit", "Writes in each commit."),
    Gauge("pointbook_build_info", "Always 1; the labels say which build runs."),
    Gauge(
        "pointbook_http_requests_in_flight",
        "Requests that wait for their response, without those that got it at once.",
    ),
    Gauge("pointbook_http_bodies_arriving", "Requests that wait for their body."),
    Gauge(
        "pointbook_http_body_memory_bytes",
        "Memory of bodies that arrived after their head, until the responses.",
    ),
    Gauge("pointbook_http_connections", "Open connections."),
    Counter(
        "pointbook_http_connections_refused_total",
        "Connections that were closed at once because their network address had its share.",
    ),
    Gauge(
        "pointbook_webhook_lag_events",
        "Events of the feed after the cursor of a tenant's enabled webhook that is behind most.",
    ),
    Gauge(
        "pointbook_webhook_lag_seconds",
        "Age of the oldest event that a tenant's enabled webhook has not got; 0 without one.",
    ),
    Gauge("pointbook_catalogue_age_seconds", "Age of a tenant's catalogue in memory."),
    Gauge("pointbook_catalogue_bytes", "Memory taken by a tenant's catalogue."),
    Gauge("pointbook_catalogue_products", "Products in a tenant's catalogue."),
    Gauge(
        "pointbook_catalogue_checked_timestamp_seconds",
        "When a tenant's catalogue was last compared with the database, in seconds since 1970.",
    ),
    Gauge("pointbook_database_up", "1 while the database responds, else 0."),
    Gauge("pointbook_database_bytes", "Size of the database."),
    Gauge("pointbook_database_log_bytes", "Size of the write-ahead log of a SQLite file."),
    Gauge("pointbook_pool_connections", "Open connections of the PostgreSQL pool."),
    Gauge("pointbook_pool_connections_max", "The most connections that the PostgreSQL pool opens."),
    Gauge("pointbook_pool_connections_in_use", "Connections of the PostgreSQL pool that are in use."),
    Gauge("pointbook_pool_waiting", "Database operations that wait for a connection of the PostgreSQL pool."),
    Gauge("pointbook_long_reads_waiting", "Long reads that wait in their queue."),
    Gauge("pointbook_short_reads_waiting", "Short reads that wait for a connection to PostgreSQL."),
    Gauge("pointbook_writer_waiting", "Writes that wait in their queue."),
    Gauge(
        "pointbook_super_user_token_expires_in_seconds",
        "Time until the first active super-user token of a tenant expires.",
    ),
    Gauge("pointbook_jobs_late", "Background jobs of all tenants that have been due for more than a minute."),
    Gauge("pointbook_jobs_failing", "Background jobs of all tenants whose last run failed."),
];

impl Metric {
    pub fn name(&self) -> &'static str {
        match self {
            Counter(name, _) | Gauge(name, _) | Histogram(name, _) => name,
        }
    }
}

/// Passes the description of every metric to the installed recorder.
pub fn describe() {
    for metric in METRICS {
        match *metric {
            Counter(name, text) => metrics::describe_counter!(name, text),
            Gauge(name, text) => metrics::describe_gauge!(name, text),
            Histogram(name, text) => metrics::describe_histogram!(name, text),
        }
    }
}
