//! What the gateway asks of the room above it.

use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;

use http::Method;
use pointbook_domain::{Principal, Tenant, TenantName, Timestamp};

use crate::limits::BodyLimit;
use crate::refusal::Refusal;
use crate::request::{RootRequest, TenantRequest};
use crate::response::{Failure, Response};

/// An operation at work.
pub type Answering<'r> = Pin<Box<dyn Future<Output = Response> + Send + 'r>>;

/// The interface behind a gateway: its tenants, its operations, and the words of its errors. A gateway is compiled for
/// one interface, so that none of these calls costs more than a function.
pub trait Interface: Send + Sync + Sized + 'static {
    /// A tenant, with all that its operations need.
    type Served: Send + Sync + 'static;
    /// The tenants of one moment.
    type Directory: Send + Sync;
    /// The party that an operation let in.
    type Known: Send + Sync;

    /// The time.
    fn now(&self) -> Timestamp;

    /// The tenants that there are now.
    fn directory(&self) -> impl Deref<Target = Arc<Self::Directory>> + Send;

    /// Finds the tenant at an authority, in lower case and without a default port, and the path of a request.
    fn find<'d>(
        directory: &'d Self::Directory,
        authority: &str,
        path: &str,
    ) -> Option<Found<'d, Self::Served>>;

    /// What is stored of a tenant.
    fn tenant(served: &Self::Served) -> &Tenant;

    /// The party, as the access log names it.
    fn principal(known: &Self::Known) -> &Principal;

    /// How long the body of a request to this path below a base may be. The gateway asks before it knows the sender,
    /// also for paths that no operation has.
    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit;

    /// Answers a request to a tenant, also one for an unknown path.
    fn answer<'r>(&'r self, request: TenantRequest<'r, Self>) -> Answering<'r>;

    /// Answers a request for a document or a probe at the root of the listener. `None` when the path is neither.
    fn answer_at_root(&self, request: &RootRequest<'_>) -> Option<Response>;

    /// The hash of a body under the key of the tenant, for its `ETag`; or the response when the key cannot be read.
    fn content_hash<'t>(
        served: &'t Self::Served,
        now: Timestamp,
        body: &'t [u8],
    ) -> impl Future<Output = Result<u128, Response>> + Send + 't;

    /// The response to a request that the gateway refuses.
    fn refuse(refusal: Refusal) -> Response;

    /// Logs the failure behind a response.
    fn log_failure(&self, failure: &Failure, request: &FailedRequest<'_>);

    /// Does long work on a background thread. `None` when there is too much of it.
    fn in_background<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send;
}

/// The tenant of a request.
pub struct Found<'d, S> {
    /// The tenant.
    pub served: &'d Arc<S>,
    /// How many bytes of the path are the tenant's base.
    pub base_bytes: usize,
}

/// The request behind a failure, as the log names it.
#[derive(Debug, Clone, Copy)]
pub struct FailedRequest<'r> {
    pub request_id: &'r str,
    /// Its tenant, when one was found.
    pub tenant: Option<&'r Tenant>,
    pub path: &'r str,
}

impl FailedRequest<'_> {
    /// The name of its tenant, when one was found.
    pub fn tenant_name(&self) -> Option<String> {
        let name =
            |tenant: &Tenant| TenantName { slug: tenant.slug.clone(), environment: tenant.environment };
        self.tenant.map(|tenant| name(tenant).to_string())
    }
}
