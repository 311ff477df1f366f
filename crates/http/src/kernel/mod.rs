//! Everything that all requests share: listeners, connections, limits, the gateway, responses, the access log and metrics. It
//! knows no endpoint and no use case: [`Site`](crate::site::Site) implements [`Interface`] for it.

pub mod access_log;
pub mod gateway;
mod interface;
mod limits;
mod metrics;
mod response;
mod serve;
mod tag;

pub use access_log::{AccessLog, AccessLogFormat};
pub use gateway::{
    BodyOwner, ClientAddress, Gateway, Permits, Repeated, RequestBody, TrustedProxies, has_valid_host,
    log_panics, only_header, requested_authority, takes_gzip,
};
pub use interface::{
    Answering, Face, FailedRequest, Found, Interface, OperatorSlot, PageRequest, Pages, PrincipalSlot,
    RETRY_AFTER_SECONDS, Refusal, RefusedRequest, RootRequest, RouteSlot, Target, TenantRequest, TenantSlot,
};
pub use limits::{BodyLimit, HttpLimits};
pub use metrics::{MetricsHandle, install_metrics};
pub use response::{Failure, Response, json};
pub use serve::{serve, serve_faces, serve_metrics};
pub use tag::{Tag, is_known};

/// The error of a body while it is read.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
