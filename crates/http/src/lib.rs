//! The interface over HTTP: routes, parameters, wire types, the table of errors, and what stands beside the
//! tenants at the root of the listener. What all requests have in common is in the kernel.

mod answer;
mod asked;
mod auth;
mod body;
pub mod error;
pub mod openapi;
mod path_params;
mod precondition;
pub mod query;
pub mod rate_limit;
mod root;
pub mod routes;
mod site;

use pointbook_http_kernel::MetricsHandle;
use tokio::net::TcpListener;

pub use asked::Asked;
pub(crate) use asked::Head;
pub use error::ApiError;
pub use root::{DocsSettings, DocsTokens};
pub use site::{Gateway, Operations, Site};

/// Serves the metrics until `shutdown` is ready, and refuses everything else in the words of the interface.
/// `more` gives further metrics, read anew for each scrape.
pub async fn serve_metrics(
    listener: TcpListener,
    handle: MetricsHandle,
    more: fn() -> String,
    shutdown: impl Future<Output = ()>,
) {
    let refuse = |refusal| ApiError::from(refusal).into_response();
    pointbook_http_kernel::serve_metrics(listener, handle, more, refuse, shutdown).await;
}
