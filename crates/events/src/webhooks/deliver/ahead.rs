//! What was delivered beyond the cursor.

use std::collections::BTreeSet;

use pointbook_domain::WebhookProgress;

use crate::feed::Event;

/// The positions after the cursor of a webhook whose events were delivered. The process remembers them and does not send these events
/// again. They are at most one batch, because a batch begins at the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ahead {
    epoch: u64,
    generation: u64,
    positions: BTreeSet<u64>,
}

impl Ahead {
    /// Forgets what lies before the cursor, and everything of another epoch or generation.
    pub(super) fn follow(&mut self, progress: &WebhookProgress) {
        if (self.epoch, self.generation) != (progress.epoch, progress.generation) {
            (self.epoch, self.generation) = (progress.epoch, progress.generation);
            self.positions.clear();
        }
        self.positions = self.positions.split_off(&progress.position.saturating_add(1));
    }

    pub(super) fn has(&self, event: &Event) -> bool {
        event.generation == self.generation && self.positions.contains(&event.position)
    }

    /// Call [`Self::follow`] afterwards.
    pub(super) fn add(&mut self, position: u64) {
        self.positions.insert(position);
    }

    #[cfg(test)]
    pub(crate) fn positions(&self) -> Vec<u64> {
        self.positions.iter().copied().collect()
    }
}
