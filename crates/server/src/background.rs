//! What a server does beside answering.

use std::sync::Arc;
use std::time::Duration;

use pointbook_app::{Service, clean_request_keys};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval};

use crate::config::CacheConfig;

/// How many rounds of refreshes may run at once, against a database that does not answer.
const MAX_RUNNING_REFRESHES: usize = 8;

/// How often the keys of old requests are looked for.
const CLEANING_INTERVAL: Duration = Duration::from_hours(1);

/// Begins everything; it ends when what is returned is dropped.
pub(crate) fn start(service: &Arc<Service>, cache: &CacheConfig) -> [AbortOnDrop; 3] {
    [
        spawn(keep_fresh(service.clone(), cache.refresh_interval_ms)),
        spawn(warm_up(service.clone(), cache.catalogue_bytes)),
        spawn(keep_clean(service.clone())),
    ]
}

/// Begins a task that ends when what is returned is dropped.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> AbortOnDrop {
    AbortOnDrop(tokio::spawn(task))
}

/// A background task that ends with what it works for.
pub(crate) struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Takes in what other processes changed. A round begins on time even when the one before is still
/// building a large catalogue: it leaves that tenant out, so no other tenant waits for it.
async fn keep_fresh(service: Arc<Service>, interval_ms: u64) {
    let mut rounds = interval(Duration::from_millis(interval_ms));
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut running = JoinSet::new();
    loop {
        rounds.tick().await;
        while running.try_join_next().is_some() {}
        if running.len() < MAX_RUNNING_REFRESHES {
            running.spawn(refresh(service.clone()));
        }
    }
}

async fn refresh(service: Arc<Service>) {
    if let Err(error) = service.refresh().await {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, "refresh failed");
    }
}

/// Loads the catalogues of all tenants in order, while they fit the memory for them, so that the
/// first request of each need not wait.
async fn warm_up(service: Arc<Service>, catalogue_bytes: usize) {
    let tenants = service.directory().tenants().to_vec();
    let mut held_bytes = 0_usize;
    for served in tenants {
        if held_bytes >= catalogue_bytes {
            return;
        }
        if let Err(error) = served.snapshot(service.clock.now()).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(tenant = %served.name(), error, "catalogue not loaded");
        }
        held_bytes = held_bytes.saturating_add(served.catalogue.memory_bytes());
    }
}

/// Forgets the keys of requests that are too old to come again, tenant by tenant, now and every hour.
async fn keep_clean(service: Arc<Service>) {
    let mut rounds = interval(CLEANING_INTERVAL);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        let tenants = service.directory().tenants().to_vec();
        for served in tenants {
            match clean_request_keys(&served, service.clock.now()).await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(tenant = %served.name(), removed, "old request keys removed"),
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(tenant = %served.name(), error, "old request keys not removed");
                }
            }
        }
    }
}
