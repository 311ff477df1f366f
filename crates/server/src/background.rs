//! What a server does beside responding to requests.

use std::sync::Arc;
use std::time::Duration;

use pointbook_app::{Service, StoreError, TokenWatch, store_key_uses, with_causes};
use pointbook_jobs::{JOBS, Runner};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::backup::keep_backing_up;
use crate::config::Config;
use crate::sources::UuidIds;
use crate::wiring::DatabaseUrl;

/// How long after a response of the database, or its failure to respond, the server asks it again.
const CHECKING_INTERVAL: Duration = Duration::from_millis(500);

/// How often the server looks for super-user tokens that expire soon.
const TOKEN_INTERVAL: Duration = Duration::from_hours(1);

/// How often the server stores in which hours keys were used.
const KEY_USE_INTERVAL: Duration = Duration::from_mins(1);

/// Tasks that end when the value is dropped.
pub(crate) type AbortOnDrop = JoinSet<()>;

/// Begins a task that ends when the result is dropped.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> AbortOnDrop {
    let mut tasks = JoinSet::new();
    tasks.spawn(task);
    tasks
}

/// Begins all background tasks. `process` names this process in the leases of jobs.
pub(crate) fn start(
    service: &Arc<Service>,
    config: &Config,
    database: &DatabaseUrl,
    process: String,
) -> AbortOnDrop {
    let runner = Arc::new(job_runner(service.clone(), process, config.jobs.lease_seconds));
    let mut tasks = JoinSet::new();
    tasks.spawn(keep_watch(service.clone(), Duration::from_millis(config.http.readiness_timeout_ms)));
    tasks.spawn(keep_fresh(service.clone(), Duration::from_millis(config.cache.refresh_interval_ms)));
    tasks.spawn(warm_up(service.clone(), config.cache.catalogue_bytes));
    tasks.spawn(watch_tokens(service.clone()));
    tasks.spawn(keep_key_uses(service.clone()));
    if !config.backup.folder.as_os_str().is_empty() {
        match database {
            DatabaseUrl::Sqlite(path) => {
                drop(tasks.spawn(keep_backing_up(path.clone(), config.backup.clone())));
            }
            DatabaseUrl::Postgres(_) => {
                tracing::warn!(
                    "backup.folder has no effect: {database} is not a SQLite file; use the tools of PostgreSQL"
                );
            }
        }
    }
    tasks.spawn(pointbook_jobs::serve(runner, Duration::from_millis(config.jobs.poll_interval_ms)));
    tasks
}

/// Runs jobs for the tenants of a service. `process` names this process in leases.
pub(crate) fn job_runner(service: Arc<Service>, process: String, lease_seconds: u32) -> Runner {
    Runner { service, ids: Arc::new(UuidIds), owner: process, lease_seconds, jobs: &JOBS }
}

/// Asks whether the database is there, one question at a time.
async fn keep_watch(service: Arc<Service>, timeout: Duration) {
    loop {
        service.check_database(timeout).await;
        sleep(CHECKING_INTERVAL).await;
    }
}

/// Follows changes of the tenants through other instances, and keeps the catalogues within their memory.
async fn keep_fresh(service: Arc<Service>, every: Duration) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = service.refresh().await
            && !is_outage(&service, &error)
        {
            tracing::warn!(error = with_causes(&error), "refresh failed");
        }
    }
}

/// Whether the database is away, which the service's health logs once for all who notice.
fn is_outage(service: &Service, error: &StoreError) -> bool {
    let is_outage = matches!(error, StoreError::Unavailable(_) | StoreError::Overloaded);
    if is_outage {
        service.health.note_failure(error);
    }
    is_outage
}

/// Loads the catalogues of all tenants in order, while they fit the memory for them, so that the first request of each
/// need not wait. Stops when the database is away: then each would wait in vain.
async fn warm_up(service: Arc<Service>, catalogue_bytes: usize) {
    let tenants = service.directory().tenants().to_vec();
    let mut held_bytes = 0_usize;
    for served in tenants {
        if held_bytes >= catalogue_bytes || service.health.is_away() {
            return;
        }
        if let Err(error) = served.snapshot(service.clock.now()).await
            && !is_outage(&service, &error)
        {
            let error = with_causes(&error);
            tracing::warn!(tenant = %served.name(), error, "catalogue not loaded");
        }
        held_bytes = held_bytes.saturating_add(served.catalogue.memory_bytes());
    }
}

/// Stores in which hours keys were used.
async fn keep_key_uses(service: Arc<Service>) {
    loop {
        sleep(KEY_USE_INTERVAL).await;
        let tenants = service.directory().tenants().to_vec();
        for served in tenants {
            if let Err(error) = store_key_uses(&served).await
                && !is_outage(&service, &error)
            {
                let error = with_causes(&error);
                tracing::warn!(tenant = %served.name(), error, "uses of keys not stored");
            }
        }
    }
}

/// Warns of super-user tokens that expire soon. Each process does so, because each has its own gauge.
async fn watch_tokens(service: Arc<Service>) {
    let mut tokens = TokenWatch::default();
    loop {
        let tenants = service.directory().tenants().to_vec();
        tokens.look(&tenants, service.clock.now()).await;
        sleep(TOKEN_INTERVAL).await;
    }
}
