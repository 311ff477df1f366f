//! `/healthz` and `/readyz`, at the root of the listener and without a token: they belong to
//! nobody's interface, and answer when everything else is refused.

use axum::response::{IntoResponse, Response};
use http::{Method, StatusCode};

use super::Gateway;
use crate::ApiError;
use crate::response::json;

const OK: &str = r#"{"status":"ok"}"#;
const ALLOWED: &str = "GET, HEAD";

/// The two questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// Is the process alive?
    Health,
    /// Should it get requests?
    Readiness,
}

impl Probe {
    pub(super) fn of(path: &str) -> Option<Self> {
        match path {
            "/healthz" => Some(Self::Health),
            "/readyz" => Some(Self::Readiness),
            _ => None,
        }
    }

    pub(super) async fn answer(self, gateway: &Gateway, method: &Method) -> Response {
        if !matches!(*method, Method::GET | Method::HEAD) {
            let method = method.clone();
            return ApiError::MethodNotAllowed { method, allowed: ALLOWED }.into_response();
        }
        let is_good = match self {
            Self::Health => true,
            Self::Readiness => is_ready(gateway).await,
        };
        if is_good { json(StatusCode::OK, OK) } else { ApiError::Unavailable.into_response() }
    }
}

async fn is_ready(gateway: &Gateway) -> bool {
    if gateway.is_shutting_down() {
        return false;
    }
    let ping = gateway.service.database.ping();
    match tokio::time::timeout(gateway.limits.readiness_timeout(), ping).await {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, "database does not answer");
            false
        }
        Err(_elapsed) => {
            tracing::warn!("database does not answer in time");
            false
        }
    }
}
