//! Watches the feeds of all tenants, and delivers what webhooks have not got yet.
//!
//! A task per tenant waits for writes of this process. Every half minute it looks anyway, for writes of other processes.

use std::collections::{HashMap, HashSet};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use pointbook_app::{IdSource, ServedTenant, Service, StoreResult, with_causes};
use pointbook_domain::{TenantId, Timestamp, WebhookState};
use tokio::sync::Semaphore;
use tokio::sync::futures::Notified;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::deliver::deliver;
use crate::manage::{WebhookStatus, webhooks_to_deliver};
use crate::outbox::Outbox;

#[cfg(test)]
mod tests;

/// How many webhooks a process delivers to at a time.
const MAX_RUNNING: usize = 64;
/// How many of them belong to one tenant.
const MAX_RUNNING_OF_TENANT: usize = 4;
/// How often the process looks for new and removed tenants.
const TENANTS_INTERVAL: Duration = Duration::from_secs(2);
/// How often a tenant is looked at when this process writes nothing of it.
const LOOK_INTERVAL: Duration = Duration::from_secs(30);
/// The same for a tenant without webhooks. A write of this process shows a new webhook sooner.
const QUIET_INTERVAL: Duration = Duration::from_mins(10);
/// The pause after a look, so that many writes cause few looks.
const LOOK_PAUSE: Duration = Duration::from_millis(20);
/// The same for a tenant without webhooks.
const QUIET_PAUSE: Duration = Duration::from_secs(1);
/// The first looks of tenants are this far apart, so that a start causes no burst.
const FIRST_LOOKS_APART: Duration = Duration::from_millis(5);

/// What a process needs to deliver.
pub struct Deliveries {
    pub(crate) service: Arc<Service>,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) ids: Arc<dyn IdSource>,
    /// The unique name of the process, for leases.
    pub(crate) owner: String,
    running: Semaphore,
}

impl Deliveries {
    pub fn new(service: Arc<Service>, outbox: Arc<Outbox>, ids: Arc<dyn IdSource>, owner: String) -> Self {
        Self { service, outbox, ids, owner, running: Semaphore::new(MAX_RUNNING) }
    }

    fn tenant(&self, id: &TenantId) -> Option<Arc<ServedTenant>> {
        self.service.directory().tenants().iter().find(|served| served.tenant.id == *id).cloned()
    }
}

/// Delivers events to the webhooks of all tenants. Never ends. When it is dropped, deliveries stop. Their leases end
/// within a minute.
pub async fn serve(deliveries: Arc<Deliveries>) {
    let mut tasks = JoinSet::new();
    let mut watched: HashMap<TenantId, AbortHandle> = HashMap::new();
    loop {
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
        sleep(TENANTS_INTERVAL).await;
    }
}

async fn watch(deliveries: Arc<Deliveries>, id: TenantId, first_look: Duration) {
    sleep(first_look).await;
    let permits = Arc::new(Semaphore::new(MAX_RUNNING_OF_TENANT));
    let (runs, running, shown) = (JoinSet::new(), HashSet::new(), HashSet::new());
    let mut watcher = Watcher { deliveries, permits, runs, running, shown };
    while let Some(served) = watcher.deliveries.tenant(&id) {
        let mut next_write = pin!(served.feed_wake.next_write());
        // A write during the look causes the next one.
        next_write.as_mut().enable();
        let look = watcher.look(&served).await;
        watcher.wait(next_write, look).await;
    }
}

/// Watches one tenant.
struct Watcher {
    deliveries: Arc<Deliveries>,
    permits: Arc<Semaphore>,
    /// Deliveries that run, each to one webhook.
    runs: JoinSet<String>,
    /// Their webhooks.
    running: HashSet<String>,
    /// The webhooks whose lag the metric has.
    shown: HashSet<String>,
}

/// When to look again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// A write does not cause a look before this.
    pause: Duration,
    /// Without a write.
    latest: Duration,
}

