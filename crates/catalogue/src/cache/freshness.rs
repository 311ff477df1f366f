//! When a snapshot was last compared with the store, and which comparison runs now. A request that uses the snapshot starts a comparison.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pointbook_domain::Timestamp;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::CatalogueCache;

/// From this age on, a request waits for a check. So a change of another instance appears within this time.
const MAX_AGE_MICROS: i64 = 1_000_000;

/// How long requests wait for a check, from its beginning. Then they go on without it.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The time of the last check before any check: earlier than every [`Timestamp`].
const NEVER: i64 = i64::MIN / 2;

/// How old the last successful check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    /// The request uses the snapshot.
    Fresh,
    /// The request uses the snapshot and starts a check in the background.
    Due,
    /// The request waits for a check before it uses the snapshot.
    Stale,
}

/// The checks of one snapshot. At most one runs at a time.
#[derive(Debug)]
pub(super) struct Checks {
    /// When the last successful check began, in microseconds since the epoch. Every request reads it.
    checked_at: AtomicI64,
    due_after: Duration,
    /// Whether the last check failed. No request waits for another one until one has succeeded.
    has_failed: AtomicBool,
    last: Mutex<Option<Check>>,
}

#[derive(Debug, Clone)]
pub(super) struct Check {
    began_at: Instant,
    /// Closes when the check ends.
    end: watch::Receiver<()>,
}

/// A check while it runs. It has failed when it is dropped before [`Self::succeed`].
#[derive(Debug)]
pub(super) struct RunningCheck {
    checks: Arc<Checks>,
    has_succeeded: bool,
    /// Closed after the outcome was noted.
    _end: watch::Sender<()>,
}

impl Checks {
    /// Checks become due at this age.
    pub(super) fn new(due_after: Duration) -> Self {
        let (checked_at, has_failed) = (AtomicI64::new(NEVER), AtomicBool::new(false));
        Self { checked_at, due_after, has_failed, last: Mutex::default() }
    }

    /// The age of the last successful check, for a request that began at `now`.
    ///
    /// Requests come here in another order than they began in, so a check that began a moment after the request is fresh too. A
    /// check that began much later belongs to a clock that was set back.
    pub(super) fn age_at(&self, now: Timestamp) -> Age {
        let age = now.as_micros() - self.checked_at.load(Ordering::Relaxed);
        let due = i64::try_from(self.due_after.as_micros()).unwrap_or(MAX_AGE_MICROS).min(MAX_AGE_MICROS);
        if (-due..due).contains(&age) {
            Age::Fresh
        } else if age < MAX_AGE_MICROS {
            Age::Due
        } else {
            Age::Stale
        }
    }

    /// The snapshot shows the store of this time or later.
    pub(super) fn succeeded(&self, began_at: Timestamp) {
        self.checked_at.store(began_at.as_micros(), Ordering::Relaxed);
    }

    /// The next request finds no check.
    pub(super) fn forget(&self) {
        self.checked_at.store(NEVER, Ordering::Relaxed);
    }

    /// Begins a check, unless one runs. After a failure, none begins for as long as a check is fresh.
    pub(super) fn begin(self: &Arc<Self>, now: Instant) -> Option<RunningCheck> {
        let mut last = self.last();
        let is_too_early = |check: &Check| {
            let is_resting = self.has_failed() && now < check.began_at + self.due_after;
            check.is_running() || is_resting
        };
        if last.as_ref().is_some_and(is_too_early) {
            return None;
        }
        let (running, end) = watch::channel(());
        *last = Some(Check { began_at: now, end });
        Some(RunningCheck { checks: self.clone(), has_succeeded: false, _end: running })
    }

    /// Waits until the running check ends, but not for long. Does not wait after a failure.
    pub(super) async fn wait(&self) {
        let running = self.last().clone().filter(|_| !self.has_failed());
        if let Some(Check { began_at, mut end }) = running {
            // Nothing is ever sent: the channel closes.
            let _ = timeout_at(began_at + MAX_WAIT, end.changed()).await;
        }
    }

    fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    fn last(&self) -> MutexGuard<'_, Option<Check>> {
        // Nothing fails under the lock, so what it guards is whole.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Check {
    fn is_running(&self) -> bool {
        self.end.has_changed().is_ok()
    }
}

impl RunningCheck {
    pub(super) fn succeed(mut self) {
        self.has_succeeded = true;
    }
}

impl Drop for RunningCheck {
    fn drop(&mut self) {
        self.checks.has_failed.store(!self.has_succeeded, Ordering::Relaxed);
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    const DUE_AFTER: Duration = Duration::from_millis(500);

    fn checks() -> Arc<Checks> {
        Arc::new(Checks::new(DUE_AFTER))
    }

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(1_000_000_000 + micros).unwrap()
    }

    #[test]
    fn a_check_is_fresh_for_half_a_second_and_stale_after_a_second() {
        let checks = checks();
        assert_eq!(checks.age_at(at(0)), Age::Stale, "there was none");
        checks.succeeded(at(0));
        let ages = [0, 499_999, 500_000, 999_999, 1_000_000].map(|age| checks.age_at(at(age)));
        assert_eq!(ages, [Age::Fresh, Age::Fresh, Age::Due, Age::Due, Age::Stale]);
        checks.forget();
        assert_eq!(checks.age_at(at(0)), Age::Stale);
    }

    #[test]
    fn a_request_that_began_before_the_check_finds_it_fresh() {
        let checks = checks();
        checks.succeeded(at(0));
        assert_eq!(checks.age_at(at(-500_000)), Age::Fresh);
        assert_eq!(checks.age_at(at(-500_001)), Age::Due, "the clock may have been set back");
    }

    #[tokio::test(start_paused = true)]
    async fn one_check_runs_at_a_time_and_others_wait_for_it() {
        let checks = checks();
        let running = checks.begin(Instant::now()).unwrap();
        assert!(checks.begin(Instant::now()).is_none());
        let end = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            running.succeed();
        };
        let begun = Instant::now();
        tokio::join!(checks.wait(), checks.wait(), end);
        assert_eq!(begun.elapsed(), Duration::from_millis(300));
        assert!(checks.begin(Instant::now()).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn no_request_waits_longer_than_a_second_for_a_check_that_hangs() {
        let checks = checks();
        let (_hanging, begun) = (checks.begin(Instant::now()).unwrap(), Instant::now());
        checks.wait().await;
        assert_eq!(begun.elapsed(), MAX_WAIT);
        checks.wait().await;
        assert_eq!(begun.elapsed(), MAX_WAIT, "the next request does not wait at all");
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_failure_no_request_waits_until_a_check_succeeds() {
        let checks = checks();
        let begun = Instant::now();
        drop(checks.begin(begun).unwrap());
        assert!(checks.begin(begun + DUE_AFTER / 2).is_none());
        let again = checks.begin(begun + DUE_AFTER).unwrap();
        checks.wait().await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
        again.succeed();
        assert!(!checks.has_failed());
        assert!(checks.begin(begun + DUE_AFTER).is_some());
    }
}
