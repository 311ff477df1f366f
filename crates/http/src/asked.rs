//! A request as operations get it.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{HeaderMap, Method};
use http_body_util::combinators::BoxBody;
use pointbook_app::ServedTenant;
use pointbook_domain::{Timestamp, UserId};

use crate::auth::Sender;
use crate::gateway::is_known;
use crate::response::{Payload, Response, Tag};
use crate::{ApiError, BoxError};

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
    /// Its headers.
    pub headers: &'r HeaderMap,
    /// Its body, until it is read; none for reads.
    pub body: Option<BoxBody<Bytes, BoxError>>,
    /// Where the route leaves its name.
    pub route: &'r RouteSlot,
    /// Whom the guard of the route let in.
    pub(crate) sender: Option<&'r Sender<'r>>,
}

impl<'r> Asked<'r> {
    /// The party whose good token came with the request.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`] without one.
    pub fn sender(&self) -> Result<&'r Sender<'r>, ApiError> {
        self.sender.ok_or(ApiError::Unauthenticated)
    }

    /// The user whose customer token came with the request.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`] without one.
    pub fn customer(&self) -> Result<&'r UserId, ApiError> {
        self.sender()?.customer().ok_or(ApiError::Unauthenticated)
    }

    /// What the reader of its body goes by.
    pub(crate) fn head(&self) -> Head<'r> {
        let Self { method, path, query, headers, sender, .. } = *self;
        Head { method, path, query, headers, sender }
    }

    /// The answer to a read whose tag is known before its body: the body is made only for a client that
    /// does not have it.
    pub fn tagged<P: Into<Payload>>(&self, tag: Tag, body: impl FnOnce() -> P) -> Response {
        if is_known(tag, self.headers) { Response::not_modified(tag) } else { Response::tagged(tag, body()) }
    }
}

/// The parts of a request that say what its body is, and whose.
#[derive(Clone, Copy)]
pub(crate) struct Head<'r> {
    pub(crate) method: &'r Method,
    pub(crate) path: &'r str,
    pub(crate) query: Option<&'r str>,
    pub(crate) headers: &'r HeaderMap,
    pub(crate) sender: Option<&'r Sender<'r>>,
}

/// A body as it arrives.
pub(crate) type ArrivingBody = BoxBody<Bytes, BoxError>;

/// The route's name in metrics and logs, once the router found it. The gateway keeps it, so that a
/// request that never got an answer counts for its route too.
#[derive(Debug, Default)]
pub struct RouteSlot(OnceLock<&'static str>);

impl RouteSlot {
    /// Leaves the name; the first one stays.
    pub fn set(&self, name: &'static str) {
        self.0.get_or_init(|| name);
    }

    /// The name; none for an unknown route.
    pub fn get(&self) -> Option<&'static str> {
        self.0.get().copied()
    }
}
