//! Wakes readers of a feed after a write of this process.

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// Readers of one tenant's feed that wait for a write.
#[derive(Debug, Default)]
pub struct FeedWake(Notify);

impl FeedWake {
    /// Wakes all readers that wait. Costs an atomic read when none waits.
    pub(crate) fn wake(&self) {
        self.0.notify_waiters();
    }

    /// Ends with the next write, once it is enabled.
    pub fn next_write(&self) -> Notified<'_> {
        self.0.notified()
    }
}
