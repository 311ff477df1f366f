//! Which changes of this process the snapshot has yet to show.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::Notify;

/// Counts the changes that were noted, and those that no reader has to wait for any more. Changes are
/// counted and not versions, because who lost the answer to a write does not know what version it made.
#[derive(Debug, Default)]
pub(super) struct Changes {
    noted: AtomicU64,
    shown: AtomicU64,
    /// Whether somebody is on the way who will show all that is noted until they begin.
    is_taken_on: AtomicBool,
    progress: Notify,
}

impl Changes {
    /// Notes one more.
    pub(super) fn note(&self) {
        self.noted.fetch_add(1, Ordering::SeqCst);
    }

    /// How many were noted so far.
    pub(super) fn noted(&self) -> u64 {
        self.noted.load(Ordering::SeqCst)
    }

    /// Whether there is nothing to wait for. Every request asks.
    pub(super) fn are_shown(&self) -> bool {
        self.shown.load(Ordering::Acquire) >= self.noted.load(Ordering::Acquire)
    }

    /// True for the one who now has to show what is noted: of many changes, the first one's.
    pub(super) fn take_on(&self) -> bool {
        !self.is_taken_on.swap(true, Ordering::SeqCst)
    }

    /// To be called by that one before anything is read. All that is noted by now counts as shown
    /// when the result is dropped, however the attempt ended: nobody waits for ever.
    pub(super) fn begin(&self) -> Attempt<'_> {
        self.is_taken_on.store(false, Ordering::SeqCst);
        Attempt { changes: self, noted: self.noted() }
    }

    /// Nobody has to wait for the first `noted` changes any more.
    pub(super) fn show(&self, noted: u64) {
        self.shown.fetch_max(noted, Ordering::SeqCst);
        self.progress.notify_waiters();
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
}

/// Somebody shows what was noted.
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