impl Watcher {
    /// Starts what is due.
    async fn look(&mut self, served: &Arc<ServedTenant>) -> Look {
        if !self.deliveries.service.health.takes_writes() {
            return Look { pause: QUIET_PAUSE, latest: QUIET_PAUSE };
        }
        self.start_due(served).await.unwrap_or_else(|error| {
            tracing::warn!(tenant = %served.name(), error = with_causes(&error), "webhooks not read");
            Look { pause: QUIET_PAUSE, latest: LOOK_INTERVAL }
        })
    }

    async fn start_due(&mut self, served: &Arc<ServedTenant>) -> StoreResult<Look> {
        let webhooks = webhooks_to_deliver(&*served.data).await?;
        self.forget_removed(served, &webhooks);
        if webhooks.is_empty() {
            return Ok(Look { pause: QUIET_PAUSE, latest: QUIET_INTERVAL });
        }
        let now = self.deliveries.service.clock.now();
        let mut latest = LOOK_INTERVAL;
        for status in webhooks {
            note_lag(served, &status.webhook.id, status.lag());
            match due_in(&status, now) {
                Some(Duration::ZERO) => self.start(served, status.webhook.id),
                Some(pause) => latest = latest.min(pause),
                None => {}
            }
        }
        Ok(Look { pause: LOOK_PAUSE, latest })
    }

    /// The metric of a removed webhook goes to zero.
    fn forget_removed(&mut self, served: &ServedTenant, webhooks: &[WebhookStatus]) {
        let present: HashSet<_> = webhooks.iter().map(|status| status.webhook.id.clone()).collect();
        for removed in self.shown.difference(&present) {
            note_lag(served, removed, 0);
        }
        self.shown = present;
    }

    fn start(&mut self, served: &Arc<ServedTenant>, id: String) {
        if !self.running.insert(id.clone()) {
            return;
        }
        let (deliveries, permits, served) = (self.deliveries.clone(), self.permits.clone(), served.clone());
        self.runs.spawn(async move {
            // The tenant's permit comes first, so that a tenant that waits takes none of the others.
            if let (Ok(_of_tenant), Ok(_of_process)) =
                (permits.acquire().await, deliveries.running.acquire().await)
            {
                deliver(&deliveries, &served, &id).await;
            }
            id
        });
    }

    /// Until a write, the end of a delivery, or the time of the next look.
    async fn wait(&mut self, next_write: Pin<&mut Notified<'_>>, look: Look) {
        sleep(look.pause).await;
        let left = look.latest.saturating_sub(look.pause);
        let event = async {
            tokio::select! {
                () = next_write => None,
                Some(ended) = self.runs.join_next() => Some(ended),
            }
        };
        match timeout(left, event).await {
            Ok(Some(Ok(id))) => drop(self.running.remove(&id)),
            Ok(Some(Err(error))) => {
                // A run that panicked does not say which one it was. The others keep their leases.
                tracing::error!(%error, "a delivery ended unexpectedly");
                self.running.clear();
            }
            Ok(None) | Err(_) => {}
        }
    }
}

/// How long until a delivery is due. `None` when there is nothing to deliver.
fn due_in(status: &WebhookStatus, now: Timestamp) -> Option<Duration> {
    let is_enabled = status.webhook.state != WebhookState::Disabled;
    let cursor = status.cursor();
    let has_more = cursor.generation != status.feed.generation || status.lag() > 0;
    let is_empty = status.feed.last_position == 0;
    if !is_enabled || is_empty || !has_more {
        return None;
    }
    let retry_at = status.progress.as_ref().and_then(|progress| progress.retry_at);
    let micros = retry_at.map_or(0, |at| at.as_micros().saturating_sub(now.as_micros()));
    Some(Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
}

fn note_lag(served: &ServedTenant, webhook: &str, lag: u64) {
    let (tenant, webhook) = (served.name().to_string(), webhook.to_owned());
    #[expect(clippy::cast_precision_loss, reason = "a metric may be rounded")]
    let lag = lag as f64;
    metrics::gauge!("pointbook_webhook_lag_events", "tenant" => tenant, "webhook" => webhook).set(lag);
}
