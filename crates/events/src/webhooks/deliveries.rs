//! What a process needs to deliver.

use std::hash::RandomState;
use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::TenantId;
use pointbook_store::queue::{Bounds, Limits, Permits};
use pointbook_store::{IdSource, ServedTenant, Service};

use crate::webhooks::outbox::Outbox;
use crate::webhooks::stop::Stop;

/// How many webhooks a process delivers to at a time, and how many of a tenant. A tenant leaves as many free as it uses, so that slow
/// receivers of some tenants never take the last one.
const RUNNING: Limits = Limits {
    permits: Bounds { all: 64, tenant: 4, lane: usize::MAX },
    waiting: Bounds { all: usize::MAX, tenant: usize::MAX, lane: usize::MAX },
    leaves_room: true,
};
/// A process takes the lease of another one that it has seen unchanged for this long. A batch ends after a second and its last requests,
/// which take at most 15 seconds.
const LEASE_PATIENCE: Duration = Duration::from_mins(1);

/// One process that delivers.
pub struct Deliveries {
    pub(crate) service: Arc<Service>,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) ids: Arc<dyn IdSource>,
    /// The unique name of the process, for leases.
    pub(crate) owner: String,
    /// Chooses lanes and spreads retries.
    pub(crate) random: RandomState,
    pub(crate) stop: Stop,
    pub(crate) lease_patience: Duration,
    pub(crate) running: Permits<TenantId, ()>,
}

impl Deliveries {
    pub fn new(
        service: Arc<Service>,
        outbox: Arc<Outbox>,
        ids: Arc<dyn IdSource>,
        owner: String,
        random: RandomState,
    ) -> Self {
        let (stop, running) = (Stop::default(), Permits::new(RUNNING));
        Self { service, outbox, ids, owner, random, stop, lease_patience: LEASE_PATIENCE, running }
    }

    /// Takes the leases of processes that have changed nothing for this long. A test may be less patient.
    #[must_use]
    pub fn with_lease_patience(self, lease_patience: Duration) -> Self {
        Self { lease_patience, ..self }
    }

    /// Begins no more events. Requests that run may end within this time. Then [`crate::webhooks::serve`] stores how far it came, gives its leases
    /// back, and ends.
    pub fn stop(&self, within: Duration) {
        self.stop.begin(within);
    }

    pub(crate) fn tenant(&self, id: &TenantId) -> Option<Arc<ServedTenant>> {
        self.service.directory().tenants().iter().find(|served| served.tenant.id == *id).cloned()
    }
}

#[cfg(test)]
mod tests {
    use pointbook_store::queue::Lane;

    use super::*;

    #[test]
    fn tenants_with_slow_receivers_leave_a_delivery_to_another_one() {
        let running = Permits::new(RUNNING);
        let begin = |tenant: &str| running.try_acquire(Lane::of(TenantId::new(tenant).unwrap(), ()), 1);
        let slow: Vec<_> = (0..20 * RUNNING.permits.tenant)
            .filter_map(|number| begin(&format!("slow-{}", number % 20)).ok())
            .collect();
        assert!(slow.len() > 50 && begin("slow-0").is_err(), "{}", slow.len());
        assert!(begin("other").is_ok());
    }
}
