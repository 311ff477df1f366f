//! Compares a snapshot with the store when a request uses it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pointbook_domain::Timestamp;
use tokio::time::Instant;

use super::CatalogueCache;
use super::checks::{Age, RunningCheck};

impl CatalogueCache {
    /// Checks the version: in the background, or before it returns when the last check is too old. While the database is away,
    /// requests use the present snapshot.
    pub(super) async fn check(self: &Arc<Self>, now: Timestamp) {
        self.last_used_at.store(now.as_micros(), Ordering::Relaxed);
        if !self.is_loaded() || self.shared.health.is_away() {
            return;
        }
        if let Some(running) = self.checks.begin(Instant::now()) {
            tokio::spawn(self.clone().run_check(running, now));
        }
        if self.checks.age_at(now) == Age::Stale {
            tokio::select! {
                () = self.checks.wait() => {}
                () = self.shared.health.goes_away() => {}
            }
        }
    }

    async fn run_check(self: Arc<Self>, running: RunningCheck, now: Timestamp) {
        let loading = self.loading.lock().await;
        let noted = self.changes.noted();
        let outcome = self.bring_up(self.most_ordered.last(), now).await;
        drop(loading);
        match outcome {
            Ok(()) => {
                self.changes.show(noted);
                running.succeed();
            }
            Err(error) => {
                drop(running);
                return self.report(&error, "catalogue refresh failed");
            }
        }
        self.begin_to_tend();
        self.follow_orders(now).await;
    }

    /// Counts the orders again when the last count is old. That takes long, so no request waits for it.
    async fn follow_orders(self: &Arc<Self>, now: Timestamp) {
        let limit = self.options.load().popular_most_ordered;
        if self.most_ordered.is_outdated(limit, now)
            && let Err(error) = self.refresh(now).await
        {
            self.report(&error, "catalogue refresh failed");
        }
    }
}
