//! Reads events, sends them, and keeps the progress, until nothing is left or the time is over.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use pointbook_app::{Actor, Context, ServedTenant, StoreResult};
use pointbook_domain::{
    DisabledBecause, Feed, Timestamp, Webhook, WebhookMode, WebhookProgress, WebhookState,
};
use pointbook_feed::{EventFilter, EventPage, FeedError, newest_feed, read_events};
use pointbook_webhooks::{Attempt, Health, Outcome, health};
use tokio::time::{Instant, sleep};

use super::lanes::{Batch, Lanes};
use super::progress::{fail, kept_attempt, save, succeed};
use super::{JOB, message};
use crate::Deliveries;
use crate::manage::{WebhookChange, change_webhook, find_progress, find_webhook};
use crate::outbox::{Times, is_delivered, seconds};

/// How long one run works. Then other webhooks get their turn.
const MAX_RUN_TIME: Duration = Duration::from_secs(20);

/// How many events are read at a time. The progress is stored after each of these.
const EVENTS_PER_BATCH: u32 = 500;

/// The pause between two requests in mode `nudge`.
const NUDGE_PAUSE: Duration = Duration::from_secs(1);

pub(super) struct DeliveryRun<'r> {
    deliveries: &'r Deliveries,
    served: &'r ServedTenant,
    /// Chooses lanes and spreads retries.
    random: RandomState,
    until: Instant,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Continue,
    Stop,
}

impl<'r> DeliveryRun<'r> {
    pub(super) fn new(deliveries: &'r Deliveries, served: &'r ServedTenant) -> Self {
        Self { deliveries, served, random: RandomState::new(), until: Instant::now() + MAX_RUN_TIME }
    }

