//! What a server does beside answering.

mod cleaning_log;

use std::sync::Arc;
use std::time::Duration;

use pointbook_app::{Service, StoreError, TokenWatch, clean_request_keys, clean_tokens, with_causes};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

use self::cleaning_log::CleaningLog;
use crate::config::Config;

/// How long after its response, or its failure to respond, the database is asked again.
const CHECKING_INTERVAL: Duration = Duration::from_millis(500);

/// How often the keys of old requests and tokens that ended are looked for.
const CLEANING_INTERVAL: Duration = Duration::from_hours(1);

/// Begins everything; it ends when what is returned is dropped.
pub(crate) fn start(service: &Arc<Service>, config: &Config) -> [AbortOnDrop; 4] {
    let cache = &config.cache;
    [
        spawn(keep_watch(service.clone(), config.http.readiness_timeout())),
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
        Err(error @ StoreError::Unavailable(_)) => service.health.note_failure(&error),
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
            Err(error @ StoreError::Unavailable(_)) => service.health.note_failure(&error),
            Err(error) => {
                let error = with_causes(&error);
                tracing::warn!(tenant = %served.name(), error, "catalogue not loaded");
            }
        }
        held_bytes = held_bytes.saturating_add(served.catalogue.memory_bytes());
    }
}

/// Removes the keys of requests that are too old to come again, and tokens that ended long ago, tenant by tenant, now and
/// every hour. Warns of super-user tokens that expire soon. A round ends when the database is away.
async fn keep_clean(service: Arc<Service>) {
    let mut rounds = interval(CLEANING_INTERVAL);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut tokens = TokenWatch::default();
    loop {
        rounds.tick().await;
        let tenants = service.directory().tenants().to_vec();
        tokens.look(&tenants, service.clock.now()).await;
        let mut log = CleaningLog::default();
        for served in tenants {
            if service.health.is_away() {
                break;
            }
            let removed = clean_request_keys(&served, service.clock.now()).await;
            log.note(&served.name(), &served.health, "request keys", removed);
            let removed = clean_tokens(&served, service.clock.now()).await;
            log.note(&served.name(), &served.health, "tokens", removed);
        }
        log.finish();
    }
}
