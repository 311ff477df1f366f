//! Watches one tenant, and starts the runs of its webhooks.

use std::collections::{HashMap, HashSet};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::{Feed, TenantId, Timestamp, WebhookProgress, WebhookState};
use pointbook_store::database_health::with_causes;
use pointbook_store::queue::Lane;
use pointbook_store::{ServedTenant, StoreResult};
use tokio::sync::futures::Notified;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep};

use super::lag::LagMetrics;
use super::memory::{Memory, RunEnd};
use crate::feed::newest_feed;
use crate::webhooks::Deliveries;
use crate::webhooks::deliver::{Ahead, LeaseState, deliver, next_change_in, set_state, state_of};
use crate::webhooks::manage::{WebhookStatus, webhooks_to_deliver};

/// How often a tenant is looked at when this process writes nothing of it.
const LOOK_INTERVAL: Duration = Duration::from_secs(30);
/// How often a process looks at webhooks that have everything, when the feed has nothing new.
const COMPLETE_INTERVAL: Duration = Duration::from_mins(5);
/// How often a process looks at a tenant without webhooks. A write of this process shows a new webhook sooner.
const QUIET_INTERVAL: Duration = Duration::from_mins(10);
/// The pause after a look, so that many writes cause few looks.
const LOOK_PAUSE: Duration = Duration::from_millis(20);
/// The same when a write makes no webhook due: all are disabled, wait after a failure, or get events already.
const QUIET_PAUSE: Duration = Duration::from_secs(1);

/// Watches a tenant until it is removed or deliveries stop.
pub(super) async fn watch(deliveries: Arc<Deliveries>, id: TenantId, first_look: Duration) {
    sleep(first_look).await;
    let (mut watcher, mut is_quiet) = (Watcher::new(deliveries), false);
    while let Some(served) = watcher.deliveries.tenant(&id) {
        if watcher.deliveries.stop.has_begun() {
            break;
        }
        let mut next_write = pin!(served.feed_wake.next_write());
        // A write during the look causes the next one.
        next_write.as_mut().enable();
        let look = if is_quiet && watcher.has_nothing_new(&served).await {
            Look { pause: LOOK_PAUSE, latest: LOOK_INTERVAL }
        } else {
            watcher.look(&served).await
        };
        is_quiet = watcher.wait(next_write, look).await == Woken::ByTime;
    }
    watcher.finish_runs().await;
}

pub(super) struct Watcher {
    deliveries: Arc<Deliveries>,
    /// Runs, each of one webhook.
    runs: JoinSet<(RunEnd, Ahead)>,
    /// Their webhooks.
    running: HashMap<Id, String>,
    /// What the process knows of each webhook of the tenant.
    memories: HashMap<String, Memory>,
    lag: LagMetrics,
    /// The feed that every webhook had got at the last look, and when the process looks at the webhooks again without a write.
    complete: Option<(Feed, Instant)>,
}

/// Why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Woken {
    ByTime,
    ByEvent,
}

/// When to look again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// A write does not cause a look before this.
    pub(super) pause: Duration,
    /// Without a write.
    pub(super) latest: Duration,
}

impl Watcher {
    pub(super) fn new(deliveries: Arc<Deliveries>) -> Self {
        let (runs, running, memories) = (JoinSet::new(), HashMap::new(), HashMap::new());
        Self { deliveries, runs, running, memories, lag: LagMetrics::default(), complete: None }
    }

    /// Starts what is due.
    pub(super) async fn look(&mut self, served: &Arc<ServedTenant>) -> Look {
        if !self.deliveries.service.health.takes_writes() {
            return Look { pause: QUIET_PAUSE, latest: QUIET_PAUSE };
        }
        self.start_due(served).await.unwrap_or_else(|error| {
            tracing::warn!(tenant = %served.name(), error = with_causes(&error), "webhooks not read");
            Look { pause: QUIET_PAUSE, latest: LOOK_INTERVAL }
        })
    }

    /// Whether the feed is as it was when every webhook had got it. Costs a part of a look. A change of a webhook wakes the process that
    /// makes it, so this process may see it later.
    pub(super) async fn has_nothing_new(&self, served: &ServedTenant) -> bool {
        let Some((known, until)) = self.complete else { return false };
        Instant::now() < until && newest_feed(&*served.data).await.is_ok_and(|feed| feed == known)
    }

    async fn start_due(&mut self, served: &Arc<ServedTenant>) -> StoreResult<Look> {
        self.complete = None;
        let Some(webhooks) = webhooks_to_deliver(&*served.data).await? else {
            self.memories.clear();
            self.lag.clear(served);
            return Ok(Look { pause: QUIET_PAUSE, latest: QUIET_INTERVAL });
        };
        let now = self.deliveries.service.clock.now();
        self.lag.show(served, &webhooks, now).await?;
        let present: HashSet<_> = webhooks.iter().map(|status| status.webhook.id.as_str()).collect();
        self.memories.retain(|id, _| present.contains(id.as_str()));
        let (mut look, mut is_complete) = (Look { pause: QUIET_PAUSE, latest: LOOK_INTERVAL }, true);
        for status in &webhooks {
            self.follow_health(served, status, now).await?;
            self.visit(served, status, now, &mut look);
            is_complete &= !matches!(due_in(status, now), Due::In(_));
        }
        // Without an enabled webhook, a look gives no positions.
        let enabled = webhooks.iter().find(|status| status.webhook.state != WebhookState::Disabled);
        let feed = enabled.filter(|_| is_complete).map(|status| status.feed);
        self.complete = feed.map(|feed| (feed, Instant::now() + COMPLETE_INTERVAL));
        Ok(look)
    }

