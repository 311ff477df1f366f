//! The changes of this process that the snapshot does not show yet.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

/// Counts the noted changes, and the changes that the snapshot shows. It counts changes and not versions: after a lost response,
/// a writer does not know the version of its write.
#[derive(Debug, Default)]
pub(super) struct Changes {
    noted: AtomicU64,
    shown: AtomicU64,
    /// Held while the counts change.
    work: Mutex<Work>,
    progress: Notify,
}

#[derive(Debug, Default)]
struct Work {
    /// Whether a task will show all changes that are noted until it begins.
    is_taken_on: bool,
    /// The number of noted changes when the last task began.
    begun: u64,
    /// Since when a change is noted and not shown, without progress.
    behind_since: Option<Instant>,
}

impl Changes {
    pub(super) fn note(&self) {
        let mut work = self.work();
        self.noted.fetch_add(1, Ordering::SeqCst);
        work.behind_since.get_or_insert_with(Instant::now);
    }

    /// The number of noted changes.
    pub(super) fn noted(&self) -> u64 {
        self.noted.load(Ordering::SeqCst)
    }

    /// Whether readers need not wait. Every request asks.
    pub(super) fn are_shown(&self) -> bool {
        self.shown.load(Ordering::Acquire) >= self.noted.load(Ordering::Acquire)
    }

    /// True for the caller that must show the noted changes, because no other task will.
    pub(super) fn take_on(&self) -> bool {
        let mut work = self.work();
        let is_needed = !work.is_taken_on && work.begun < self.noted();
        work.is_taken_on |= is_needed;
        is_needed
    }

    /// The task calls this before it reads. When the result is dropped, all changes noted by now count as shown, even after a
    /// failure. So no reader waits for ever.
    pub(super) fn begin(&self) -> Attempt<'_> {
        let mut work = self.work();
        work.is_taken_on = false;
        work.begun = self.noted();
        Attempt { changes: self, noted: work.begun }
    }

    /// Readers no longer wait for the first `noted` changes.
    pub(super) fn show(&self, noted: u64) {
        let mut work = self.work();
        self.shown.fetch_max(noted, Ordering::SeqCst);
        work.behind_since = (!self.are_shown()).then(Instant::now);
        drop(work);
        self.progress.notify_waiters();
    }

    /// Since when a change waits without progress.
    pub(super) fn behind_since(&self) -> Option<Instant> {
        self.work().behind_since
    }

    /// Waits until the first `noted` changes are shown.
    pub(super) async fn wait(&self, noted: u64) {
        loop {
            // Created before the check, so that it does not miss progress in between.
            let progress = self.progress.notified();
            if self.shown.load(Ordering::SeqCst) >= noted {
                return;
            }
            progress.await;
        }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        // No holder of the lock can stop in the middle.
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct Attempt<'c> {
    changes: &'c Changes,
    noted: u64,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.changes.show(self.noted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many_takes_on_what_all_of_them_noted() {
        let changes = Changes::default();
        assert!(changes.are_shown());
        changes.note();
        assert!(changes.take_on());
        changes.note();
        assert!(!changes.take_on() && !changes.are_shown());
        drop(changes.begin());
        assert!(changes.are_shown());
    }

    #[test]
    fn what_is_noted_after_the_beginning_is_taken_on_again() {
        let changes = Changes::default();
        changes.note();
        assert!(changes.take_on());
        let attempt = changes.begin();
        assert!(!changes.take_on(), "the attempt covers it");
        changes.note();
        assert!(changes.take_on());
        drop(attempt);
        assert!(!changes.are_shown());
        drop(changes.begin());
        assert!(changes.are_shown());
    }

    #[tokio::test]
    async fn who_waits_is_not_held_up_by_what_came_later() {
        let changes = Changes::default();
        changes.note();
        let attempt = changes.begin();
        let show = async {
            changes.note();
            drop(attempt);
        };
        tokio::join!(changes.wait(1), show);
        assert!(!changes.are_shown());
    }
}
