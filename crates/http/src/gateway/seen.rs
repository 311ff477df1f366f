//! What is kept of a request until it is answered.

use std::time::{Duration, Instant};

use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Uri};
use pointbook_app::{DatabaseHealth, Directory, StoreError, with_causes};
use pointbook_domain::{Timestamp, UserId};

use super::Gateway;
use super::address::{self, Found};
use super::call::Failure;
use super::cors::Cors;
use crate::access_log::AccessLine;
use crate::asked::PrincipalSlot;
use crate::response::Response;
use crate::{ApiError, RouteSlot};

/// The name under which requests count that no route took.
const UNROUTED: &str = "none";

const MICROS_PER_SECOND: u64 = 1_000_000;

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
    pub(super) has_bad_host: bool,
    pub(super) cors: Cors,
    pub(super) route: RouteSlot,
    pub(super) principal: PrincipalSlot,
}

impl<'d> Seen<'d> {
    /// Looks at a request.
    pub(super) fn new(gateway: &Gateway, directory: &'d Directory, parts: Parts) -> Self {
        let (started, now) = (Instant::now(), gateway.service.clock.now());
        let Parts { method, uri, version, headers, .. } = parts;
        let authority = address::authority(version, &uri, &headers);
        let has_bad_host = authority.is_err();
        let found = authority.ok().and_then(|authority| address::find_tenant(directory, authority, &uri));
        let cors = found.as_ref().map(|found| Cors::new(&found.tenant.tenant.settings.cors, &headers));
        Self {
            now,
            started,
            method,
            request_id: gateway.request_ids.of(&headers),
            cors: cors.unwrap_or_default(),
            route: RouteSlot::default(),
            principal: PrincipalSlot::default(),
            found,
            has_bad_host,
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

    /// Logs what the store said, when that is why the answer is none. That the database is busy or away is logged for
    /// all requests together.
    pub(super) fn log_store_failure(&self, answer: &Response, health: &DatabaseHealth) {
        let Some(failure) = &answer.failure else { return };
        match **failure {
            // There may be thousands a second.
            StoreError::Overloaded => {}
            StoreError::Unavailable(_) => {
                health.note_failure(failure);
                tracing::debug!(
                    request_id = self.request_id(),
                    tenant = self.tenant_name(),
                    path = self.uri.path(),
                    error = with_causes(&**failure),
                    "store unavailable"
                );
            }
            StoreError::Failed(_) | StoreError::Corrupt(_) => {
                let (request_id, tenant, path) = (self.request_id(), self.tenant_name(), self.uri.path());
                tracing::error!(request_id, tenant, path, error = with_causes(&**failure), "store failed");
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
        client: &'s str,
        peer: &'s str,
    ) -> AccessLine<'s> {
        let principal = self.principal.get().map(|known| &known.principal);
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
            duration_us: duration.as_secs() * MICROS_PER_SECOND + u64::from(duration.subsec_micros()),
            response_bytes: answer.body.len(),
            token_id: principal.map(|principal| &*principal.token_id),
            user_id: principal.and_then(|principal| principal.kind.user()).map(UserId::as_str),
            client,
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
