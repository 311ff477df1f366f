//! Webhooks: endpoints of a tenant to which the service delivers the events of the feed.

use std::fmt;

use crate::id::FormError;
use crate::{Cursor, EventType, Timestamp, WebhookSecret};

/// How many webhooks a tenant may have.
pub const MAX_WEBHOOKS: usize = 20;
/// How many requests one webhook gets at a time at most.
pub const MAX_LANES: u32 = 8;
/// The longest URL, in bytes.
pub const MAX_WEBHOOK_URL_BYTES: usize = 2_000;
/// For how many seconds after a rotation the previous secret signs too.
pub const PREVIOUS_SECRET_SECONDS: u32 = 86_400;

crate::words! {
    /// What a webhook sends.
    pub WebhookMode {
        /// One event per request, in order.
        Each = "each",
        /// At most one request per second, which says that the feed has new events. The receiver reads the feed.
        Nudge = "nudge",
    }

    /// Whether a webhook gets requests.
    pub WebhookState {
        Active = "active",
        /// Each attempt has failed for an hour. The service still tries.
        Failing = "failing",
        /// The service tries no more. The cursor stays.
        Disabled = "disabled",
    }

    /// Why a webhook is disabled.
    pub DisabledBecause {
        /// The back office disabled it.
        Request = "request",
        /// Each attempt has failed for five days.
        Failures = "failures",
        /// The receiver said 410.
        Gone = "gone",
        /// The feed no longer has the events after the cursor.
        EventsRemoved = "events_removed",
    }
}

/// The types of events that a webhook gets; without any, all. Written as names with spaces between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventTypes(pub Vec<EventType>);

impl EventTypes {
    /// # Errors
    /// [`FormError`] when a name is unknown.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let types: Option<_> = text.split_whitespace().map(EventType::parse).collect();
        types.map(Self).ok_or(FormError("a type of event is a noun and a verb, such as order.placed"))
    }
}

impl fmt::Display for EventTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|kind| kind.as_str()).collect();
        f.write_str(&names.join(" "))
    }
}

/// A webhook as the back office set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    pub types: EventTypes,
    pub mode: WebhookMode,
    /// How many requests it gets at a time, 1 to [`MAX_LANES`]. The events of one user come one after the other.
    pub lanes: u32,
    pub secret: WebhookSecret,
    /// The secret before the last rotation.
    pub previous_secret: Option<WebhookSecret>,
    /// Until when the previous secret signs too.
    pub previous_secret_until: Option<Timestamp>,
    pub state: WebhookState,
    /// Only of a disabled webhook.
    pub disabled_because: Option<DisabledBecause>,
    pub state_since: Timestamp,
    /// How often the back office has set the cursor. Progress of an earlier epoch does not count.
    pub epoch: u64,
    /// Where the epoch begins.
    pub start_generation: u64,
    pub start_position: u64,
    pub created_at: Timestamp,
}

impl Webhook {
    /// The cursor: the one that deliveries reached in this epoch, or where the epoch begins.
    pub fn cursor(&self, progress: Option<&WebhookProgress>) -> Cursor {
        progress.filter(|progress| progress.epoch == self.epoch).map_or(
            Cursor { generation: self.start_generation, position: self.start_position },
            WebhookProgress::cursor,
        )
    }

    /// Begins an epoch at a cursor.
    pub fn start_at(&mut self, cursor: Cursor) {
        self.epoch += 1;
        (self.start_generation, self.start_position) = (cursor.generation, cursor.position);
    }

    /// The secrets that sign at this time.
    pub fn secrets_at(&self, now: Timestamp) -> (&WebhookSecret, Option<&WebhookSecret>) {
        let is_valid = self.previous_secret_until.is_some_and(|until| now < until);
        (&self.secret, self.previous_secret.as_ref().filter(|_| is_valid))
    }
}

/// How far the deliveries of a webhook are. Only the process that has the lease writes it. Its times are real, also of a tenant with
/// a virtual clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookProgress {
    pub webhook_id: String,
    /// The epoch of the webhook that this belongs to.
    pub epoch: u64,
    pub generation: u64,
    /// All events up to this position were delivered, or are of other types.
    pub position: u64,
    /// How many attempts have failed since the last success.
    pub failures: u32,
    /// The first of those failures.
    pub failing_since: Option<Timestamp>,
    /// When the next attempt is made after a failure.
    pub retry_at: Option<Timestamp>,
    /// The event whose delivery failed last.
    pub failed_position: Option<u64>,
    /// How many requests the receiver accepted.
    pub delivered_count: u64,
    /// How many attempts failed.
    pub failed_count: u64,
    /// The process that delivers. `None` while no process does.
    pub lease_owner: Option<String>,
    /// The number of the last lease. Each lease has the next one.
    pub lease_number: u64,
}

impl WebhookProgress {
    /// The progress in the present epoch of a webhook. `None` has no row yet.
    pub fn current(webhook: &Webhook, stored: Option<Self>) -> Self {
        match stored {
            Some(progress) if progress.epoch == webhook.epoch => progress,
            other => Self::begin(webhook, other.as_ref()),
        }
    }

    /// The progress of a webhook at the beginning of its epoch. The counts and the lease go on.
    pub fn begin(webhook: &Webhook, before: Option<&Self>) -> Self {
        let cursor = webhook.cursor(before);
        let count = |of: fn(&Self) -> u64| before.map_or(0, of);
        Self {
            webhook_id: webhook.id.clone(),
            epoch: webhook.epoch,
            generation: cursor.generation,
            position: cursor.position,
            failures: 0,
            failing_since: None,
            retry_at: None,
            failed_position: None,
            delivered_count: count(|before| before.delivered_count),
            failed_count: count(|before| before.failed_count),
            lease_owner: before.and_then(|before| before.lease_owner.clone()),
            lease_number: count(|before| before.lease_number),
        }
    }

    pub fn cursor(&self) -> Cursor {
        Cursor { generation: self.generation, position: self.position }
    }
}

/// One attempt to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookAttempt {
    pub webhook_id: String,
    /// The place in the ring of kept attempts.
    pub slot: u32,
    /// The real time.
    pub at: Timestamp,
    pub duration_ms: u32,
    pub position: u64,
    /// The status of the response. `None` without a response.
    pub status: Option<u32>,
    /// Why it failed: a word of `ErrorClass`. `None` after a success.
    pub error: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_names() {
        let types = EventTypes(vec![EventType::OrderPlaced, EventType::UserCreated]);
        assert_eq!(types.to_string(), "order.placed user.created");
        assert_eq!(EventTypes::parse("order.placed user.created"), Ok(types));
        assert_eq!(EventTypes::parse(""), Ok(EventTypes::default()));
        assert!(EventTypes::parse("order.eaten").is_err());
    }
}
