//! Whether there is time that nothing else wants.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long work may take before it is said that there is no idle time: ten times what a page of 7,200 rows takes on an
/// idle machine. On one whose processors are all wanted, such work gets some thousandths of a processor.
const MAX_TIME: Duration = Duration::from_millis(100);

/// How long it is believed that there is none, until work is risked again.
const BELIEVED: Duration = Duration::from_secs(5);

/// What the last works have seen.
#[derive(Debug)]
pub(super) struct IdleTime {
    begun: Instant,
    /// Until when there is none, in milliseconds since it began.
    none_until_ms: AtomicU64,
}

impl IdleTime {
    /// Begins with the belief that there is some.
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), none_until_ms: AtomicU64::new(0) }
    }

    /// Whether there is any, as far as is known.
    pub(super) fn is_there(&self, now: Instant) -> bool {
        self.milliseconds(now) >= self.none_until_ms.load(Ordering::Relaxed)
    }

    /// Takes note of how long work has taken that is done now, from when it was asked for.
    pub(super) fn note(&self, taken: Duration, now: Instant) {
        if taken > MAX_TIME {
            self.none_until_ms.store(self.milliseconds(now + BELIEVED), Ordering::Relaxed);
        }
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
        assert!(time.is_there(start));
        time.note(MAX_TIME + Duration::from_millis(1), start);
        assert!(!time.is_there(start));
        time.note(Duration::ZERO, start);
        assert!(!time.is_there(start + BELIEVED / 2));
        assert!(time.is_there(start + BELIEVED));
    }
}
