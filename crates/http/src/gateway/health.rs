//! `/healthz` and `/readyz`, at the root of the listener and without a token: they belong to
//! nobody's interface, and answer when everything else is refused.

use std::time::Duration;

use http::{Method, StatusCode};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::Gateway;
use crate::ApiError;
use crate::response::{Response, json};

const OK: &str = r#"{"status":"ok"}"#;
const ALLOWED: &str = "GET, HEAD";

/// For how long an answer of the database is taken as the present one. Anybody may ask `/readyz`, as
/// often as they like.
const MAX_AGE: Duration = Duration::from_millis(200);

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
            return ApiError::MethodNotAllowed { method, allowed: ALLOWED.into() }.into_response();
        }
        let is_good = match self {
            Self::Health => true,
            Self::Readiness => is_ready(gateway).await,
        };
        if is_good { json(StatusCode::OK, OK) } else { ApiError::Unavailable.into_response() }
    }
}

async fn is_ready(gateway: &Gateway) -> bool {
    !gateway.is_shutting_down() && gateway.readiness.of(gateway).await
}

/// What the database said last, and when.
#[derive(Default)]
pub(super) struct Readiness(Mutex<Option<(Instant, bool)>>);

impl Readiness {
    /// Whether the database answers. Whoever asks while it is being asked waits for that answer.
    async fn of(&self, gateway: &Gateway) -> bool {
        let mut last = self.0.lock().await;
        match *last {
            Some((said_at, is_ready)) if said_at.elapsed() < MAX_AGE => is_ready,
            _ => {
                let is_ready = ping(gateway).await;
                *last = Some((Instant::now(), is_ready));
                is_ready
            }
        }
    }
}

async fn ping(gateway: &Gateway) -> bool {
    let ping = gateway.service.database.ping();
    match timeout(gateway.limits.readiness_timeout(), ping).await {
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
