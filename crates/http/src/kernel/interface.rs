//! What the gateway needs of the tenants, operations and pages behind it. `crate::site` implements [`Interface`].
//! Shop and console implement [`Pages`].

use std::borrow::Cow;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use http::request::Parts;
use http::{HeaderMap, Method, Uri};
use pointbook_domain::{OperatorId, Principal, Tenant, TenantName, Timestamp};

use crate::kernel::{BodyLimit, ClientAddress, Failure, Permits, RequestBody, Response};

pub type Answering<'r> = Pin<Box<dyn Future<Output = Response> + Send + 'r>>;

/// The interface behind a gateway: its tenants, its operations, and the messages of its errors. A gateway is compiled for one
/// interface, so these calls cost no more than functions.
pub trait Interface: Send + Sync + Sized + 'static {
    /// A tenant with everything that its operations need.
    type Served: Send + Sync + 'static;
    /// The tenants of one moment.
    type Directory: Send + Sync;
    /// The sender of an admitted request.
    type Known: Send + Sync;

    fn now(&self) -> Timestamp;

    fn directory(&self) -> impl Deref<Target = Arc<Self::Directory>> + Send;

    /// Finds the tenant at an authority, in lower case and without a default port, and the path of a request.
    fn find<'d>(
        directory: &'d Self::Directory,
        authority: &str,
        path: &str,
    ) -> Option<Found<'d, Self::Served>>;

    fn tenant(served: &Self::Served) -> &Tenant;

    fn principal(known: &Self::Known) -> &Principal;

    /// The body limit of a path below a base URL. The gateway asks before it knows the sender, also for unknown paths.
    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit;

    /// Responds to a request to a tenant, also for an unknown path.
    fn answer<'r>(&'r self, request: TenantRequest<'r, Self>) -> Answering<'r>;

    /// Responds to a request for a document or a probe at the root of the listener. `None` for another path.
    fn answer_at_root(&self, request: &RootRequest<'_>) -> Option<Response>;

    /// The hash of a body under the key of the tenant, for its `ETag`. A response when the key cannot be read.
    fn content_hash<'t>(
        &'t self,
        served: &'t Self::Served,
        now: Timestamp,
        body: &'t [u8],
        target: Target<'t>,
    ) -> impl Future<Output = Result<u128, Response>> + Send + 't;

    /// The error of a request that the gateway refuses. The target may belong to no tenant and no operation.
    fn refuse(&self, refusal: Refusal, target: Target<'_>) -> Response;

    fn log_failure(&self, failure: &Failure, request: &FailedRequest<'_>);

    /// Does long work on a background thread. `None` when the server is busy.
    fn in_background<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send;
}

/// What a listener serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// Everything.
    Whole,
    /// Everything but the console, which has its own listener.
    WithoutConsole,
    /// The console and the probes.
    Console,
}

impl Face {
    pub fn has_console(self) -> bool {
        self != Self::WithoutConsole
    }

    /// Whether the listener serves what is not of the console: the interface, its documents, the front door and the shops.
    pub fn has_interface(self) -> bool {
        self != Self::Console
    }
}

/// What a request is for.
#[derive(Debug, Clone, Copy)]
pub struct Target<'r> {
    pub method: &'r Method,
    /// The whole path, still encoded.
    pub path: &'r str,
}

pub struct Found<'d, S> {
    pub served: &'d Arc<S>,
    /// The length of the tenant's base path, in bytes.
    pub base_bytes: usize,
}

/// The name of the route in metrics and logs, once the router found it. The gateway keeps it, so that a request without a
/// response counts for its route too.
pub type RouteSlot = OnceLock<&'static str>;

/// The sender of a request, once the token is known. The gateway keeps it, so that the access log names the sender even without
/// a response.
pub type PrincipalSlot<K> = OnceLock<Arc<K>>;

/// The tenant of a page, once the page knows it. The gateway keeps it, so that the log and the metrics name the tenant.
pub type TenantSlot = OnceLock<TenantName>;

/// The operator who asked for a page, once the page knows. The gateway keeps it for the access log.
pub type OperatorSlot = OnceLock<OperatorId>;

