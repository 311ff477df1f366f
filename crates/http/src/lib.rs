//! The documented interface over HTTP: routes, parameters, wire types, the table of errors, and the
//! gateway around them.

pub mod access_log;
pub mod answer;
mod asked;
pub mod auth;
pub mod body;
mod docs;
pub mod error;
pub mod gateway;
pub mod language;
pub mod metrics;
mod only_header;
pub mod openapi;
mod path_params;
mod precondition;
pub mod query;
pub mod rate_limit;
pub mod response;
pub mod routes;
pub mod serve;
pub mod texts;
pub mod wire;

pub use access_log::{AccessLog, AccessLogFormat};
pub(crate) use asked::Head;
pub use asked::{Asked, RouteSlot};
pub use docs::{DocsSettings, DocsTokens};
pub use error::ApiError;
pub use gateway::{Answering, Gateway, HttpLimits, Operations, RequestBody, TrustedProxies, log_panics};
pub use metrics::{MetricsHandle, install_metrics};
pub use serve::{serve, serve_metrics};

/// What a body can fail with while it is read.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
