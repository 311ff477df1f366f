//! The listener of the metrics.

use pointbook_endpoint_kit::ApiError;
use pointbook_http::kernel::MetricsHandle;
use tokio::net::TcpListener;

/// Serves the metrics until `shutdown` completes, and refuses other requests with the errors of the interface. `more` adds
/// metrics to each scrape.
pub async fn serve_metrics(
    listener: TcpListener,
    handle: MetricsHandle,
    more: fn() -> String,
    shutdown: impl Future<Output = ()>,
) {
    let refuse = |refusal| ApiError::from(refusal).into_response();
    pointbook_http::kernel::serve_metrics(listener, handle, more, refuse, shutdown).await;
}
