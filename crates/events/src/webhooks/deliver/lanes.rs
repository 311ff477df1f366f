//! Sends some events through lanes. The events of one user are in one lane, so they arrive in order.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::join_all;
use pointbook_domain::{ClockOffset, UserId, Webhook};
use pointbook_store::{Clock, StoreResult};
use tokio::time::Instant;

use super::ahead::Ahead;
use super::batch::{Batch, Sent};
use super::message;
use crate::feed::{Event, EventData};
use crate::webhooks::outbox::{Outbox, Times, is_delivered};
use crate::webhooks::sender::Attempt;
use crate::webhooks::stop::Stop;

/// Where and with what to send.
pub(super) struct Lanes<'l> {
    pub(super) outbox: &'l Outbox,
    pub(super) webhook: &'l Webhook,
    pub(super) clock: &'l dyn Clock,
    /// The virtual clock of the tenant.
    pub(super) offset: ClockOffset,
    /// Chooses the lanes.
    pub(super) hash: &'l RandomState,
    /// No event is begun after this.
    pub(super) until: Instant,
    pub(super) stop: &'l Stop,
}

impl Lanes<'_> {
    /// Sends the events that were not delivered before, each lane one after the other. After a failure, later events are not begun, and
    /// all earlier ones are sent.
    pub(super) async fn send(&self, events: &[Event], ahead: &Ahead) -> Batch {
        let batch =
            Batch { delivered: events.len(), attempts: Vec::with_capacity(events.len()), error: None };
        let batch = Mutex::new(batch);
        let lane_count = usize::try_from(self.webhook.lanes.max(1)).unwrap_or(1);
        let mut lanes = vec![Vec::new(); lane_count];
        for (index, event) in events.iter().enumerate().filter(|(_, event)| !ahead.has(event)) {
            if let Some(lane) = lanes.get_mut(lane_of(event, self.hash, lane_count)) {
                lane.push((index, event));
            }
        }
        join_all(lanes.into_iter().map(|lane| self.send_lane(lane, &batch))).await;
        batch.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send_lane(&self, lane: Vec<(usize, &Event)>, batch: &Mutex<Batch>) {
        for (index, event) in lane {
            if index >= locked(batch).delivered {
                return;
            }
            let at = self.clock.now();
            let sent = if Instant::now() >= self.until || self.stop.has_begun() {
                None
            } else {
                self.send_event(event, Times { real: at, tenant: self.offset.from_real(at) }).await
            };
            let mut batch = locked(batch);
            let is_delivered = matches!(&sent, Some(Ok(attempt)) if is_delivered(attempt));
            if !is_delivered {
                batch.delivered = batch.delivered.min(index);
            }
            match sent {
                Some(Ok(attempt)) => batch.attempts.push(Sent { index, at, attempt }),
                Some(Err(error)) => batch.error = Some(error),
                None => {}
            }
        }
    }

    /// `None` when the process stops before the response.
    async fn send_event(&self, event: &Event, times: Times) -> Option<StoreResult<Attempt>> {
        let body = match message::of_event(event) {
            Ok(body) => body,
            Err(error) => return Some(Err(error)),
        };
        let id = event.id();
        tokio::select! {
            sent = self.outbox.send(self.webhook, &id, body, times) => Some(sent),
            () = self.stop.is_over() => None,
        }
    }
}

fn locked(batch: &Mutex<Batch>) -> MutexGuard<'_, Batch> {
    batch.lock().unwrap_or_else(PoisonError::into_inner)
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
        EventData::Order { user_id, .. } | EventData::User(user_id) | EventData::EndNotice(user_id, _) => {
            Some(user_id)
        }
        EventData::Product(_)
        | EventData::Webhook(_)
        | EventData::Campaign(_)
        | EventData::CampaignRun { .. }
        | EventData::Nothing => None,
    }
}
