//! Reads events, sends them, and keeps the progress, until nothing is left or the time is over.

use std::hash::BuildHasher;
use std::time::Duration;

use pointbook_domain::{
    DisabledBecause, Feed, Webhook, WebhookAttempt, WebhookMode, WebhookProgress, WebhookState,
};
use pointbook_store::{ServedTenant, StoreResult};
use tokio::time::Instant;

use super::batch::Batch;
use super::health::state_of;
use super::lanes::Lanes;
use super::lease::SaveProgress;
use super::progress::{fail, kept_attempt, succeed};
use super::{Ahead, message, set_state};
use crate::feed::{EventFilter, EventPage, FeedError, newest_feed, read_events};
use crate::webhooks::Deliveries;
use crate::webhooks::manage::find_webhook;
use crate::webhooks::outbox::{Times, is_delivered};
use crate::webhooks::sender::{Attempt, Outcome};

/// How long one run works. Then other webhooks get their turn.
const MAX_RUN_TIME: Duration = Duration::from_secs(20);

/// How long a batch begins events. The progress is stored after each, and then changes of the webhook count.
const MAX_BATCH_TIME: Duration = Duration::from_secs(1);

/// How many events are read at a time.
const EVENTS_PER_BATCH: u32 = 500;
/// How many at least for a slow receiver, of which few fit into the time of a batch.
const EVENTS_PER_SLOW_BATCH: u32 = 32;

pub(super) struct DeliveryRun<'r> {
    deliveries: &'r Deliveries,
    served: &'r ServedTenant,
    ahead: &'r mut Ahead,
    until: Instant,
    /// How many events the next batch reads.
    limit: u32,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Continue,
    Stop,
}

impl Step {
    /// A run without the lease ends.
    fn after(progress: &WebhookProgress) -> Self {
        if progress.lease_owner.is_some() { Self::Continue } else { Self::Stop }
    }
}

impl<'r> DeliveryRun<'r> {
    pub(super) fn new(deliveries: &'r Deliveries, served: &'r ServedTenant, ahead: &'r mut Ahead) -> Self {
        let until = Instant::now() + MAX_RUN_TIME;
        Self { deliveries, served, ahead, until, limit: EVENTS_PER_BATCH }
    }

    /// Works, and gives the lease back, also after an error.
    pub(super) async fn work(mut self, webhook: Webhook, mut progress: WebhookProgress) -> StoreResult<()> {
        let worked = self.work_on(webhook, &mut progress).await;
        if progress.lease_owner.take().is_some() {
            self.save(&mut progress, Vec::new()).await?;
        }
        worked
    }

    async fn work_on(&mut self, mut webhook: Webhook, progress: &mut WebhookProgress) -> StoreResult<()> {
        while Instant::now() < self.until && !self.deliveries.stop.has_begun() {
            if webhook.state == WebhookState::Disabled {
                return Ok(());
            }
            *progress = WebhookProgress::current(&webhook, Some(progress.clone()));
            let step = match webhook.mode {
                WebhookMode::Each => self.send_each(&webhook, progress).await?,
                WebhookMode::Nudge => self.nudge(&webhook, progress).await?,
            };
            if step == Step::Stop {
                return Ok(());
            }
            // The back office may change the webhook at any time.
            let Some(changed) = find_webhook(&*self.served.data, &webhook.id).await? else { return Ok(()) };
            webhook = changed;
        }
        Ok(())
    }

    async fn send_each(&mut self, webhook: &Webhook, progress: &mut WebhookProgress) -> StoreResult<Step> {
        self.ahead.follow(progress);
        let filter = EventFilter { types: webhook.types.0.clone(), user_id: None };
        let (after, limit) = (Some(progress.cursor()), self.batch_size(progress));
        let page = match read_events(self.served, &filter, after, limit, Duration::ZERO).await {
            Ok(page) => page,
            Err(FeedError::Store(error)) => return Err(error),
            Err(FeedError::Gone(feed)) => return self.follow_feed(webhook, progress, feed).await,
        };
        if page.events.is_empty() {
            return self.pass(progress, &page).await;
        }
        let lanes = Lanes {
            outbox: &self.deliveries.outbox,
            webhook,
            clock: &*self.deliveries.service.clock,
            offset: self.served.tenant.clock,
            hash: &self.deliveries.random,
            until: self.until.min(Instant::now() + MAX_BATCH_TIME),
            stop: &self.deliveries.stop,
        };
        let batch = lanes.send(&page.events, self.ahead).await;
        self.keep(webhook, progress, &page, batch).await
    }

    /// After a failure, only the failed event is sent until the receiver accepts it. Otherwise other lanes would send later events
    /// with each attempt, and their success would hide the failures.
    fn batch_size(&self, progress: &WebhookProgress) -> u32 {
        if progress.failures > 0 { 1 } else { self.limit }
    }

