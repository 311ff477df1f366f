//! What the gateway finds out about a request before its route is looked up.

use std::sync::Arc;

use pointbook_app::ServedTenant;
use pointbook_domain::Timestamp;

/// Stands in the extensions of every request that reaches the router.
#[derive(Clone)]
pub struct RequestContext {
    /// Whose address was called.
    pub tenant: Arc<ServedTenant>,
    /// When the request came in; the one time that it is answered by.
    pub now: Timestamp,
}

/// The route's name in metrics and logs. Stands in the extensions of every response of the router,
/// errors of a known route included; a response without it counts as that of an unknown route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteName(pub &'static str);
