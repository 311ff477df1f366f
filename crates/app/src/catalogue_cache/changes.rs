//! Which changes of this process the snapshot has yet to show.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

/// Counts the changes that were noted, and those that no reader has to wait for any more. Changes are
/// counted and not versions, because who lost the answer to a write does not know what version it made.
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
    /// Whether somebody is on the way who will show all that is noted until they begin.
    is_taken_on: bool,
    /// How many were noted when the last one began.
    begun: u64,
    /// Since when something is noted and not shown, without any progress.
    behind_since: Option<Instant>,
}

impl Changes {
    pub(super) fn note(&self) {
        let mut work = self.work();
        self.noted.fetch_add(1, Ordering::SeqCst);
        work.behind_since.get_or_insert_with(Instant::now);
    }

    /// How many were noted so far.
    pub(super) fn noted(&self) -> u64 {
        self.noted.load(Ordering::SeqCst)
    }

    /// Whether there is nothing to wait for. Every request asks.
    pub(super) fn are_shown(&self) -> bool {
        self.shown.load(Ordering::Acquire) >= self.noted.load(Ordering::Acquire)
    }

    /// True for the one who now has to show what is noted, since nobody else will.
    pub(super) fn take_on(&self) -> bool {
        let mut work = self.work();
        let is_needed = !work.is_taken_on && work.begun < self.noted();
        work.is_taken_on |= is_needed;
        is_needed
    }

    /// To be called by that one before anything is read. All that is noted by now counts as shown
    /// when the result is dropped, however the attempt ended: nobody waits for ever.
    pub(super) fn begin(&self) -> Attempt<'_> {
        let mut work = self.work();
        work.is_taken_on = false;
        work.begun = self.noted();
        Attempt { changes: self, noted: work.begun }
    }

    /// Nobody has to wait for the first `noted` changes any more.
    pub(super) fn show(&self, noted: u64) {
        let mut work = self.work();
        self.shown.fetch_max(noted, Ordering::SeqCst);
        work.behind_since = (!self.are_shown()).then(Instant::now);
        drop(work);
        self.progress.notify_waiters();
    }

    /// Since when something is to be shown, and nothing is.
    pub(super) fn behind_since(&self) -> Option<Instant> {
        self.work().behind_since
    }

    /// Waits until the first `noted` changes are shown.
    pub(super) async fn wait(&self, noted: u64) {
        loop {
            // Made before the look, so that progress in between is not missed.
            let progress = self.progress.notified();
            if self.shown.load(Ordering::SeqCst) >= noted {
                return;
            }
            progress.await;
        }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        // Nobody who holds it can end in the middle.
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
