//! `/healthz`, `/readyz` and `/readyz/writes`, at the root of the listener and without a token: they belong to
//! no tenant's interface, and answer when everything else is refused.
//!
//! No probe asks the database: each says what a background job found out last, so that load balancers get their
//! response at once, however the database is.

use http::StatusCode;
use pointbook_app::Service;
use pointbook_http_kernel::{Response, RootRequest, json};

use crate::ApiError;

const OK: &str = r#"{"status":"ok"}"#;
/// The process has so much to do that it refused requests within the last seconds. It is 200 all the same: a
/// balancer that took the instance out would give its load to the others, which then fail one after another.
const SATURATED: &str = r#"{"status":"saturated"}"#;
/// The database is away, and there is something to serve from memory.
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

    pub(super) fn answer(self, request: &RootRequest<'_>, service: &Service) -> Result<Response, ApiError> {
        let body = match self {
            Self::Health => Some(OK),
            Self::Readiness | Self::Writes if request.is_shutting_down => None,
            Self::Readiness => readiness(request, service),
            Self::Writes => service.health.takes_writes().then_some(OK),
        };
        body.map(|body| json(StatusCode::OK, body)).ok_or(ApiError::Unavailable)
    }
}

fn readiness(request: &RootRequest<'_>, service: &Service) -> Option<&'static str> {
    if !service.health.is_away() {
        return Some(if request.permits.is_saturated() { SATURATED } else { OK });
    }
    service.has_catalogue().then_some(DEGRADED)
}
