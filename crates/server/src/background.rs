//! What a server does beside answering.

use std::sync::Arc;
use std::time::Duration;

use pointbook_app::{Service, StoreError, TokenWatch, with_causes};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

use crate::config::Config;
use crate::job_runner::job_runner;

/// How long after its response, or its failure to respond, the database is asked again.
const CHECKING_INTERVAL: Duration = Duration::from_millis(500);

/// How often super-user tokens that expire soon are looked for.
const TOKEN_INTERVAL: Duration = Duration::from_hours(1);

/// Begins everything; it ends when what is returned is dropped. `process` names this process in the leases of jobs.
pub(crate) fn start(service: &Arc<Service>, config: &Config, process: String) -> [AbortOnDrop; 5] {
    let cache = &config.cache;
    let runner = Arc::new(job_runner(service.clone(), process, config.jobs.lease_seconds));
    [
        spawn(keep_watch(service.clone(), Duration::from_millis(config.http.readiness_timeout_ms))),
        spawn(keep_fresh(service.clone(), cache.refresh_interval_ms)),
        spawn(warm_up(service.clone(), cache.catalogue_bytes)),
        spawn(watch_tokens(service.clone())),
        spawn(pointbook_jobs::serve(runner, Duration::from_millis(config.jobs.poll_interval_ms))),
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

/// Finds out whether the database is there. One question at a time.
async fn keep_watch(service: Arc<Service>, patience: Duration) {
    loop {
        service.check_database(patience).await;
        tokio::time::sleep(CHECKING_INTERVAL).await;
    }
}

/// Follows changes of the tenants through other instances, and keeps the catalogues within their memory.
async fn keep_fresh(service: Arc<Service>, interval_ms: u64) {
    let mut rounds = interval(Duration::from_millis(interval_ms));
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        refresh(&service).await;
    }
}

async fn refresh(service: &Service) {
    match service.refresh().await {
        Ok(()) => {}
        Err(error @ (StoreError::Unavailable(_) | StoreError::Overloaded)) => {
            service.health.note_failure(&error);
        }
        Err(error) => tracing::warn!(error = with_causes(&error), "refresh failed"),
    }
}

/// Loads the catalogues of all tenants in order, while they fit the memory for them, so that the
/// first request of each need not wait. Stops when the database is away: then each would wait in vain.
async fn warm_up(service: Arc<Service>, catalogue_bytes: usize) {
    let tenants = service.directory().tenants().to_vec();
    let mut held_bytes = 0_usize;
    for served in tenants {
        if held_bytes >= catalogue_bytes || service.health.is_away() {
            return;
        }
        match served.snapshot(service.clock.now()).await {
            Ok(_) => {}
            Err(error @ (StoreError::Unavailable(_) | StoreError::Overloaded)) => {
                service.health.note_failure(&error);
            }
            Err(error) => {
                let error = with_causes(&error);
                tracing::warn!(tenant = %served.name(), error, "catalogue not loaded");
            }
        }
        held_bytes = held_bytes.saturating_add(served.catalogue.memory_bytes());
    }
}

/// Warns of super-user tokens that expire soon, now and every hour. Each process does so for itself, because the gauge
/// that it keeps is its own.
async fn watch_tokens(service: Arc<Service>) {
    let mut rounds = interval(TOKEN_INTERVAL);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut tokens = TokenWatch::default();
    loop {
        rounds.tick().await;
        let tenants = service.directory().tenants().to_vec();
        tokens.look(&tenants, service.clock.now()).await;
    }
}
