//! The HTTP interface: the table of all routes, the OpenAPI document, and the URLs at the root of the listener. The kernel has
//! everything that all requests share, and `endpoint-kit` what all endpoints share.

mod base_path;
mod metrics;
pub mod openapi;
mod root;
pub mod routes;
mod site;

pub use metrics::serve_metrics;
pub use root::{DocsSettings, DocsTokens};
pub use site::{Gateway, Operations, Site};
