//! What all requests have in common: listeners, connections, limits, the gateway, responses,
//! the access log and metrics. It knows no endpoint and no use case: the room above it implements [`Interface`].

pub mod access_log;
pub mod gateway;
mod interface;
mod limits;
mod metrics;
mod only_header;
mod pages;
mod refusal;
mod request;
mod response;
mod serve;

pub use access_log::{AccessLog, AccessLogFormat};
pub use gateway::{
    BodyOwner, Gateway, Permits, RequestBody, TrustedProxies, is_known, is_text_known, log_panics, takes_gzip,
};
pub use interface::{Answering, FailedRequest, Found, Interface};
pub use limits::{BodyLimit, HttpLimits};
pub use metrics::{MetricsHandle, install_metrics};
pub use only_header::{Repeated, only_header};
pub use pages::{PageRequest, Pages};
pub use refusal::Refusal;
pub use request::{PrincipalSlot, RootRequest, RouteSlot, TenantRequest};
pub use response::{Failure, Payload, Response, Tag, json};
pub use serve::{serve, serve_metrics};

/// What a body can fail with while it is read.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
