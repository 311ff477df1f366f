//! What attempts change in the progress of a webhook, and which rows keep them.

use std::time::Duration;

use pointbook_domain::{Timestamp, WebhookAttempt, WebhookProgress};

use super::pauses::retry_delay;
use crate::webhooks::outbox::{is_delivered, milliseconds};
use crate::webhooks::sender::{Attempt, ErrorClass, Outcome};

/// How many accepted requests of a webhook are kept, and how many failures besides, so that many successes push out no failure.
const KEPT: u64 = 1_000;

/// The row of an attempt, in the place of the oldest one of its kind.
pub(super) fn kept_attempt(
    progress: &mut WebhookProgress,
    position: u64,
    at: Timestamp,
    attempt: &Attempt,
) -> WebhookAttempt {
    let slot = if is_delivered(attempt) {
        progress.delivered_count += 1;
        progress.delivered_count % KEPT
    } else {
        progress.failed_count += 1;
        KEPT + progress.failed_count % KEPT
    };
    WebhookAttempt {
        webhook_id: progress.webhook_id.clone(),
        slot: u32::try_from(slot).unwrap_or(0),
        at,
        duration_ms: milliseconds(attempt.duration),
        position,
        status: attempt.status.map(u32::from),
        error: attempt.error.map(|error| ErrorClass::name(error).to_owned()),
    }
}

/// The receiver accepted a request.
pub(super) fn succeed(progress: &mut WebhookProgress) {
    progress.failures = 0;
    (progress.failing_since, progress.retry_at, progress.failed_position) = (None, None, None);
}

/// An attempt failed. `random` spreads the retries of endpoints that fail together.
pub(super) fn fail(
    progress: &mut WebhookProgress,
    position: u64,
    outcome: Outcome,
    now: Timestamp,
    random: u32,
) {
    progress.failures = progress.failures.saturating_add(1);
    progress.failing_since = progress.failing_since.or(Some(now));
    progress.failed_position = Some(position);
    let asked = if let Outcome::Retry { after } = outcome { Some(after) } else { None };
    progress.retry_at = Some(later(now, retry_delay(progress.failures, random, asked)));
}

fn later(now: Timestamp, pause: Duration) -> Timestamp {
    let micros = i64::try_from(pause.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(now.as_micros().saturating_add(micros)).unwrap_or(Timestamp::MAX)
}

/// One write cannot replace a row twice.
pub(super) fn newest_of_slots(attempts: &[WebhookAttempt]) -> impl Iterator<Item = &WebhookAttempt> {
    let newest: std::collections::BTreeMap<_, _> =
        attempts.iter().map(|attempt| (attempt.slot, attempt)).collect();
    newest.into_values()
}
