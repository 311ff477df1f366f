//! A request as operations get it.

use std::sync::Arc;

use bytes::Bytes;
use http::header::WARNING;
use http::{HeaderMap, HeaderValue, Method};
use pointbook_app::ports::RequestKey;
use pointbook_app::{Context, IdSource, KnownPrincipal, ServedTenant};
use pointbook_domain::{TenantId, Timestamp};
use pointbook_http_kernel::{
    BodyOwner, Interface, PrincipalSlot, RequestBody, Response, RouteSlot, Tag, TenantRequest, is_known,
};

use crate::ApiError;
use crate::answer::{Answer, once};
use crate::auth::Sender;
use crate::path_params::PathParams;

/// What a response from memory says while the database is away (RFC 7234, 5.5.1).
const STALE: HeaderValue = HeaderValue::from_static("110 - \"Response is Stale\"");

/// A request, after the gateway found out whose address was called. It borrows from what the gateway
/// holds until the answer is there, so that handing it on costs nothing.
pub struct Asked<'r> {
    /// Whose address was called.
    pub tenant: &'r Arc<ServedTenant>,
    /// When the request came in; the one time that it is answered by.
    pub now: Timestamp,
    /// Its method; GET for HEAD as well.
    pub method: &'r Method,
    /// Its path below the tenant's base, without a trailing slash, still encoded.
    pub path: &'r str,
    /// What is behind the question mark, still encoded.
    pub query: Option<&'r str>,
    pub headers: &'r HeaderMap,
    /// Its body, which is received when an operation reads it.
    pub(crate) body: &'r RequestBody<'r>,
    /// Where the route leaves its name.
    pub route: &'r RouteSlot,
    /// The path of its route, with the names of parameters; empty until the router found the route.
    pub(crate) pattern: &'static str,
    /// Where the sender is left once the token is known.
    pub(crate) principal: &'r PrincipalSlot<KnownPrincipal>,
    /// Whom the guard of the route let in.
    pub(crate) sender: Option<&'r Sender<'r>>,
    /// Makes the ids of what is written; none until the guard let the request in.
    pub(crate) ids: Option<&'r Arc<dyn IdSource>>,
}

impl<'r> Asked<'r> {
    /// A request as the gateway hands it on. The guard adds the pattern of the path and the sender.
    pub(crate) fn new<I>(request: &TenantRequest<'r, I>) -> Self
    where
        I: Interface<Served = ServedTenant, Known = KnownPrincipal>,
    {
        let TenantRequest { tenant, now, method, path, query, headers, body, route, principal } = *request;
        let (pattern, sender, ids) = ("", None, None);
        Self { tenant, now, method, path, query, headers, body, route, pattern, principal, sender, ids }
    }

    /// The party whose good token came with the request.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`] without one.
    pub fn sender(&self) -> Result<&'r Sender<'r>, ApiError> {
        self.sender.ok_or(ApiError::Unauthenticated)
    }

    /// The context of a use case whose response is not kept.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`] without a sender.
    pub(crate) fn context<T>(&self) -> Result<Context<T>, ApiError> {
        let (sender, ids) = self.sender.zip(self.ids).ok_or(ApiError::Unauthenticated)?;
        Ok(Context::new(self.tenant.clone(), sender.actor(), self.now, ids.clone()))
    }

    /// The context of a write that is executed once, when its request has a key. `render` makes the response of what
    /// it came to; give the same to [`finish`](crate::answer::finish).
    ///
    /// # Errors
    /// As [`Self::context`].
    pub(crate) fn once<T>(
        &self,
        key: Option<RequestKey>,
        render: impl Fn(&T) -> Answer + Send + Sync + 'static,
    ) -> Result<Context<T>, ApiError> {
        Ok(Context { once: once(key, self.now, render), ..self.context()? })
    }

    pub(crate) fn params(&self) -> PathParams<'r> {
        PathParams { pattern: self.pattern, path: self.path }
    }

    /// What the reader of its body goes by.
    pub(crate) fn head(&self) -> Head<'r> {
        let Self { tenant, method, path, query, headers, sender, body, .. } = *self;
        Head { tenant: &tenant.tenant.id, method, path, query, headers, sender, body }
    }

    /// Receives the whole body of the request.
    ///
    /// # Errors
    /// 408, 413, 400 or 503, as the table of errors has them.
    pub async fn receive_body(&self) -> Result<Bytes, ApiError> {
        self.head().receive_body().await
    }

    /// The answer to a read whose tag is known before its body: the body is made only for a client that
    /// does not have it. All such reads come from memory, which may be out of date while the database is away.
    pub fn tagged<B: Into<Bytes>>(&self, tag: Tag, body: impl FnOnce() -> B) -> Response {
        let mut response = if is_known(tag, self.headers) {
            Response::not_modified(tag)
        } else {
            Response::tagged(tag, body())
        };
        if self.tenant.health.is_away() {
            response.headers.insert(WARNING, STALE);
        }
        response
    }
}

/// The body of a request, and the parts that say what it is, and whose.
#[derive(Clone, Copy)]
pub(crate) struct Head<'r> {
    pub(crate) tenant: &'r TenantId,
    pub(crate) method: &'r Method,
    pub(crate) path: &'r str,
    pub(crate) query: Option<&'r str>,
    pub(crate) headers: &'r HeaderMap,
    pub(crate) sender: Option<&'r Sender<'r>>,
    pub(crate) body: &'r RequestBody<'r>,
}

impl Head<'_> {
    /// Waits until the whole body of the request is there.
    pub(crate) async fn body_arrival(&self) -> Result<(), ApiError> {
        Ok(self.body.arrival(|| self.body_owner()).await?)
    }

    /// Receives the whole body of the request.
    pub(crate) async fn receive_body(&self) -> Result<Bytes, ApiError> {
        Ok(self.body.receive(|| self.body_owner()).await?)
    }

    fn body_owner(&self) -> BodyOwner {
        let principal = self.sender.map(Sender::key_owner).unwrap_or_default();
        BodyOwner::of(self.tenant.clone(), principal)
    }
}
