//! What is kept of a request until it is answered.

use std::time::{Duration, Instant};

use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Uri};
use pointbook_app::{Directory, StoreError};
use pointbook_domain::Timestamp;

use super::Gateway;
use super::address::{self, Found};
use super::call::Failure;
use super::cors::Cors;
use crate::access_log::AccessLine;
use crate::response::Response;
use crate::{ApiError, RouteSlot};

/// The name under which requests count that no route took.
const UNROUTED: &str = "none";

/// A request as it came in.
pub(super) struct Seen<'d> {
    pub(super) now: Timestamp,
    pub(super) started: Instant,
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    pub(super) request_id: HeaderValue,
    /// Looked up ahead of its turn, so that a refusal has CORS headers too; checked in its turn.
    pub(super) found: Option<Found<'d>>,
    pub(super) cors: Cors,
    pub(super) route: RouteSlot,
}

impl<'d> Seen<'d> {
    /// Looks at a request.
    pub(super) fn new(gateway: &Gateway, directory: &'d Directory, parts: Parts) -> Self {
        let (started, now) = (Instant::now(), gateway.service.clock.now());
        let Parts { method, uri, headers, .. } = parts;
        let found = address::find_tenant(directory, &uri, &headers);
        let cors = found.as_ref().map(|found| Cors::new(&found.tenant.tenant.settings.cors, &headers));
        Self {
            now,
            started,
            method,
            request_id: gateway.request_ids.of(&headers),
            cors: cors.unwrap_or_default(),
            route: RouteSlot::default(),
            found,
            uri,
            headers,
        }
    }

    /// Logs why the operation gave no answer, and gives the error for it.
    pub(super) fn blame(&self, failure: Failure) -> ApiError {
        let (request_id, tenant, path) = (self.request_id(), self.tenant_name(), self.uri.path());
        match failure {
            Failure::Timeout => tracing::warn!(request_id, tenant, path, "request timed out"),
            Failure::Panic => tracing::error!(request_id, tenant, path, "handler panicked"),
        }
        failure.into()
    }

    /// Logs what the store said, when that is why the answer is none.
    pub(super) fn log_store_failure(&self, answer: &Response) {
        let Some(failure) = &answer.failure else { return };
        let (request_id, tenant, path) = (self.request_id(), self.tenant_name(), self.uri.path());
        let error = with_causes(&**failure);
        match **failure {
            // There may be thousands a second.
            StoreError::Overloaded => {}
            StoreError::Unavailable(_) => {
                tracing::warn!(request_id, tenant, path, error, "store unavailable");
            }
            StoreError::Failed(_) | StoreError::Corrupt(_) => {
                tracing::error!(request_id, tenant, path, error, "store failed");
            }
        }
    }

    /// The route in metrics and logs.
    pub(super) fn route_name(&self) -> &'static str {
        self.route.get().unwrap_or(UNROUTED)
    }

    /// The access log's line about this request.
    pub(super) fn log_line<'s>(
        &'s self,
        answer: &Response,
        route: &'static str,
        duration: Duration,
        peer: &'s str,
    ) -> AccessLine<'s> {
        AccessLine {
            time: self.now,
            request_id: self.request_id(),
            tenant: self.found.as_ref().map(|found| {
                let tenant = &found.tenant.tenant;
                (tenant.slug.as_str(), tenant.environment.as_str())
            }),
            method: self.method.as_str(),
            path: self.uri.path(),
            route,
            status: answer.status.as_u16(),
            duration_us: u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
            response_bytes: answer.body.len(),
            peer,
        }
    }

    fn tenant_name(&self) -> Option<String> {
        self.found.as_ref().map(|found| found.tenant.name().to_string())
    }

    fn request_id(&self) -> &str {
        self.request_id.to_str().unwrap_or_default()
    }
}

/// An error and all that led to it: the log's JSON would leave out all but the first.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
