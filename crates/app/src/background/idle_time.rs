//! Whether there is time that nothing else wants.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long work may take before it is said that there is no idle time: ten times what a page of 7,200 rows takes on an
/// idle machine. On one whose processors are all wanted, such work gets some thousandths of a processor.
const MAX_TIME: Duration = Duration::from_millis(100);

/// How long it is believed that there is none, until work is risked again.
const BELIEVED: Duration = Duration::from_secs(5);

/// Never is there none.
const ALWAYS: u64 = 0;

/// What the last works have seen.
#[derive(Debug)]
pub(super) struct IdleTime {
    begun: Instant,
    /// Until when there is none, in milliseconds since it began, or [`ALWAYS`].
    none_until_ms: AtomicU64,
}

impl IdleTime {
    /// Begins with the belief that there is some.
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), none_until_ms: AtomicU64::new(ALWAYS) }
    }

    /// Whether work may count on some. When it was believed that there is none, a single one tries whether that is
    /// so still: the others are told when it is done.
    pub(super) fn is_there(&self, now: Instant) -> bool {
        let none_until_ms = self.none_until_ms.load(Ordering::Relaxed);
        if none_until_ms == ALWAYS {
            return true;
        }
        let is_over = self.milliseconds(now) >= none_until_ms;
        let next = self.milliseconds(now + BELIEVED);
        let took_it =
            || self.none_until_ms.compare_exchange(none_until_ms, next, Ordering::Relaxed, Ordering::Relaxed);
        is_over && took_it().is_ok()
    }

    /// Takes note of how long work took that counted on idle time and is done now, from when it was asked for.
    pub(super) fn note(&self, taken: Duration, now: Instant) {
        let none_until_ms = if taken > MAX_TIME { self.milliseconds(now + BELIEVED) } else { ALWAYS };
        self.none_until_ms.store(none_until_ms, Ordering::Relaxed);
    }

    fn milliseconds(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.begun).as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_work_that_took_long_there_is_none_for_a_while() {
        let time = IdleTime::new();
        let start = time.begun;
        time.note(MAX_TIME, start);
        assert!(time.is_there(start) && time.is_there(start));
        time.note(MAX_TIME + Duration::from_millis(1), start);
        assert!(!time.is_there(start));
        assert!(!time.is_there(start + BELIEVED / 2));
        assert!(time.is_there(start + BELIEVED));
    }

    #[test]
    fn a_single_work_tries_whether_there_is_some_again() {
        let time = IdleTime::new();
        let later = time.begun + BELIEVED;
        time.note(MAX_TIME * 2, time.begun);
        assert!(time.is_there(later));
        assert!(!time.is_there(later), "one tries already");
        time.note(MAX_TIME * 2, later);
        assert!(!time.is_there(later + BELIEVED / 2), "it has found none");
        assert!(time.is_there(later + BELIEVED) && !time.is_there(later + BELIEVED));
        time.note(MAX_TIME, later + BELIEVED);
        assert!(time.is_there(later + BELIEVED) && time.is_there(later + BELIEVED), "it has found some");
    }

    #[test]
    fn where_the_one_that_tries_never_ends_another_tries() {
        let time = IdleTime::new();
        time.note(MAX_TIME * 2, time.begun);
        assert!(time.is_there(time.begun + BELIEVED));
        assert!(time.is_there(time.begun + BELIEVED * 2));
    }
}
