//! Permits for requests that wait: for events, or for the receiver of a webhook. Each also holds a working permit of the gateway.

use pointbook_domain::TenantId;
use pointbook_queue::{Bounds, Limits, Permit, Permits};

/// How many readers wait at once. Further ones get their response at once.
const MAX_WAITING_FOR_EVENTS: Bounds = Bounds { all: 128, tenant: 16, lane: usize::MAX };

pub(super) type EventPermits = Permits<TenantId, ()>;
pub(super) type EventPermit = Permit<TenantId, ()>;

pub(super) fn event_permits() -> EventPermits {
    Permits::new(Limits { permits: MAX_WAITING_FOR_EVENTS, ..Limits::default() })
}

/// How many requests test a webhook or resolve its host at once. Further ones get 503.
const MAX_WAITING_FOR_RECEIVERS: Bounds = Bounds { all: 32, tenant: 2, lane: usize::MAX };

pub(super) type ReceiverPermits = Permits<TenantId, ()>;
pub(super) type ReceiverPermit = Permit<TenantId, ()>;

pub(super) fn receiver_permits() -> ReceiverPermits {
    Permits::new(Limits { permits: MAX_WAITING_FOR_RECEIVERS, ..Limits::default() })
}
