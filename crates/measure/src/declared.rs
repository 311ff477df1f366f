//! Every metric with its kind and its meaning. The figures of the process stand beside their reader, in `server`.

/// A metric of the program.
#[derive(Debug, Clone, Copy)]
pub enum Metric {
    Counter(&'static str, &'static str),
    Gauge(&'static str, &'static str),
    Histogram(&'static str, &'static str),
}

use Metric::{Counter, Gauge, Histogram};

pub const METRICS: &[Metric] = &[
    Counter("pointbook_http_requests_total", "Requests answered, by route, method and status."),
    Counter(
        "pointbook_http_requests_refused_total",
        "Requests answered with 503 because a bound was used up, by bound.",
    ),
    Counter(
        "pointbook_tenant_requests_rejected_total",
        "Requests that ended in 429 or 503, by tenant and status. An empty tenant stands for all unknown base URLs.",
    ),
    Counter("pointbook_access_log_dropped_total", "Lines that the access log's sink was too slow for."),
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
        "From the end of a request's head to its answer, by route, method and status.",
    ),
    Histogram("pointbook_catalogue_build_seconds", "Time to load or refresh a catalogue."),
    Histogram("pointbook_store_seconds", "Time in the database, by operation."),
    Histogram("pointbook_writer_jobs_per_commit", "Writes that shared a commit."),
    Gauge("pointbook_build_info", "Always 1; the labels say which build runs."),
    Gauge(
        "pointbook_http_requests_in_flight",
        "Requests that were not answered at once and wait for it now.",
    ),
    Gauge("pointbook_http_bodies_arriving", "Requests that wait for their body."),
    Gauge(
        "pointbook_http_body_memory_bytes",
        "Memory of bodies that did not come at once, until their requests are answered.",
    ),
    Gauge("pointbook_http_connections", "Open connections."),
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
    Gauge("pointbook_pool_waiting", "Calls that wait for a connection of the PostgreSQL pool."),
    Gauge("pointbook_long_reads_waiting", "Long reads that wait for their turn."),
    Gauge("pointbook_short_reads_waiting", "Short reads that wait for a connection to PostgreSQL."),
    Gauge("pointbook_writer_waiting", "Writes that wait for their turn."),
    Gauge(
        "pointbook_super_user_token_expires_in_seconds",
        "Until the first active super-user token of a tenant expires.",
    ),
    Gauge("pointbook_jobs_late", "Background jobs of all tenants that were due a minute ago."),
    Gauge("pointbook_jobs_failing", "Background jobs of all tenants whose last run failed."),
];

impl Metric {
    pub fn name(&self) -> &'static str {
        match self {
            Counter(name, _) | Gauge(name, _) | Histogram(name, _) => name,
        }
    }
}

/// Tells the installed recorder the meaning of every metric.
pub fn describe() {
    for metric in METRICS {
        match *metric {
            Counter(name, text) => metrics::describe_counter!(name, text),
            Gauge(name, text) => metrics::describe_gauge!(name, text),
            Histogram(name, text) => metrics::describe_histogram!(name, text),
        }
    }
}
