//! `/healthz`, `/readyz` and `/readyz/writes` at the root of the listener, without a token. They respond even when the server
//! refuses all other requests.
//!
//! No probe asks the database. Each returns the last result of a background task, so that load balancers get a fast response in
//! every state of the database.

use http::StatusCode;
use pointbook_store::Service;

use crate::error::ApiError;
use crate::kernel::{Response, RootRequest, json};
use crate::listed::Listed;

const OK: &str = r#"{"status":"ok"}"#;
/// The process refused requests in the last seconds because of overload. The status stays 200: if the balancer removed this
/// instance, its load would make the others fail too.
const SATURATED: &str = r#"{"status":"saturated"}"#;
/// The database is away, and memory can serve requests.
const DEGRADED: &str = r#"{"status":"degraded","database":"away"}"#;

#[derive(Clone, Copy)]
pub(super) enum Probe {
    Health,
    Readiness,
    Writes,
}

impl Probe {
    pub(super) fn of(path: &str) -> Option<Self> {
        match path {
            "/healthz" => Some(Self::Health),
            "/readyz" => Some(Self::Readiness),
            "/readyz/writes" => Some(Self::Writes),
            _ => None,
        }
    }

    pub(super) fn answer(
        self,
        request: &RootRequest<'_>,
        service: &Service,
        listed: &Listed,
    ) -> Result<Response, ApiError> {
        let body = match self {
            Self::Health => Some(OK),
            Self::Readiness | Self::Writes if request.is_shutting_down => None,
            Self::Readiness => readiness(request, service, listed),
            Self::Writes => service.health.takes_writes().then_some(OK),
        };
        body.map(|body| json(StatusCode::OK, body)).ok_or(ApiError::Unavailable)
    }
}

fn readiness(request: &RootRequest<'_>, service: &Service, listed: &Listed) -> Option<&'static str> {
    if !service.health.is_away() {
        return Some(if request.permits.is_saturated() { SATURATED } else { OK });
    }
    (listed.has_memory)(service).then_some(DEGRADED)
}
