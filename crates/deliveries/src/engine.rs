//! Watches the feeds of all tenants, and delivers what webhooks have not got yet.
//!
//! A task per tenant waits for writes of this process. Every half minute it looks anyway, for writes of other processes.

mod lag;
mod memory;
#[cfg(test)]
mod tests;
mod watcher;

use std::collections::{HashMap, HashSet};
use std::hash::RandomState;
use std::sync::Arc;
use std::time::Duration;

use pointbook_app::{IdSource, ServedTenant, Service};
use pointbook_domain::TenantId;
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use self::watcher::watch;
#[cfg(test)]
pub(crate) use self::watcher::{Due, due_in};
use crate::outbox::Outbox;
use crate::stop::Stop;

/// How many webhooks a process delivers to at a time.
const MAX_RUNNING: usize = 64;
/// How often the process looks for new and removed tenants.
const TENANTS_INTERVAL: Duration = Duration::from_secs(2);
/// The first looks of tenants are this far apart, so that a start causes no burst.
const FIRST_LOOKS_APART: Duration = Duration::from_millis(5);
/// A process takes the lease of another one that it has seen unchanged for this long. A batch ends after a second and its last requests,
/// which take at most 15 seconds.
const LEASE_PATIENCE: Duration = Duration::from_mins(1);

/// What a process needs to deliver.
pub struct Deliveries {
    pub(crate) service: Arc<Service>,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) ids: Arc<dyn IdSource>,
    /// The unique name of the process, for leases.
    pub(crate) owner: String,
    /// Chooses lanes and spreads retries.
    pub(crate) random: RandomState,
    pub(crate) stop: Stop,
    lease_patience: Duration,
    running: Semaphore,
}

impl Deliveries {
    pub fn new(
        service: Arc<Service>,
        outbox: Arc<Outbox>,
        ids: Arc<dyn IdSource>,
        owner: String,
        random: RandomState,
    ) -> Self {
        let (stop, running) = (Stop::default(), Semaphore::new(MAX_RUNNING));
        Self { service, outbox, ids, owner, random, stop, lease_patience: LEASE_PATIENCE, running }
    }

    /// Takes the leases of processes that have changed nothing for this long. A test may be less patient.
    #[must_use]
    pub fn with_lease_patience(self, lease_patience: Duration) -> Self {
        Self { lease_patience, ..self }
    }

    /// Begins no more events. Requests that run may end within this time. Then [`serve`] stores how far it came, gives its leases
    /// back, and ends.
    pub fn stop(&self, within: Duration) {
        self.stop.begin(within);
    }

    fn tenant(&self, id: &TenantId) -> Option<Arc<ServedTenant>> {
        self.service.directory().tenants().iter().find(|served| served.tenant.id == *id).cloned()
    }
}

/// Delivers events to the webhooks of all tenants, until [`Deliveries::stop`]. When it is dropped, deliveries end at once. Then other
/// processes go on after a minute.
pub async fn serve(deliveries: Arc<Deliveries>) {
    let mut tasks = JoinSet::new();
    let mut watched: HashMap<TenantId, AbortHandle> = HashMap::new();
    while !deliveries.stop.has_begun() {
        let present: Vec<TenantId> =
            deliveries.service.directory().tenants().iter().map(|served| served.tenant.id.clone()).collect();
        let known: HashSet<_> = present.iter().collect();
        watched.retain(|id, task| {
            let is_present = known.contains(id) && !task.is_finished();
            if !is_present {
                task.abort();
            }
            is_present
        });
        let mut first_look = Duration::ZERO;
        for id in present {
            watched.entry(id.clone()).or_insert_with(|| {
                first_look += FIRST_LOOKS_APART;
                tasks.spawn(watch(deliveries.clone(), id, first_look))
            });
        }
        while tasks.try_join_next().is_some() {}
        tokio::select! {
            () = sleep(TENANTS_INTERVAL) => {}
            () = deliveries.stop.begun() => {}
        }
    }
    // Each task waits for its runs.
    while tasks.join_next().await.is_some() {}
}
