//! Sends some events through lanes. The events of one user are in one lane, so they arrive in order.

use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::try_join_all;
use pointbook_app::{Clock, StoreError, StoreResult};
use pointbook_domain::{ClockOffset, Cursor, Timestamp, UserId, Webhook};
use pointbook_feed::{Event, EventData};
use pointbook_webhooks::{Attempt, Outcome};
use tokio::time::Instant;

use super::message;
use crate::outbox::{Outbox, Times, is_delivered};

/// One attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    /// The index of the event.
    pub(super) index: usize,
    pub(super) at: Timestamp,
    pub(super) attempt: Attempt,
}

/// What became of the events.
#[derive(Debug)]
pub(super) struct Batch {
    /// How many of the first events were delivered without a gap.
    pub(super) delivered: usize,
    /// In the order of their ends.
    pub(super) attempts: Vec<Sent>,
}

impl Batch {
    /// The index of the earliest event whose attempt failed, and the attempt. Its pause is the longest that any receiver of the batch asked for.
    pub(super) fn failure(&self) -> Option<(usize, Attempt)> {
        let failed = || self.attempts.iter().filter(|sent| !is_delivered(&sent.attempt));
        let Sent { index, attempt: first, .. } = *failed().min_by_key(|sent| sent.index)?;
        let asked = failed().filter_map(|sent| match sent.attempt.outcome {
            Outcome::Retry { after } => Some(after),
            Outcome::Delivered | Outcome::SwitchedOff | Outcome::Failed => None,
        });
        let outcome = match (first.outcome, asked.max()) {
            (Outcome::SwitchedOff, _) | (_, None) => first.outcome,
            (_, Some(after)) => Outcome::Retry { after },
        };
        Some((index, Attempt { outcome, ..first }))
    }
}

/// Where and with what to send.
pub(super) struct Lanes<'l> {
    pub(super) outbox: &'l Outbox,
    pub(super) webhook: &'l Webhook,
    pub(super) clock: &'l dyn Clock,
    /// The virtual clock of the tenant.
    pub(super) offset: ClockOffset,
    /// No event is begun after this.
    pub(super) until: Instant,
}

impl Lanes<'_> {
    /// Sends the events, each lane one after the other. After a failure, later events are not begun, and all earlier ones are
    /// sent.
    pub(super) async fn send(&self, events: &[Event], hash: &RandomState) -> StoreResult<Batch> {
        let (end, attempts) = (AtomicUsize::new(events.len()), Mutex::new(Vec::with_capacity(events.len())));
        let lane_count = usize::try_from(self.webhook.lanes.max(1)).unwrap_or(1);
        let mut lanes = vec![Vec::new(); lane_count];
        for (index, event) in events.iter().enumerate() {
            if let Some(lane) = lanes.get_mut(lane_of(event, hash, lane_count)) {
                lane.push((index, event));
            }
        }
        try_join_all(lanes.into_iter().map(|lane| self.send_lane(lane, &end, &attempts))).await?;
        let attempts = attempts.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Batch { delivered: end.into_inner(), attempts })
    }

    async fn send_lane(
        &self,
        lane: Vec<(usize, &Event)>,
        end: &AtomicUsize,
        attempts: &Mutex<Vec<Sent>>,
    ) -> Result<(), StoreError> {
        for (index, event) in lane {
            if index >= end.load(Ordering::Relaxed) {
                return Ok(());
            }
            if Instant::now() >= self.until {
                end.fetch_min(index, Ordering::Relaxed);
                return Ok(());
            }
            let (id, at) = (message::id_of(place(event)), self.clock.now());
            let times = Times { real: at, tenant: self.offset.from_real(at) };
            let attempt = self.outbox.send(self.webhook, &id, message::of_event(event)?, times).await?;
            if !is_delivered(&attempt) {
                end.fetch_min(index, Ordering::Relaxed);
            }
            attempts.lock().unwrap_or_else(PoisonError::into_inner).push(Sent { index, at, attempt });
        }
        Ok(())
    }
}

fn place(event: &Event) -> Cursor {
    Cursor { generation: event.generation, position: event.position }
}

/// The lane of the event's user. The hash has a random key, so that no one chooses ids that share a lane. Events without a user
/// share the first lane.
pub(super) fn lane_of(event: &Event, hash: &RandomState, lanes: usize) -> usize {
    let Some(user_id) = user_of(event) else { return 0 };
    let place = hash.hash_one(user_id.as_str()) % lanes as u64;
    usize::try_from(place).unwrap_or(0)
}

fn user_of(event: &Event) -> Option<&UserId> {
    match &event.data {
        EventData::Transaction(entry) => Some(&entry.user_id),
        EventData::Order { user_id, .. } | EventData::User(user_id) => Some(user_id),
        EventData::Product(_) | EventData::Webhook(_) | EventData::Nothing => None,
    }
}
