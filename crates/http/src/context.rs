//! What the gateway finds out about a request before its route is looked up.

use std::sync::{Arc, OnceLock};

use pointbook_app::ServedTenant;
use pointbook_domain::Timestamp;

/// Stands in the extensions of every request that reaches the router.
#[derive(Clone)]
pub struct RequestContext {
    /// Whose address was called.
    pub tenant: Arc<ServedTenant>,
    /// When the request came in; the one time that it is answered by.
    pub now: Timestamp,
    /// Where the route leaves its name.
    pub route: RouteSlot,
}

/// The route's name in metrics and logs, once the router found it. Shared with the gateway, so that a
/// request that never got an answer counts for its route too.
#[derive(Debug, Clone, Default)]
pub struct RouteSlot(Arc<OnceLock<&'static str>>);

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
