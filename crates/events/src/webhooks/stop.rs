//! How a process stops to deliver.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// `None` until deliveries stop. Then the time when requests that still run are abandoned.
#[derive(Debug, Default)]
pub(crate) struct Stop(watch::Sender<Option<Instant>>);

impl Stop {
    /// No event begins from now on. Requests that run may end within this time.
    pub(crate) fn begin(&self, within: Duration) {
        self.0.send_if_modified(|until| {
            let is_first = until.is_none();
            until.get_or_insert_with(|| Instant::now() + within);
            is_first
        });
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Completes when deliveries stop.
    pub(crate) async fn begun(&self) {
        // The sender is in `self`, so the wait does not fail.
        drop(self.0.subscribe().wait_for(Option::is_some).await);
    }

    /// Completes when requests that still run are abandoned.
    pub(crate) async fn is_over(&self) {
        self.begun().await;
        let until = *self.0.borrow();
        if let Some(until) = until {
            sleep_until(until).await;
        }
    }
}
