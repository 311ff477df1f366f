//! The HTTP interface: the table of all routes, the OpenAPI document, and the URLs at the root of the listener. The kernel has
//! everything that all requests share, and `endpoint-kit` what all endpoints share.

mod base_path;
pub mod openapi;
#[cfg(test)]
mod read_text;
mod root;
pub mod routes;
mod site;

use pointbook_endpoint_kit::ApiError;
use pointbook_http::kernel::MetricsHandle;
pub use root::{DocsSettings, DocsTokens};
pub use site::{Gateway, Operations, Site};
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
