//! Whether the database responds, as this process knows.
//!
//! One background task asks the database ([`crate::service::Service::check_database`]). Requests that memory can serve, `/readyz`
//! and the log read its result.

mod outage_log;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pointbook_domain::Timestamp;
use tokio::sync::watch;

use self::outage_log::{OutageLine, OutageLog};
use crate::ports::{Ping, StoreError};

/// Whether the database responds. A new value assumes that the database responds and accepts writes.
#[derive(Debug)]
pub struct DatabaseHealth {
    /// Read by every request: no lock, no order.
    is_away: AtomicBool,
    takes_writes: AtomicBool,
    /// The same as `is_away`, for tasks that wait for it.
    away: watch::Sender<bool>,
    log: Mutex<OutageLog>,
}

impl Default for DatabaseHealth {
    fn default() -> Self {
        Self {
            is_away: AtomicBool::new(false),
            takes_writes: AtomicBool::new(true),
            away: watch::Sender::new(false),
            log: Mutex::default(),
        }
    }
}

impl DatabaseHealth {
    /// Whether the database did not respond to the last question.
    pub fn is_away(&self) -> bool {
        self.is_away.load(Ordering::Relaxed)
    }

    /// Whether writes are possible, as far as the process knows.
    pub fn takes_writes(&self) -> bool {
        !self.is_away() && self.takes_writes.load(Ordering::Relaxed)
    }

    /// Waits until the database is away. Returns at once while it is away.
    pub async fn goes_away(&self) {
        // The sender lives as long as this value, so the wait never fails.
        let _ = self.away.subscribe().wait_for(|is_away| *is_away).await;
    }

    /// Counts a call that failed because the database was busy or away. The log has the cause of the first failure, and the
    /// number of all failures at most once a minute: there may be thousands a second.
    pub fn note_failure(&self, error: &StoreError) {
        self.log().call_failed(|| cause_of(error));
    }

    pub(crate) fn responded(&self, ping: Ping, now: Timestamp) {
        self.takes_writes.store(ping.takes_writes, Ordering::Relaxed);
        self.set_away(false);
        let line = self.log().responded(now);
        line.inspect(OutageLine::log);
    }

    /// The database has not responded since the start. The log waits until the cause is known.
    pub(crate) fn is_silent(&self) {
        self.set_away(true);
    }

    /// The database did not respond to the question of `asked_at`.
    pub(crate) fn failed(&self, error: &StoreError, asked_at: Timestamp, now: Timestamp) {
        self.set_away(true);
        let line = self.log().failed(cause_of(error), asked_at, now);
        line.inspect(OutageLine::log);
    }

    fn set_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::Relaxed);
        self.away.send_if_modified(|before| std::mem::replace(before, is_away) != is_away);
    }

    fn log(&self) -> MutexGuard<'_, OutageLog> {
        // Nothing fails under the lock, so what it guards is whole.
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cause that a store gives for a failure. The log message already says that the database is busy or away.
fn cause_of(error: &StoreError) -> String {
    match error {
        StoreError::Unavailable(cause) => with_causes(&**cause),
        StoreError::Overloaded | StoreError::Failed(_) | StoreError::Corrupt(_) => with_causes(error),
    }
}

/// An error with all its causes: logs in JSON would have only the first.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u32) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus_seconds(seconds)
    }

    #[tokio::test]
    async fn whoever_waits_hears_that_the_database_is_away() {
        let health = DatabaseHealth::default();
        assert!(!health.is_away() && health.takes_writes());
        let refused = StoreError::Unavailable("refused".into());
        tokio::join!(health.goes_away(), async { health.failed(&refused, at(1), at(1)) });
        assert!(health.is_away() && !health.takes_writes());
        health.responded(Ping { takes_writes: false }, at(2));
        assert!(!health.is_away() && !health.takes_writes());
    }

    #[test]
    fn the_cause_is_told_to_its_end() {
        let inner = StoreError::Failed("db:5432: refused".into());
        let error = StoreError::Unavailable(Box::new(inner));
        assert_eq!(cause_of(&error), "the database failed: db:5432: refused");
    }
}
