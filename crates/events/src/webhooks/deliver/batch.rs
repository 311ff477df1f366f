//! What became of some events.

use pointbook_domain::Timestamp;
use pointbook_store::StoreError;

use crate::webhooks::outbox::is_delivered;
use crate::webhooks::sender::{Attempt, Outcome};

/// One attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    /// The index of the event.
    pub(super) index: usize,
    pub(super) at: Timestamp,
    pub(super) attempt: Attempt,
}

/// What became of the events of a batch.
#[derive(Debug)]
pub(super) struct Batch {
    /// How many of the first events were delivered without a gap.
    pub(super) delivered: usize,
    /// In the order of their ends.
    pub(super) attempts: Vec<Sent>,
    /// Why an event could not be sent: a mistake of this program or of the stored data, and none of the receiver. The batch ends before
    /// that event.
    pub(super) error: Option<StoreError>,
}

impl Batch {
    /// The index of the earliest event whose attempt failed, and the attempt. Its pause is the longest pause that a response of the
    /// batch asked for.
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

    /// The indices of the events that the receiver accepted.
    pub(super) fn accepted(&self) -> impl Iterator<Item = usize> {
        self.attempts.iter().filter(|sent| is_delivered(&sent.attempt)).map(|sent| sent.index)
    }
}