/// A request to a tenant. It borrows from the gateway until the response is ready, so passing it on copies nothing.
pub struct TenantRequest<'r, I: Interface> {
    /// The tenant whose base URL was called.
    pub tenant: &'r Arc<I::Served>,
    /// When the request arrived, by the clock of the tenant.
    pub now: Timestamp,
    /// GET for HEAD as well.
    pub method: &'r Method,
    /// Below the tenant's base URL, without a trailing slash, still encoded.
    pub path: &'r str,
    /// Still encoded.
    pub query: Option<&'r str>,
    pub headers: &'r HeaderMap,
    /// Its body, which arrives while an operation reads it.
    pub body: &'r RequestBody<'r>,
    pub route: &'r RouteSlot,
    pub principal: &'r PrincipalSlot<I::Known>,
    /// Who sent it.
    pub client: ClientAddress<'r>,
    /// The id of the request, as the access log has it.
    pub request_id: &'r str,
}

/// A request that may be for a probe or a document at the root of the listener.
pub struct RootRequest<'r> {
    pub parts: &'r Parts,
    pub face: Face,
    /// A document needs a working permit. A probe does not.
    pub permits: &'r Permits,
    /// Whether the process is shutting down.
    pub is_shutting_down: bool,
}

/// Responds to requests that are below no tenant's base URL. `K` is the sender of a request, as in [`Interface::Known`].
pub trait Pages<K>: Send + Sync {
    /// Responds to a request. `None` when no page has its path: then the gateway refuses it as an unknown base URL.
    fn answer<'r>(&'r self, request: PageRequest<'r, K>) -> Option<Answering<'r>>;

    /// The body limit of a path that is below no base URL. The gateway asks before any page knows the request.
    fn body_limit(&self, face: Face, method: &Method, uri: &Uri) -> BodyLimit;

    /// The page of a refusal of the gateway. `None` when no page has this path, or the client is no browser: then the refusal is that of
    /// the interface.
    fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Option<Response>;
}

/// A request that the gateway refused, before or instead of its page.
#[derive(Clone, Copy)]
pub struct RefusedRequest<'r> {
    pub face: Face,
    pub uri: &'r Uri,
    pub headers: &'r HeaderMap,
    pub tenant: &'r TenantSlot,
}

/// A request without a tenant, within the limits of the gateway.
pub struct PageRequest<'r, K> {
    pub face: Face,
    pub method: &'r Method,
    pub uri: &'r Uri,
    pub headers: &'r HeaderMap,
    pub body: &'r RequestBody<'r>,
    pub route: &'r RouteSlot,
    pub tenant: &'r TenantSlot,
    pub principal: &'r PrincipalSlot<K>,
    pub operator: &'r OperatorSlot,
    pub client: ClientAddress<'r>,
    pub request_id: &'r str,
}

/// How long a client of an overloaded server waits before it retries, in seconds.
pub const RETRY_AFTER_SECONDS: u32 = 1;

/// A refusal that does not depend on the operation. The table of errors has the status and the message of each (`crate::error`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The body ended early, or its chunks are malformed.
    BadRequest,
    /// The `Host` header is missing, invalid, or repeated.
    InvalidHost,
    /// No tenant has this base URL, and no page has this path.
    UnknownBaseUrl,
    /// The listener has no tenants and nothing at this path.
    NotFound,
    MethodNotAllowed {
        method: Method,
        allowed: Cow<'static, str>,
    },
    /// The body did not arrive in time.
    RequestTimeout,
    PayloadTooLarge,
    UriTooLong,
    /// The operation panicked.
    Internal,
    /// A bound was exceeded, or the operation took too long.
    Unavailable,
}

/// The request of a failure, as the log names it.
#[derive(Debug, Clone, Copy)]
pub struct FailedRequest<'r> {
    pub request_id: &'r str,
    /// The slug and the environment.
    pub tenant: Option<[&'r str; 2]>,
    pub path: &'r str,
}

impl FailedRequest<'_> {
    pub fn tenant_name(&self) -> Option<String> {
        Some(self.tenant?.join("/"))
    }
}
