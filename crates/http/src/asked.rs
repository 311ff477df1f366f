//! A request as operations get it.

use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;
use http::header::WARNING;
use http::{HeaderMap, HeaderValue, Method};
use pointbook_app::ports::RequestKey;
use pointbook_app::{Context, IdSource};
use pointbook_domain::TenantId;
use pointbook_http_kernel::{BodyOwner, Payload, RequestBody, Response, Tag, TenantRequest, is_known};

use crate::ApiError;
use crate::answer::{Answer, once};
use crate::auth::Sender;
use crate::path_params::PathParams;
use crate::query::{NO_QUERY, QueryString};
use crate::site::Site;

/// What a response from memory says while the database is away (RFC 7234, 5.5.1).
const STALE: HeaderValue = HeaderValue::from_static("110 - \"Response is Stale\"");

/// A request to a tenant, with what the guard of its route found out.
pub struct Asked<'r> {
    pub(crate) request: TenantRequest<'r, Site>,
    /// The path of its route, with the names of parameters; empty until the router found the route.
    pub(crate) pattern: &'static str,
    /// Empty until the guard let the request in.
    pub(crate) query_string: &'r QueryString<'r>,
    /// Whom the guard of the route let in.
    pub(crate) sender: Option<&'r Sender<'r>>,
    /// Makes the ids of what is written; none until the guard let the request in.
    pub(crate) ids: Option<&'r Arc<dyn IdSource>>,
}

impl<'r> Deref for Asked<'r> {
    type Target = TenantRequest<'r, Site>;

    fn deref(&self) -> &Self::Target {
        &self.request
    }
}

impl<'r> Asked<'r> {
    pub(crate) fn new(request: TenantRequest<'r, Site>) -> Self {
        Self { request, pattern: "", query_string: &NO_QUERY, sender: None, ids: None }
    }

    /// The party whose good token came with the request.
    pub(crate) fn sender(&self) -> Result<&'r Sender<'r>, ApiError> {
        self.sender.ok_or(ApiError::Unauthenticated)
    }

    /// The context of a use case whose response is not kept.
    pub(crate) fn context<T>(&self) -> Result<Context<T>, ApiError> {
        let (sender, ids) = self.sender.zip(self.ids).ok_or(ApiError::Unauthenticated)?;
        Ok(Context::new(self.tenant.clone(), sender.actor(), self.now, ids.clone()))
    }

    /// The context of a write that is executed once, when its request has a key. `render` makes the response of what
    /// it came to; give the same to [`finish`](crate::answer::finish).
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

    /// # Errors
    /// 408, 413, 400 or 503, as the table of errors has them.
    pub async fn receive_body(&self) -> Result<Bytes, ApiError> {
        Head::from(self).receive_body().await
    }

    /// The answer to a read whose tag is known before its body: the body is made only for a client that
    /// does not have it. All such reads come from memory, which may be out of date while the database is away.
    pub fn tagged<P: Into<Payload>>(&self, tag: Tag, body: impl FnOnce() -> P) -> Response {
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

impl<'r> From<&Asked<'r>> for Head<'r> {
    fn from(asked: &Asked<'r>) -> Self {
        let TenantRequest { tenant, method, path, query, headers, body, .. } = asked.request;
        Self { tenant: &tenant.tenant.id, method, path, query, headers, sender: asked.sender, body }
    }
}

impl Head<'_> {
    pub(crate) async fn body_arrival(&self) -> Result<(), ApiError> {
        Ok(self.body.arrival(|| self.body_owner()).await?)
    }

    pub(crate) async fn receive_body(&self) -> Result<Bytes, ApiError> {
        Ok(self.body.receive(|| self.body_owner()).await?)
    }

    fn body_owner(&self) -> BodyOwner {
        let principal = self.sender.map(Sender::key_owner).unwrap_or_default();
        BodyOwner { tenant: self.tenant.clone(), principal }
    }
}
