//! The state of a request until its response.

use std::net::IpAddr;
use std::sync::Arc;

use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Uri};
use pointbook_domain::{Tenant, Timestamp};
use tokio::time::Instant;

use super::address::{authority, normalised};
use super::call::Ended;
use super::cors::Cors;
use super::permits::{WorkLane, Worker, name_of};
use super::request_id::RequestIds;
use crate::kernel::{
    Face, FailedRequest, Found, Interface, OperatorSlot, PrincipalSlot, Refusal, Response, RouteSlot, Target,
    TenantSlot,
};

pub(super) struct Seen<'d, I: Interface> {
    pub(super) face: Face,
    /// The real time.
    pub(super) now: Timestamp,
    /// The time of the tenant, which may have a virtual clock.
    pub(super) tenant_now: Timestamp,
    pub(super) started: Instant,
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    pub(super) request_id: HeaderValue,
    /// Found early, so that a refusal has CORS headers too. The check comes in its turn.
    pub(super) found: Option<Found<'d, I::Served>>,
    pub(super) has_bad_host: bool,
    pub(super) cors: Cors,
    pub(super) route: RouteSlot,
    /// Of a page. A request below a base URL has its tenant in `found`.
    pub(super) page_tenant: TenantSlot,
    pub(super) principal: PrincipalSlot<I::Known>,
    pub(super) operator: OperatorSlot,
}

impl<'d, I: Interface> Seen<'d, I> {
    pub(super) fn new(
        interface: &I,
        request_ids: &RequestIds,
        directory: &'d Arc<I::Directory>,
        parts: Parts,
        face: Face,
    ) -> Self {
        let (started, now) = (Instant::now(), interface.now());
        let Parts { method, uri, version, headers, .. } = parts;
        let authority = authority(version, &uri, &headers);
        let has_bad_host = authority.is_none();
        let asked = authority.filter(|_| face.has_interface());
        let found = asked.and_then(|authority| I::find(directory, &normalised(authority), uri.path()));
        let cors = found.as_ref().map(|found| Cors::new(&I::tenant(found.served).settings.cors, &headers));
        let tenant_now = found.as_ref().map_or(now, |found| I::tenant(found.served).now(now));
        let (request_id, cors) = (request_ids.of(&headers), cors.unwrap_or_default());
        let (route, principal) = (RouteSlot::new(), PrincipalSlot::new());
        Self {
            face,
            now,
            tenant_now,
            started,
            method,
            uri,
            headers,
            request_id,
            found,
            has_bad_host,
            cors,
            route,
            page_tenant: TenantSlot::new(),
            principal,
            operator: OperatorSlot::new(),
        }
    }

    pub(super) fn target(&self) -> Target<'_> {
        Target { method: &self.method, path: self.uri.path() }
    }

    /// The time of the tenant, when it has a virtual clock.
    pub(super) fn virtual_now(&self) -> Option<Timestamp> {
        self.tenant().filter(|tenant| !tenant.clock.is_none()).map(|_| self.tenant_now)
    }

    pub(super) fn tenant(&self) -> Option<&'d Tenant> {
        self.found.as_ref().map(|found| I::tenant(found.served))
    }

    /// For whom the service works.
    pub(super) fn worker(&self, client: impl FnOnce() -> Option<IpAddr>) -> Worker {
        self.tenant().map_or_else(|| Worker::Client(client()), |tenant| Worker::Tenant(tenant.id.clone()))
    }

    /// The same with the principal, as far as it is known yet.
    pub(super) fn lane(&self, client: impl FnOnce() -> Option<IpAddr>) -> WorkLane {
        let principal = match self.tenant() {
            Some(_) => self.principal.get().map(|known| name_of(I::principal(known))),
            None => self.operator.get().map(ToString::to_string),
        };
        let network = client();
        WorkLane::of(self.worker(|| network), principal, network, self.request_id())
    }

    /// The slug and the environment of the tenant, also of one whose page was requested.
    pub(super) fn tenant_name(&self) -> Option<[&str; 2]> {
        let of_page = || self.page_tenant.get().map(|name| [name.slug.as_str(), name.environment.as_str()]);
        self.tenant().map(|tenant| [tenant.slug.as_str(), tenant.environment.as_str()]).or_else(of_page)
    }

    /// Logs why the operation gave no response, and returns the reason.
    pub(super) fn blame(&self, ended: Ended) -> Refusal {
        const TARGET: &str = "pointbook_http::gateway::seen";
        let request = self.failed();
        let (request_id, tenant, path) = (request.request_id, request.tenant_name(), request.path);
        match ended {
            Ended::Panicked => tracing::error!(target: TARGET, request_id, tenant, path, "handler panicked"),
            Ended::TimedOut => tracing::warn!(target: TARGET, request_id, tenant, path, "request timed out"),
            // The metrics count it.
            Ended::Refused => {}
        }
        ended.into()
    }

    pub(super) fn log_failure(&self, answer: &Response, interface: &I) {
        if let Some(failure) = &answer.failure {
            interface.log_failure(failure, &self.failed());
        }
    }

    fn failed(&self) -> FailedRequest<'_> {
        FailedRequest { request_id: self.request_id(), tenant: self.tenant_name(), path: self.uri.path() }
    }

    pub(super) fn request_id(&self) -> &str {
        self.request_id.to_str().unwrap_or_default()
    }
}