    /// Passes events of other types.
    async fn pass(&self, progress: &mut WebhookProgress, page: &EventPage) -> StoreResult<Step> {
        let has_moved = page.cursor.position > progress.position;
        if has_moved && progress.failed_position.is_some_and(|failed| failed <= page.cursor.position) {
            succeed(progress);
        }
        progress.position = page.cursor.position;
        if page.cursor.position == page.feed.last_position {
            progress.lease_owner = None;
        }
        self.save(progress, Vec::new()).await?;
        Ok(Step::after(progress))
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
            let gone = (WebhookState::Disabled, Some(DisabledBecause::EventsRemoved));
            set_state(self.deliveries, self.served, webhook, progress, gone).await?;
            return Ok(Step::Stop);
        }
        progress.generation = feed.generation;
        progress.position = progress.position.min(feed.last_position);
        self.save(progress, Vec::new()).await?;
        Ok(Step::after(progress))
    }

    async fn keep(
        &mut self,
        webhook: &Webhook,
        progress: &mut WebhookProgress,
        page: &EventPage,
        batch: Batch,
    ) -> StoreResult<Step> {
        let failed = batch.failure();
        let attempts = self.note(progress, page, &batch, failed);
        let is_complete = batch.delivered == page.events.len();
        if failed.is_none() && !is_complete {
            let sent = u32::try_from(batch.attempts.len()).unwrap_or(EVENTS_PER_BATCH);
            self.limit = sent.saturating_mul(2).clamp(EVENTS_PER_SLOW_BATCH, EVENTS_PER_BATCH);
        } else {
            self.limit = EVENTS_PER_BATCH;
        }
        let is_at_end = is_complete && page.cursor.position == page.feed.last_position;
        if failed.is_some() || is_at_end || batch.error.is_some() {
            progress.lease_owner = None;
        }
        if self.save(progress, attempts).await? {
            self.follow_health(webhook, progress, failed.map(|(_, attempt)| attempt)).await?;
        }
        batch.error.map_or(Ok(Step::after(progress)), Err)
    }

    /// Notes what the batch changes in the progress and in the memory of the process. Returns the attempts to store.
    fn note(
        &mut self,
        progress: &mut WebhookProgress,
        page: &EventPage,
        batch: &Batch,
        failed: Option<(usize, Attempt)>,
    ) -> Vec<WebhookAttempt> {
        let position_of = |index: usize| page.events.get(index).map(|event| event.position);
        let sent = batch.attempts.iter().filter_map(|sent| Some((position_of(sent.index)?, sent)));
        let attempts =
            sent.map(|(position, sent)| kept_attempt(progress, position, sent.at, &sent.attempt)).collect();
        batch.accepted().filter_map(position_of).for_each(|position| self.ahead.add(position));
        let next = position_of(batch.delivered);
        progress.position = next.map_or(page.cursor.position, |next| next - 1);
        self.ahead.follow(progress);
        if batch.accepted().next().is_some() {
            succeed(progress);
        }
        if let Some((position, (index, attempt))) = next.zip(failed) {
            self.fail(progress, position, &attempt);
            // When the time was over before the failed event, only the pause counts.
            progress.failed_position = progress.failed_position.filter(|_| index == batch.delivered);
        }
        attempts
    }

    /// Sends one request. The next one is due when the feed has more, and a second is over (`crate::webhooks::engine`).
    async fn nudge(&self, webhook: &Webhook, progress: &mut WebhookProgress) -> StoreResult<Step> {
        let latest = newest_feed(&*self.served.data).await?.end();
        if latest.position == 0 || latest == progress.cursor() {
            return Ok(Step::Stop);
        }
        let at = self.deliveries.service.clock.now();
        let (id, body) = message::nudge(latest, at);
        let times = Times { real: at, tenant: self.served.tenant.now(at) };
        let sent = tokio::select! {
            sent = self.deliveries.outbox.send(webhook, &id, body, times) => sent?,
            () = self.deliveries.stop.is_over() => return Ok(Step::Stop),
        };
        let kept = kept_attempt(progress, latest.position, at, &sent);
        let failure = (!is_delivered(&sent)).then_some(sent);
        match &failure {
            None => {
                succeed(progress);
                (progress.generation, progress.position) = (latest.generation, latest.position);
            }
            Some(attempt) => self.fail(progress, latest.position, attempt),
        }
        progress.lease_owner = None;
        if self.save(progress, vec![kept]).await? {
            self.follow_health(webhook, progress, failure).await?;
        }
        Ok(Step::Stop)
    }

    fn fail(&self, progress: &mut WebhookProgress, position: u64, attempt: &Attempt) {
        let now = self.deliveries.service.clock.now();
        let random = self.deliveries.random.hash_one((position, progress.failed_count)) >> 32;
        fail(progress, position, attempt.outcome, now, u32::try_from(random).unwrap_or(0));
    }

    /// Changes the state of the webhook when its health has changed.
    async fn follow_health(
        &self,
        webhook: &Webhook,
        progress: &WebhookProgress,
        failure: Option<Attempt>,
    ) -> StoreResult<()> {
        let state = match failure {
            Some(Attempt { outcome: Outcome::SwitchedOff, .. }) => {
                (WebhookState::Disabled, Some(DisabledBecause::Gone))
            }
            _ => state_of(progress.failing_since, self.deliveries.service.clock.now()),
        };
        if state.0 != webhook.state {
            set_state(self.deliveries, self.served, webhook, progress, state).await?;
        }
        Ok(())
    }

    /// Stores the progress. Without an owner, it gives the lease back. False when another process has the lease, or the webhook is
    /// gone: then nothing was stored.
    async fn save(&self, progress: &mut WebhookProgress, attempts: Vec<WebhookAttempt>) -> StoreResult<bool> {
        let is_saved = self.served.data.write(SaveProgress { progress: progress.clone(), attempts }).await?;
        if !is_saved {
            progress.lease_owner = None;
        }
        Ok(is_saved)
    }
}
