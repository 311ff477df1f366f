//! The place of HTML pages in the gateway: requests that are below no tenant's base URL.

use http::{HeaderMap, Method, Uri};

use crate::gateway::RequestBody;
use crate::interface::Answering;

/// What answers requests that belong to no tenant.
pub trait Pages: Send + Sync {
    /// Answers a request. `None` when no page has its path: the gateway then refuses it as one to an unknown base URL.
    fn answer<'r>(&'r self, request: PageRequest<'r>) -> Option<Answering<'r>>;
}

/// A request that belongs to no tenant, as pages get it: within the limits of the gateway.
#[derive(Clone, Copy)]
pub struct PageRequest<'r> {
    pub method: &'r Method,
    pub uri: &'r Uri,
    pub headers: &'r HeaderMap,
    /// Its body, which arrives when a page reads it.
    pub body: &'r RequestBody<'r>,
}
