//! A request as operations see it.

use std::sync::Arc;

use bytes::Bytes;
use http::header::WARNING;
use http::{HeaderMap, HeaderValue, Method};
use pointbook_domain::Timestamp;
use pointbook_store::ports::RequestKey;
use pointbook_store::{Context, IdSource, Origin, ServedTenant, Service};

use crate::answer::{Answer, once};
use crate::authenticator::KnownPrincipal;
use crate::error::ApiError;
use crate::head::Head;
use crate::kernel::{
    ClientAddress, Interface, PrincipalSlot, RequestBody, Response, RouteSlot, Tag, TenantRequest, is_known,
};
use crate::path_params::PathParams;
use crate::query_string::{NO_QUERY, QueryString};
use crate::sender::Sender;

/// The warning of a response from memory while the database is away (RFC 7234, 5.5.1).
const STALE: HeaderValue = HeaderValue::from_static("110 - \"Response is Stale\"");

/// A request to a tenant. It borrows from the gateway until the response is ready, so passing it on copies nothing.
pub struct ApiRequest<'r> {
    /// For operations that change the tenant itself.
    pub service: &'r Service,
    /// The tenant whose base URL the request has.
    pub tenant: &'r Arc<ServedTenant>,
    /// When the request came in, by the clock of the tenant.
    pub now: Timestamp,
    /// GET for HEAD as well.
    pub method: &'r Method,
    /// The path below the tenant's base URL, without a trailing slash, still encoded.
    pub path: &'r str,
    /// The part behind the question mark, still encoded.
    pub query: Option<&'r str>,
    pub headers: &'r HeaderMap,
    pub(crate) body: &'r RequestBody<'r>,
    /// Receives the name of the route.
    pub route: &'r RouteSlot,
    /// The client that sent it.
    pub client: ClientAddress<'r>,
    pub(crate) request_id: &'r str,
    /// Receives the sender once the token is known.
    pub(crate) principal: &'r PrincipalSlot<KnownPrincipal>,
    /// The path of its route, with the names of parameters. Empty until the router found the route.
    pub(crate) pattern: &'static str,
    /// Empty until the guard admitted the request.
    pub query_string: &'r QueryString<'r>,
    /// The sender that the guard of the route admitted.
    pub(crate) sender: Option<&'r Sender<'r>>,
    /// Makes the ids of new objects. `None` until the guard admitted the request.
    pub(crate) ids: Option<&'r Arc<dyn IdSource>>,
}

impl<'r> ApiRequest<'r> {
    /// A request from the gateway. The guard adds the rest.
    pub fn new<I>(request: &TenantRequest<'r, I>, service: &'r Service) -> Self
    where
        I: Interface<Served = ServedTenant, Known = KnownPrincipal>,
    {
        let TenantRequest {
            tenant,
            now,
            method,
            path,
            query,
            headers,
            body,
            route,
            principal,
            client,
            request_id,
        } = *request;
        let (pattern, query_string, sender, ids) = ("", &NO_QUERY, None, None);
        Self {
            service,
            tenant,
            now,
            method,
            path,
            query,
            headers,
            body,
            route,
            client,
            request_id,
            principal,
            pattern,
            query_string,
            sender,
            ids,
        }
    }

    /// # Errors
    /// 401 before the guard admitted the request.
    pub fn sender(&self) -> Result<&'r Sender<'r>, ApiError> {
        self.sender.ok_or(ApiError::Unauthenticated)
    }

    /// The context of a use case whose response is not kept.
    pub fn context<T>(&self) -> Result<Context<T>, ApiError> {
        let (sender, ids) = self.sender.zip(self.ids).ok_or(ApiError::Unauthenticated)?;
        let origin =
            Origin { request_id: Some(self.request_id.into()), address: self.client.ip(), system_user: None };
        let bare = Context::new(self.tenant.clone(), sender.actor(), self.now, ids.clone());
        Ok(Context { origin, clock: Some(self.service.clock.clone()), ..bare })
    }

    /// The context of a write that executes once when its request has a key. `render` makes the response of the outcome; give
    /// the same to [`finish`](crate::answer::finish).
    pub fn once<T>(
        &self,
        key: Option<RequestKey>,
        render: impl Fn(&T) -> Answer + Send + Sync + 'static,
    ) -> Result<Context<T>, ApiError> {
        let context = self.context()?;
        Ok(Context { once: once(key, context.real_now(), render), ..context })
    }

    /// The parameters of its path. They are empty until the router found the route.
    pub fn params(&self) -> PathParams<'r> {
        PathParams { pattern: self.pattern, path: self.path }
    }

    /// # Errors
    /// 408, 413, 400 or 503, as in the table of errors.
    pub async fn receive_body(&self) -> Result<Bytes, ApiError> {
        Ok(Head::from(self).receive_body().await?)
    }

    /// The response to a read whose `ETag` is known before its body. It renders the body only for a client that lacks it. These
    /// reads come from memory, which may be out of date while the database is away.
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

impl<'r> From<&ApiRequest<'r>> for Head<'r> {
    fn from(request: &ApiRequest<'r>) -> Self {
        let ApiRequest { tenant, method, path, query, headers, sender, body, .. } = *request;
        Self { tenant: &tenant.tenant.id, method, path, query, headers, sender, body }
    }
}
