//! What is kept of a request until it is answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Uri};
use pointbook_domain::{Tenant, Timestamp, UserId};

use super::address::{authority, normalised};
use super::call::Failure;
use super::cors::Cors;
use super::request_id::RequestIds;
use crate::access_log::AccessLine;
use crate::interface::{FailedRequest, Found, Interface};
use crate::refusal::Refusal;
use crate::request::{PrincipalSlot, RouteSlot};
use crate::response::Response;

/// The name under which requests count that no route took.
const UNROUTED: &str = "none";

const MICROS_PER_SECOND: u64 = 1_000_000;

/// A request as it came in.
pub(super) struct Seen<'d, I: Interface> {
    pub(super) now: Timestamp,
    pub(super) started: Instant,
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    pub(super) request_id: HeaderValue,
    /// Looked up ahead of its turn, so that a refusal has CORS headers too; checked in its turn.
    pub(super) found: Option<Found<'d, I::Served>>,
    pub(super) has_bad_host: bool,
    pub(super) cors: Cors,
    pub(super) route: RouteSlot,
    pub(super) principal: PrincipalSlot<I::Known>,
}

impl<'d, I: Interface> Seen<'d, I> {
    /// Looks at a request.
    pub(super) fn new(
        interface: &I,
        request_ids: &RequestIds,
        directory: &'d Arc<I::Directory>,
        parts: Parts,
    ) -> Self {
        let (started, now) = (Instant::now(), interface.now());
        let Parts { method, uri, version, headers, .. } = parts;
        let authority = authority(version, &uri, &headers);
        let has_bad_host = authority.is_err();
        let found =
            authority.ok().and_then(|authority| I::find(directory, &normalised(authority), uri.path()));
        let cors = found.as_ref().map(|found| Cors::new(&I::tenant(found.served).settings.cors, &headers));
        Self {
            now,
            started,
            method,
            request_id: request_ids.of(&headers),
            cors: cors.unwrap_or_default(),
            route: RouteSlot::default(),
            principal: PrincipalSlot::default(),
            found,
            has_bad_host,
            uri,
            headers,
        }
    }

    /// The tenant, when one was found.
    pub(super) fn tenant(&self) -> Option<&'d Tenant> {
        self.found.as_ref().map(|found| I::tenant(found.served))
    }

    /// Logs why the operation gave no answer, and gives the refusal for it.
    pub(super) fn blame(&self, failure: Failure) -> Refusal {
        const TARGET: &str = "pointbook_http::gateway::seen";
        let request = self.failed();
        let (request_id, tenant, path) = (request.request_id, request.tenant_name(), request.path);
        match failure {
            Failure::Timeout => {
                tracing::warn!(target: TARGET, request_id, tenant, path, "request timed out");
            }
            Failure::Panic => tracing::error!(target: TARGET, request_id, tenant, path, "handler panicked"),
        }
        failure.into()
    }

    /// Logs the failure behind a response, if there is one.
    pub(super) fn log_failure(&self, answer: &Response, interface: &I) {
        if let Some(failure) = &answer.failure {
            interface.log_failure(failure, &self.failed());
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
        let principal = self.principal.get().map(I::principal);
        AccessLine {
            time: self.now,
            request_id: self.request_id(),
            tenant: self.tenant().map(|tenant| (tenant.slug.as_str(), tenant.environment.as_str())),
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

    fn failed(&self) -> FailedRequest<'_> {
        FailedRequest { request_id: self.request_id(), tenant: self.tenant(), path: self.uri.path() }
    }

    fn request_id(&self) -> &str {
        self.request_id.to_str().unwrap_or_default()
    }
}
