//! The background tasks of a server.

use std::hash::RandomState;
use std::sync::Arc;
use std::time::Duration;

use pointbook_access::keys::uses::store_key_uses;
use pointbook_access::sessions::store_session_uses;
use pointbook_access::tokens::watch::TokenWatch;
use pointbook_catalogue::cache::{CatalogueCache, evict, snapshot};
use pointbook_events::webhooks::{Deliveries, Outbox};
use pointbook_store::database_health::with_causes;
use pointbook_store::{Service, StoreError};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::backup::keep_backing_up;
use crate::config::Config;
use crate::jobs::{JOBS, Runner};
use crate::sources::UuidIds;
use crate::wiring::DatabaseUrl;

/// The pause between two checks of the database.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// How often the server looks for super-user tokens that expire soon.
const TOKEN_INTERVAL: Duration = Duration::from_hours(1);

/// How often the server stores when keys and sessions were last used.
const USE_INTERVAL: Duration = Duration::from_mins(1);

/// How long a stopped server waits for deliveries to store their progress.
const SAVE_TIME: Duration = Duration::from_secs(2);

/// Tasks that are aborted when the value is dropped.
pub(crate) type AbortOnDrop = JoinSet<()>;

/// Starts a task that is aborted when the result is dropped.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> AbortOnDrop {
    let mut tasks = JoinSet::new();
    tasks.spawn(task);
    tasks
}

/// Starts to deliver to webhooks, unless the configuration forbids it. `process` names this process in their leases.
pub(crate) fn start_deliveries(
    service: &Arc<Service>,
    config: &Config,
    outbox: Arc<Outbox>,
    process: &str,
) -> Delivering {
    let (ids, random) = (Arc::new(UuidIds), RandomState::new());
    let deliveries = Arc::new(Deliveries::new(service.clone(), outbox, ids, process.to_owned(), random));
    let mut tasks = JoinSet::new();
    if config.webhooks.deliver {
        tasks.spawn(pointbook_events::webhooks::serve(deliveries.clone()));
    } else {
        tracing::info!("webhooks.deliver is false: this instance delivers no events to webhooks");
    }
    Delivering { tasks, deliveries }
}

/// The deliveries of a server. They are aborted when the value is dropped.
pub(crate) struct Delivering {
    tasks: AbortOnDrop,
    deliveries: Arc<Deliveries>,
}

impl Delivering {
    /// Passes the signal on. When it comes, no more events begin, and requests that run may end within this time.
    pub(crate) fn stop_at<S: Future>(
        &self,
        signal: S,
        within: Duration,
    ) -> impl Future<Output = S::Output> + use<S> {
        let deliveries = self.deliveries.clone();
        async move {
            let signalled = signal.await;
            deliveries.stop(within);
            signalled
        }
    }

    /// Waits until the progress is stored and the leases are free.
    pub(crate) async fn end(mut self) {
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(SAVE_TIME, ended).await.is_err() {
            tracing::warn!("deliveries to webhooks cut off; other instances go on after a minute");
        }
    }
}

/// Starts all other background tasks. `process` names this process in the leases of jobs.
pub(crate) fn start(
    service: &Arc<Service>,
    config: &Config,
    database: &DatabaseUrl,
    process: String,
) -> AbortOnDrop {
    let runner = Arc::new(job_runner(service.clone(), process, config.jobs.lease_seconds));
    let mut tasks = JoinSet::new();
    tasks.spawn(check_database(service.clone(), Duration::from_millis(config.http.readiness_timeout_ms)));
    tasks.spawn(refresh_tenants(service.clone(), Duration::from_millis(config.cache.refresh_interval_ms)));
    tasks.spawn(warm_up(service.clone(), config.cache.catalogue_bytes));
    tasks.spawn(watch_tokens(service.clone()));
    tasks.spawn(keep_uses(service.clone()));
    if !config.backup.folder.as_os_str().is_empty() {
        match database {
            DatabaseUrl::Sqlite(path) => {
                drop(tasks.spawn(keep_backing_up(path.clone(), config.backup.clone())));
            }
            DatabaseUrl::Postgres(_) => {
                tracing::warn!(
                    "backup.folder has no effect: {database} is not a SQLite database; use pg_dump or pg_basebackup"
                );
            }
        }
    }
    tasks.spawn(crate::jobs::serve(runner, Duration::from_millis(config.jobs.poll_interval_ms)));
    tasks
}

/// A runner of the background jobs of all tenants. `process` names this process in leases.
pub(crate) fn job_runner(service: Arc<Service>, process: String, lease_seconds: u32) -> Runner {
    Runner { service, ids: Arc::new(UuidIds), owner: process, lease_seconds, jobs: &JOBS }
}

/// Checks whether the database responds, one check at a time.
async fn check_database(service: Arc<Service>, timeout: Duration) {
    loop {
        service.check_database(timeout).await;
        sleep(CHECK_INTERVAL).await;
    }
}

/// Applies changes that other instances made to tenants, and keeps the catalogues within their memory limit.
async fn refresh_tenants(service: Arc<Service>, every: Duration) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match service.refresh().await {
            Ok(()) => evict(&service),
            Err(error) if is_outage(&service, &error) => {}
            Err(error) => tracing::warn!(error = with_causes(&error), "refresh failed"),
        }
    }
}

/// Whether the database is unavailable. The health of the service logs an outage once, so the caller does not.
fn is_outage(service: &Service, error: &StoreError) -> bool {
    let is_outage = matches!(error, StoreError::Unavailable(_) | StoreError::Overloaded);
    if is_outage {
        service.health.note_failure(error);
    }
    is_outage
}

/// Loads the catalogues of all tenants, so that the first request of a tenant need not wait. Stops when the memory for
/// catalogues is used up, or when the database is unavailable.
async fn warm_up(service: Arc<Service>, catalogue_bytes: usize) {
    let tenants = service.directory().tenants().to_vec();
    let mut held_bytes = 0_usize;
    for served in tenants {
        if held_bytes >= catalogue_bytes || service.health.is_away() {
            return;
        }
        if let Err(error) = snapshot(&served, service.now_of(&served)).await
            && !is_outage(&service, &error)
        {
            let error = with_causes(&error);
            tracing::warn!(tenant = %served.name(), error, "catalogue not loaded");
        }
        held_bytes = held_bytes.saturating_add(served.state::<CatalogueCache>().memory_bytes());
    }
}

/// Stores when keys and sessions of operators were last used.
async fn keep_uses(service: Arc<Service>) {
    loop {
        sleep(USE_INTERVAL).await;
        let tenants = service.directory().tenants().to_vec();
        for served in tenants {
            let stored = [store_key_uses(&served).await, store_session_uses(&served).await];
            for error in stored.into_iter().filter_map(Result::err) {
                if !is_outage(&service, &error) {
                    let error = with_causes(&error);
                    tracing::warn!(tenant = %served.name(), error, "uses of keys or sessions not stored");
                }
            }
        }
    }
}

/// Warns of super-user tokens that expire soon. Every instance does this, because each has its own gauge.
async fn watch_tokens(service: Arc<Service>) {
    let mut tokens = TokenWatch::default();
    loop {
        let tenants = service.directory().tenants().to_vec();
        tokens.look(&tenants, service.clock.now()).await;
        sleep(TOKEN_INTERVAL).await;
    }
}