    pub(super) async fn work(&self, id: &str) -> StoreResult<()> {
        let data = &*self.served.data;
        let Some(webhook) = find_webhook(data, id).await? else { return Ok(()) };
        let stored = find_progress(data, id).await?;
        let mut progress = current(stored, &webhook);
        // Another process may have failed since this one looked.
        if progress.retry_at.is_some_and(|at| at > self.deliveries.service.clock.now()) {
            return Ok(());
        }
        while Instant::now() < self.until {
            // The back office may change the webhook at any time.
            let Some(webhook) = find_webhook(data, id).await? else { return Ok(()) };
            if webhook.state == WebhookState::Disabled {
                return Ok(());
            }
            progress = current(Some(progress), &webhook);
            let step = match webhook.mode {
                WebhookMode::Each => self.send_each(&webhook, &mut progress).await?,
                WebhookMode::Nudge => self.nudge(&webhook, &mut progress).await?,
            };
            if step == Step::Stop {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn send_each(&self, webhook: &Webhook, progress: &mut WebhookProgress) -> StoreResult<Step> {
        let filter = EventFilter { types: webhook.types.0.clone(), user_id: None };
        let after = Some(progress.cursor());
        let page = match read_events(self.served, &filter, after, batch_size(progress), Duration::ZERO).await
        {
            Ok(page) => page,
            Err(FeedError::Store(error)) => return Err(error),
            Err(FeedError::Gone(feed)) => return self.follow_feed(webhook, progress, feed).await,
        };
        if page.events.is_empty() {
            return self.pass(progress, &page).await;
        }
        let clock = &*self.deliveries.service.clock;
        let (outbox, offset) = (&self.deliveries.outbox, self.served.tenant.clock);
        let lanes = Lanes { outbox, webhook, clock, offset, until: self.until };
        let batch = lanes.send(&page.events, &self.random).await?;
        self.keep(webhook, progress, &page, &batch).await
    }

    /// Passes events of other types.
    async fn pass(&self, progress: &mut WebhookProgress, page: &EventPage) -> StoreResult<Step> {
        if page.cursor.position > progress.position {
            if progress.failed_position.is_some_and(|failed| failed <= page.cursor.position) {
                succeed(progress);
            }
            progress.position = page.cursor.position;
            save(&*self.served.data, progress, &[]).await?;
        }
        let is_at_end = page.cursor.position == page.feed.last_position;
        Ok(if is_at_end { Step::Stop } else { Step::Continue })
    }

    /// A restored backup begins a new generation. Its cursor was restored with it, so the same position goes on. When the events
    /// are gone because of their age, the back office decides where to go on. An empty feed says nothing: a copy of the tenant may still
    /// bring its row.
    async fn follow_feed(
        &self,
        webhook: &Webhook,
        progress: &mut WebhookProgress,
        feed: Feed,
    ) -> StoreResult<Step> {
        if feed.last_position == 0 {
            return Ok(Step::Stop);
        }
        let is_restored =
            feed.generation != progress.generation && progress.position >= feed.removed_position;
        if !is_restored {
            self.set_state(webhook, WebhookState::Disabled, Some(DisabledBecause::EventsRemoved)).await?;
            return Ok(Step::Stop);
        }
        progress.generation = feed.generation;
        progress.position = progress.position.min(feed.last_position);
        save(&*self.served.data, progress, &[]).await?;
        Ok(Step::Continue)
    }

    async fn keep(
        &self,
        webhook: &Webhook,
        progress: &mut WebhookProgress,
        page: &EventPage,
        batch: &Batch,
    ) -> StoreResult<Step> {
        let position_of = |index: usize| page.events.get(index).map(|event| event.position);
        let attempts: Vec<_> = batch
            .attempts
            .iter()
            .filter_map(|sent| Some((position_of(sent.index)?, sent)))
            .map(|(position, sent)| kept_attempt(progress, position, sent.at, &sent.attempt))
            .collect();
        let next = position_of(batch.delivered);
        progress.position = next.map_or(page.cursor.position, |next| next - 1);
        if batch.attempts.iter().any(|sent| is_delivered(&sent.attempt)) {
            succeed(progress);
        }
        let failed = batch.failure();
        if let Some((position, (index, attempt))) = next.zip(failed) {
            self.fail(progress, position, &attempt);
            // When the time was over before the failed event, only the pause counts.
            progress.failed_position = progress.failed_position.filter(|_| index == batch.delivered);
        }
        let failure = failed.map(|(_, attempt)| attempt);
        save(&*self.served.data, progress, &attempts).await?;
        self.follow_health(webhook, progress, failure).await
    }

    async fn nudge(&self, webhook: &Webhook, progress: &mut WebhookProgress) -> StoreResult<Step> {
        let latest = newest_feed(&*self.served.data).await?.end();
        if latest.position == 0 || latest == progress.cursor() {
            return Ok(Step::Stop);
        }
        let at = self.deliveries.service.clock.now();
        let (id, body) = (message::nudge_id(latest), message::nudge(latest, at));
        let times = Times { real: at, tenant: self.served.tenant.now(at) };
        let attempt = self.deliveries.outbox.send(webhook, &id, body, times).await?;
        let kept = kept_attempt(progress, latest.position, at, &attempt);
        let failure = (!is_delivered(&attempt)).then_some(attempt);
        match &failure {
            None => {
                succeed(progress);
                (progress.generation, progress.position) = (latest.generation, latest.position);
            }
            Some(attempt) => self.fail(progress, latest.position, attempt),
        }
        save(&*self.served.data, progress, &[kept]).await?;
        let step = self.follow_health(webhook, progress, failure).await?;
        if step == Step::Continue {
            sleep(NUDGE_PAUSE).await;
        }
        Ok(step)
    }

    fn fail(&self, progress: &mut WebhookProgress, position: u64, attempt: &Attempt) {
        let now = self.deliveries.service.clock.now();
        let random = self.random.hash_one((position, progress.failed_count)) >> 32;
        fail(progress, position, attempt.outcome, now, u32::try_from(random).unwrap_or(0));
    }

    /// Changes the state of the webhook when its health has changed.
    async fn follow_health(
        &self,
        webhook: &Webhook,
        progress: &WebhookProgress,
        failure: Option<Attempt>,
    ) -> StoreResult<Step> {
        let now = self.deliveries.service.clock.now();
        let (state, because) = match failure {
            Some(Attempt { outcome: Outcome::SwitchedOff, .. }) => {
                (WebhookState::Disabled, Some(DisabledBecause::Gone))
            }
            _ => state_of(progress.failing_since, now),
        };
        if state != webhook.state {
            self.set_state(webhook, state, because).await?;
        }
        Ok(if failure.is_some() { Step::Stop } else { Step::Continue })
    }

    async fn set_state(
        &self,
        webhook: &Webhook,
        state: WebhookState,
        because: Option<DisabledBecause>,
    ) -> StoreResult<()> {
        let (service, served) = (&self.deliveries.service, std::sync::Arc::new(self.served.clone()));
        let now = service.now_of(&served);
        let context = Context::new(served, Actor::Job(JOB), now, self.deliveries.ids.clone());
        let change = WebhookChange::State { epoch: webhook.epoch, state, because };
        change_webhook(&context, &webhook.id, change).await.map(drop)
    }
}

/// After a failure, only the failed event is sent until the receiver accepts it. Otherwise its lanes would send the events after
/// it again with each attempt, and their success would hide the failures.
fn batch_size(progress: &WebhookProgress) -> u32 {
    if progress.failures > 0 { 1 } else { EVENTS_PER_BATCH }
}

/// The progress in the present epoch of the webhook.
fn current(progress: Option<WebhookProgress>, webhook: &Webhook) -> WebhookProgress {
    match progress {
        Some(progress) if progress.epoch == webhook.epoch => progress,
        other => WebhookProgress::begin(webhook, other.as_ref()),
    }
}

fn state_of(failing_since: Option<Timestamp>, now: Timestamp) -> (WebhookState, Option<DisabledBecause>) {
    match health(failing_since.map(seconds), seconds(now)) {
        Health::Healthy => (WebhookState::Active, None),
        Health::Failing => (WebhookState::Failing, None),
        Health::Disabled => (WebhookState::Disabled, Some(DisabledBecause::Failures)),
    }
}
