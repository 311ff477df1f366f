//! Watches the feeds of all tenants, and delivers what webhooks have not got yet.
//!
//! A task per tenant waits for writes of this process. Every half minute it looks anyway, for writes of other processes.

mod lag;
mod memory;
#[cfg(test)]
mod tests;
mod watcher;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::TenantId;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use self::watcher::watch;
#[cfg(test)]
pub(crate) use self::watcher::{Due, due_in};
use crate::webhooks::Deliveries;

/// How often the process looks for new and removed tenants.
const TENANTS_INTERVAL: Duration = Duration::from_secs(2);
/// The first looks of tenants are this far apart, so that a start causes no burst.
const FIRST_LOOKS_APART: Duration = Duration::from_millis(5);

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
