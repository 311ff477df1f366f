//! Requests as the rooms above get them.

use std::sync::{Arc, OnceLock};

use http::request::Parts;
use http::{HeaderMap, Method};
use pointbook_domain::Timestamp;

use crate::gateway::{Permits, RequestBody, has_valid_host};
use crate::interface::Interface;

/// A request to a tenant. It borrows from what the gateway holds until the response is there, so that handing it on
/// costs nothing.
pub struct TenantRequest<'r, I: Interface> {
    /// The tenant whose base URL was called.
    pub tenant: &'r Arc<I::Served>,
    /// When the request came in.
    pub now: Timestamp,
    /// Its method; GET for HEAD as well.
    pub method: &'r Method,
    /// Its path below the tenant's base, without a trailing slash, still encoded.
    pub path: &'r str,
    /// What is behind the question mark, still encoded.
    pub query: Option<&'r str>,
    pub headers: &'r HeaderMap,
    /// Its body, which arrives when an operation reads it.
    pub body: &'r RequestBody<'r>,
    /// Where the route leaves its name.
    pub route: &'r RouteSlot,
    /// Where the sender is left once the token is known.
    pub principal: &'r PrincipalSlot<I::Known>,
}

/// A request that may be for what stands at the root of the listener.
pub struct RootRequest<'r> {
    pub(crate) parts: &'r Parts,
    pub(crate) permits: &'r Permits,
    pub(crate) is_shutting_down: bool,
}

impl RootRequest<'_> {
    pub fn path(&self) -> &str {
        self.parts.uri.path()
    }

    pub fn method(&self) -> &Method {
        &self.parts.method
    }

    pub fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// Whether it names a host, once and in a valid form.
    pub fn has_valid_host(&self) -> bool {
        has_valid_host(self.parts)
    }

    /// Whether one more request gets a permit. The gateway counts a refusal.
    pub fn is_admitted(&self) -> bool {
        self.permits.admits(false)
    }

    /// Whether the gateway refused a request within the last seconds because all permits were taken.
    pub fn is_saturated(&self) -> bool {
        self.permits.is_saturated()
    }

    /// Whether the process is ending.
    pub fn is_shutting_down(&self) -> bool {
        self.is_shutting_down
    }
}

/// The route's name in metrics and logs, once the router found it. The gateway keeps it, so that a
/// request that never got a response counts for its route too.
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

/// Who sent a request, once the token is known. The gateway keeps it, so that the access log names the sender also when
/// there was no response.
#[derive(Debug)]
pub struct PrincipalSlot<K>(OnceLock<Arc<K>>);

impl<K> Default for PrincipalSlot<K> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<K> PrincipalSlot<K> {
    /// Leaves the sender.
    pub fn set(&self, principal: Arc<K>) -> &K {
        self.0.get_or_init(|| principal)
    }

    /// The sender; none for a request without an active token.
    pub fn get(&self) -> Option<&K> {
        self.0.get().map(AsRef::as_ref)
    }
}
