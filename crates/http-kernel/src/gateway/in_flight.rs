//! The working permits: how many requests may wait for their responses at once.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use metrics::{Counter, Gauge};

/// Requests with a body get at most three quarters of the working permits. The rest is a reserve for
/// requests without one, so that writes never keep reads from being served.
const RESERVE_DIVISOR: usize = 4;

/// For how long after the last refused request `/readyz` calls the process saturated.
const SATURATED_FOR: Duration = Duration::from_secs(5);

/// Counts the requests that were not answered at once, up to a limit. All others are never more than there are
/// threads, and to count them would hand the count from processor to processor.
///
/// A request whose body is still arriving has no permit: [`super::arriving::ArrivingBodies`] bounds those.
pub(super) struct InFlight {
    count: AtomicUsize,
    with_body: AtomicUsize,
    limit: usize,
    gauge: Gauge,
    refused: Counter,
    started: Instant,
    /// When the last request was refused, in milliseconds since the start, plus 1; 0 for never.
    refused_at_ms: AtomicU64,
}

impl InFlight {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            count: AtomicUsize::new(0),
            with_body: AtomicUsize::new(0),
            limit,
            gauge: metrics::gauge!("pointbook_http_requests_in_flight"),
            refused: metrics::counter!("pointbook_http_requests_refused_total", "bound" => "concurrent_requests"),
            started: Instant::now(),
            refused_at_ms: AtomicU64::new(0),
        }
    }

    /// Whether one more request gets a permit. A refusal is counted.
    pub(super) fn admits(&self, has_body: bool) -> bool {
        let has_room = self.count.load(Ordering::Relaxed) < self.limit
            && (!has_body || self.with_body.load(Ordering::Relaxed) < self.limit_with_body());
        if !has_room {
            self.refused.increment(1);
            self.refused_at_ms.store(self.elapsed_ms() + 1, Ordering::Relaxed);
        }
        has_room
    }

    /// Takes a permit for a request that was admitted.
    pub(super) fn enter(&self, has_body: bool) {
        self.count.fetch_add(1, Ordering::Relaxed);
        if has_body {
            self.with_body.fetch_add(1, Ordering::Relaxed);
        }
        self.gauge.increment(1.0);
    }

    /// Gives a permit back.
    pub(super) fn leave(&self, has_body: bool) {
        self.count.fetch_sub(1, Ordering::Relaxed);
        if has_body {
            self.with_body.fetch_sub(1, Ordering::Relaxed);
        }
        self.gauge.decrement(1.0);
    }

    /// Whether a request was refused within the last seconds because all permits were taken.
    pub(super) fn is_saturated(&self) -> bool {
        match self.refused_at_ms.load(Ordering::Relaxed) {
            0 => false,
            at_ms => Duration::from_millis((self.elapsed_ms() + 1).saturating_sub(at_ms)) < SATURATED_FOR,
        }
    }

    fn limit_with_body(&self) -> usize {
        self.limit - self.limit / RESERVE_DIVISOR
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_with_a_body_leave_a_quarter_to_the_others() {
        let permits = InFlight::new(8);
        for _ in 0..6 {
            assert!(permits.admits(true));
            permits.enter(true);
        }
        assert!(!permits.admits(true));
        for _ in 0..2 {
            assert!(permits.admits(false));
            permits.enter(false);
        }
        assert!(!permits.admits(false) && permits.is_saturated());
        permits.leave(true);
        assert!(permits.admits(true) && permits.admits(false));
    }

    #[test]
    fn requests_without_a_body_may_take_all() {
        let permits = InFlight::new(8);
        (0..8).for_each(|_| permits.enter(false));
        assert!(!permits.is_saturated());
        assert!(!permits.admits(true) && !permits.admits(false));
    }
}
