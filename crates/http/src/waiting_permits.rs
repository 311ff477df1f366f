//! Permits for requests that wait for events. Each also holds a working permit of the gateway.

use pointbook_domain::TenantId;
use pointbook_store::queue::{Bounds, Limits, Permit, Permits};

/// How many readers wait at once. Further ones get their response at once.
const MAX_WAITING_FOR_EVENTS: Bounds = Bounds { all: 128, tenant: 16, lane: usize::MAX };

pub(crate) type EventPermits = Permits<TenantId, ()>;
pub(crate) type EventPermit = Permit<TenantId, ()>;

pub(crate) fn event_permits() -> EventPermits {
    Permits::new(Limits { permits: MAX_WAITING_FOR_EVENTS, ..Limits::default() })
}
