//! A request as operations see it.

use std::sync::Arc;

use bytes::Bytes;
use http::header::WARNING;
use http::{HeaderMap, HeaderValue, Method};
use pointbook_domain::Timestamp;
use pointbook_store::ports::RequestKey;
use pointbook_store::{Context, Origin, ServedTenant, Service};

use crate::answer::{Answer, once};
use crate::head::Head;
use crate::kernel::{ClientAddress, RequestBody, Response, Tag, is_known};
use crate::path_params::PathParams;
use crate::query_string::QueryString;
use crate::sender::Sender;
use crate::site::SiteRequest;
use crate::state::HttpState;

/// The warning of a response from memory while the database is away (RFC 7234, 5.5.1).
const STALE: HeaderValue = HeaderValue::from_static("110 - \"Response is Stale\"");

/// A request that the guard of its route admitted. It borrows from the gateway until the response is ready, so passing it on copies
/// nothing.
pub struct ApiRequest<'r> {
    /// For operations that change the tenant itself.
    pub service: &'r Service,
    /// What all operations share.
    pub state: &'r HttpState,
    /// The tenant whose base URL the request has.
    pub tenant: &'r Arc<ServedTenant>,
    /// When the request came in, by the clock of the tenant.
    pub now: Timestamp,
    /// GET for HEAD as well.
    pub method: &'r Method,
    /// The path below the tenant's base URL, without a trailing slash, still encoded.
    pub path: &'r str,
    /// The parameters of its path.
    pub params: PathParams<'r>,
    /// The part behind the question mark, still encoded.
    pub query: Option<&'r str>,
    /// The same, read.
    pub query_string: &'r QueryString<'r>,
    pub headers: &'r HeaderMap,
    pub(crate) body: &'r RequestBody<'r>,
    /// The client that sent it.
    pub client: ClientAddress<'r>,
    pub(crate) request_id: &'r str,
    pub sender: &'r Sender<'r>,
}

impl ApiRequest<'_> {
    /// The context of a use case whose response is not kept.
    pub fn context<T>(&self) -> Context<T> {
        let origin =
            Origin { request_id: Some(self.request_id.into()), address: self.client.ip(), system_user: None };
        let bare = Context::new(self.tenant.clone(), self.sender.actor(), self.now, self.state.ids.clone());
        Context { origin, clock: Some(self.service.clock.clone()), ..bare }
    }

    /// The context of a write that executes once when its request has a key. `render` makes the response of the outcome; give
    /// the same to [`finish`](crate::answer::finish).
    pub fn once<T>(
        &self,
        key: Option<RequestKey>,
        render: impl Fn(&T) -> Answer + Send + Sync + 'static,
    ) -> Context<T> {
        let context = self.context();
        Context { once: once(key, context.real_now(), render), ..context }
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
        Self { tenant: &tenant.tenant.id, method, path, query, headers, sender: Some(sender), body }
    }
}

impl<'r> From<&SiteRequest<'r>> for Head<'r> {
    fn from(request: &SiteRequest<'r>) -> Self {
        let SiteRequest { tenant, method, path, query, headers, body, .. } = *request;
        Self { tenant: &tenant.tenant.id, method, path, query, headers, sender: None, body }
    }
}
