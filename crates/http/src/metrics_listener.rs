//! The listener of the metrics.

use tokio::net::TcpListener;

use crate::error::ApiError;
use crate::kernel::MetricsHandle;

/// Serves the metrics until `shutdown` completes, and refuses other requests with the errors of the interface. `more` adds
/// metrics to each scrape.
pub async fn serve_metrics(
    listener: TcpListener,
    handle: MetricsHandle,
    more: fn() -> String,
    shutdown: impl Future<Output = ()>,
) {
    let refuse = |refusal| ApiError::from(refusal).into_response();
    crate::kernel::serve_metrics(listener, handle, more, refuse, shutdown).await;
}
