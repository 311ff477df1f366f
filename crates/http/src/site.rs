//! The interface for the gateway: the tenants of a service, and the operations.

use std::ops::Deref;
use std::sync::Arc;

use http::Method;
use pointbook_domain::{Principal, Tenant, Timestamp};
use pointbook_store::database_health::with_causes;
use pointbook_store::{Directory, ServedTenant, Service, StoreError, background};
use tokio::net::TcpListener;

use crate::authenticator::KnownPrincipal;
use crate::error::{ApiError, ErrorShape};
use crate::kernel::{
    Answering, BodyLimit, FailedRequest, Failure, Found, Interface, MetricsHandle, Refusal, Response,
    RootRequest, Target, TenantRequest,
};
use crate::listed::Listed;
use crate::root::{DocsSettings, Root};

pub trait Operations: Send + Sync {
    /// What the OpenAPI document says.
    fn listed(&self) -> &'static Listed;

    /// The body limit of a path below a base URL, also for unknown paths.
    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit;

    /// Which members an error has that the gateway gives instead of the operation at a path below a base URL. GET for HEAD as well.
    fn error_shape(&self, method: &Method, path: &str) -> ErrorShape;

    /// Responds to a request, also for an unknown path.
    fn answer<'r>(&'r self, request: SiteRequest<'r>, service: &'r Service) -> Answering<'r>;
}

pub type Gateway = crate::kernel::Gateway<Site>;

/// A request to a tenant, before its guard.
pub type SiteRequest<'r> = TenantRequest<'r, Site>;

pub struct Site {
    service: Arc<Service>,
    operations: Box<dyn Operations>,
    root: Root,
}

impl Site {
    pub fn new(service: Arc<Service>, operations: impl Operations + 'static) -> Self {
        Self { service, operations: Box::new(operations), root: Root::default() }
    }

    /// The same with prefilled pages at `/docs`.
    #[must_use]
    pub fn with_docs(mut self, docs: Option<DocsSettings>) -> Self {
        self.root.docs = docs;
        self
    }

    fn error_shape(&self, Target { method, path }: Target<'_>) -> ErrorShape {
        let below = base_path(path).and_then(|base| path.get(base.len()..));
        let Some(below) = below else { return ErrorShape::Documented };
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.operations.error_shape(method, below.strip_suffix('/').unwrap_or(below))
    }
}

impl Interface for Site {
    type Served = ServedTenant;
    type Directory = Directory;
    type Known = KnownPrincipal;

    fn now(&self) -> Timestamp {
        self.service.clock.now()
    }

    fn directory(&self) -> impl Deref<Target = Arc<Directory>> + Send {
        self.service.directory()
    }

    fn find<'d>(directory: &'d Directory, authority: &str, path: &str) -> Option<Found<'d, ServedTenant>> {
        let base = base_path(path)?;
        let served = directory.resolve(authority, base)?;
        Some(Found { served, base_bytes: base.len() })
    }

    fn tenant(served: &ServedTenant) -> &Tenant {
        &served.tenant
    }

    fn principal(known: &KnownPrincipal) -> &Principal {
        &known.principal
    }

    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit {
        self.operations.body_limit(method, path)
    }

    fn answer<'r>(&'r self, request: TenantRequest<'r, Self>) -> Answering<'r> {
        self.operations.answer(request, &self.service)
    }

    fn answer_at_root(&self, request: &RootRequest<'_>) -> Option<Response> {
        self.root.answer(request, &self.service, self.operations.listed())
    }

    async fn content_hash(
        &self,
        served: &ServedTenant,
        now: Timestamp,
        body: &[u8],
        target: Target<'_>,
    ) -> Result<u128, Response> {
        match served.secrets.get(now).await {
            Ok(secret) => Ok(secret.content_key().hash(body)),
            Err(error) => Err(ApiError::from(error).into_response(self.error_shape(target))),
        }
    }

    fn refuse(&self, refusal: Refusal, target: Target<'_>) -> Response {
        let belongs_to_none = refusal == Refusal::UnknownBaseUrl;
        let shape = if belongs_to_none { ErrorShape::Documented } else { self.error_shape(target) };
        ApiError::from(refusal).into_response(shape)
    }

    /// Logs the error of the store. The health log counts a busy or missing database for all requests together.
    fn log_failure(&self, failure: &Failure, request: &FailedRequest<'_>) {
        const TARGET: &str = "pointbook_http::gateway::seen";
        let Some(error) = failure.downcast_ref::<StoreError>() else { return };
        let FailedRequest { request_id, path, .. } = request;
        match error {
            // There may be thousands a second.
            StoreError::Overloaded => {}
            StoreError::Unavailable(_) => {
                self.service.health.note_failure(error);
                let (tenant, error) = (request.tenant_name(), with_causes(error));
                tracing::debug!(target: TARGET, request_id, tenant, path, error, "store unavailable");
            }
            StoreError::Failed(_) | StoreError::Corrupt(_) => {
                let (tenant, error) = (request.tenant_name(), with_causes(error));
                tracing::error!(target: TARGET, request_id, tenant, path, error, "store failed");
            }
        }
    }

    async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        background::in_background(work).await.ok()
    }
}

/// The path up to and including its first `/api` segment. `None` when it has no such segment.
pub(crate) fn base_path(path: &str) -> Option<&str> {
    const API: &str = "/api";
    let mut slashes = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(place, _)| place);
    slashes.find_map(|start| {
        let rest = path.get(start..)?.strip_prefix(API)?;
        let is_segment = rest.is_empty() || rest.starts_with('/');
        is_segment.then_some(path.get(..start + API.len())?)
    })
}

/// Serves the metrics until `shutdown` completes, and refuses other requests with the errors of the interface. `more` adds
/// metrics to each scrape.
pub async fn serve_metrics(
    listener: TcpListener,
    handle: MetricsHandle,
    more: fn() -> String,
    shutdown: impl Future<Output = ()>,
) {
    let refuse = |refusal| ApiError::from(refusal).into_response(ErrorShape::Documented);
    crate::kernel::serve_metrics(listener, handle, more, refuse, shutdown).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_path_ends_after_the_first_api_segment() {
        for (path, base) in [
            ("/api/v1/user", Some("/api")),
            ("/acme/api/v1/x/api/y", Some("/acme/api")),
            ("/apis/api", Some("/apis/api")),
            ("/apiary/v1", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(base_path(path), base, "{path}");
        }
    }
}