    /// The state of a failing webhook changes at its time, also between two attempts.
    async fn follow_health(
        &self,
        served: &ServedTenant,
        status: &WebhookStatus,
        now: Timestamp,
    ) -> StoreResult<()> {
        let (webhook, Some(progress)) = (&status.webhook, &status.progress) else { return Ok(()) };
        let state = state_of(progress.failing_since, now);
        if webhook.state == WebhookState::Disabled || webhook.state == state.0 {
            return Ok(());
        }
        set_state(&self.deliveries, served, webhook, progress, state).await
    }

    /// Starts a run if it is due, and notes when it will be.
    fn visit(&mut self, served: &Arc<ServedTenant>, status: &WebhookStatus, now: Timestamp, look: &mut Look) {
        let id = &status.webhook.id;
        let progress = WebhookProgress::current(&status.webhook, status.progress.clone());
        let (seen, instant) = (LeaseState::from(&progress), Instant::now());
        let memory = self.memories.entry(id.clone()).or_insert_with(|| Memory::new(seen.clone(), instant));
        memory.see(seen.clone(), instant);
        let Deliveries { owner, lease_patience, .. } = &*self.deliveries;
        let of_process = memory.pause(owner, *lease_patience, status.webhook.mode, instant);
        if self.running.values().any(|running| running == id) {
            return;
        }
        if let Some(left) = next_change_in(progress.failing_since, now) {
            look.latest = look.latest.min(left);
        }
        match due_in(status, now) {
            Due::Never => {}
            Due::AtNextWrite => look.pause = look.pause.min(of_process.max(LOOK_PAUSE)),
            Due::In(pause) => match pause.max(of_process) {
                Duration::ZERO => self.start(served, id.clone(), seen),
                pause => look.latest = look.latest.min(pause),
            },
        }
    }

    fn start(&mut self, served: &Arc<ServedTenant>, id: String, seen: LeaseState) {
        let (deliveries, served) = (self.deliveries.clone(), served.clone());
        let mut ahead = self.memories.get(&id).map(|memory| memory.ahead.clone()).unwrap_or_default();
        let webhook = id.clone();
        let run = async move {
            let lane = Lane::of(served.tenant.id.clone(), ());
            let Ok(_permit) = deliveries.running.acquire(lane).await else {
                return (RunEnd::NotTaken, ahead);
            };
            if deliveries.stop.has_begun() {
                return (RunEnd::NotTaken, ahead);
            }
            let end = match deliver(&deliveries, &served, &webhook, seen, &mut ahead).await {
                Ok(true) => RunEnd::Worked,
                Ok(false) => RunEnd::NotTaken,
                Err(error) => {
                    let error = with_causes(&error);
                    tracing::warn!(tenant = %served.name(), webhook, error, "delivery interrupted");
                    RunEnd::Failed
                }
            };
            (end, ahead)
        };
        self.running.insert(self.runs.spawn(run).id(), id);
    }

    /// Until the end of a run, a write, the time of the next look, or the stop.
    async fn wait(&mut self, next_write: Pin<&mut Notified<'_>>, look: Look) -> Woken {
        let write = async {
            sleep(look.pause).await;
            next_write.await;
        };
        tokio::select! {
            Some(ended) = self.runs.join_next_with_id() => self.end(ended),
            () = write => {}
            () = sleep(look.latest) => return Woken::ByTime,
            () = self.deliveries.stop.begun() => {}
        }
        Woken::ByEvent
    }

    /// Waits until no run is left.
    pub(super) async fn finish_runs(&mut self) {
        while let Some(ended) = self.runs.join_next_with_id().await {
            self.end(ended);
        }
    }

    fn end(&mut self, ended: Result<(Id, (RunEnd, Ahead)), JoinError>) {
        let (task, (end, ahead)) = ended.unwrap_or_else(|error| {
            tracing::error!(%error, "a delivery ended unexpectedly");
            (error.id(), (RunEnd::Failed, Ahead::default()))
        });
        let Some(id) = self.running.remove(&task) else { return };
        if let Some(memory) = self.memories.get_mut(&id) {
            memory.end_run(end, ahead, Instant::now());
        }
    }
}

/// When a delivery is due, by the webhook itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// Until the back office changes the webhook.
    Never,
    /// It has everything.
    AtNextWrite,
    In(Duration),
}

pub(crate) fn due_in(status: &WebhookStatus, now: Timestamp) -> Due {
    if status.webhook.state == WebhookState::Disabled {
        return Due::Never;
    }
    let has_more = status.cursor().generation != status.feed.generation || status.lag() > 0;
    if status.feed.last_position == 0 || !has_more {
        return Due::AtNextWrite;
    }
    let retry_at = status.progress.as_ref().and_then(|progress| progress.retry_at);
    let micros = retry_at.map_or(0, |at| at.as_micros().saturating_sub(now.as_micros()));
    Due::In(Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
}
