//! The working permits: how many requests may wait for their responses at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use metrics::{Counter, Gauge};

use super::arriving::ArrivingBodies;
use crate::limits::HttpLimits;

/// Requests with a body get at most three quarters of the working permits, so that writes never block reads.
const RESERVE_DIVISOR: usize = 4;

/// How long after the last refused request `/readyz` reports overload.
const SATURATED_FOR: Duration = Duration::from_secs(5);

/// Working permits count the requests that could not respond at once, up to a limit. There are never more other requests than
/// threads, and counting them would cost time. A request whose body is still arriving has no working permit: `ArrivingBodies`
/// bounds those.
pub struct Permits {
    working: AtomicUsize,
    working_with_body: AtomicUsize,
    max_working: usize,
    gauge: Gauge,
    refused: Counter,
    refused_at: Mutex<Option<Instant>>,
    pub(super) arriving: ArrivingBodies,
    pub(super) body_read_timeout: Duration,
}

impl Permits {
    pub fn new(limits: &HttpLimits) -> Self {
        Self {
            working: AtomicUsize::new(0),
            working_with_body: AtomicUsize::new(0),
            max_working: limits.max_concurrent_requests,
            gauge: metrics::gauge!("pointbook_http_requests_in_flight"),
            refused: metrics::counter!("pointbook_http_requests_refused_total", "bound" => "concurrent_requests"),
            refused_at: Mutex::default(),
            arriving: ArrivingBodies::new(limits),
            body_read_timeout: Duration::from_millis(limits.body_read_timeout_ms),
        }
    }

    /// Whether one more request gets a working permit. It counts a refusal.
    pub fn admits(&self, has_body: bool) -> bool {
        let max_with_body = self.max_working - self.max_working / RESERVE_DIVISOR;
        let has_room = self.working.load(Ordering::Relaxed) < self.max_working
            && (!has_body || self.working_with_body.load(Ordering::Relaxed) < max_with_body);
        if !has_room {
            self.refused.increment(1);
            *self.refused_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        has_room
    }

    /// Whether a request was refused in the last seconds because all permits were taken.
    pub fn is_saturated(&self) -> bool {
        let refused_at = *self.refused_at.lock().unwrap_or_else(PoisonError::into_inner);
        refused_at.is_some_and(|at| at.elapsed() < SATURATED_FOR)
    }

    /// Takes a working permit for an admitted request.
    pub(super) fn begin_work(&self, has_body: bool) {
        self.working.fetch_add(1, Ordering::Relaxed);
        self.working_with_body.fetch_add(usize::from(has_body), Ordering::Relaxed);
        self.gauge.increment(1.0);
    }

    pub(super) fn end_work(&self, has_body: bool) {
        self.working.fetch_sub(1, Ordering::Relaxed);
        self.working_with_body.fetch_sub(usize::from(has_body), Ordering::Relaxed);
        self.gauge.decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eight() -> Permits {
        Permits::new(&HttpLimits { max_concurrent_requests: 8, ..HttpLimits::default() })
    }

    #[test]
    fn requests_with_a_body_leave_a_quarter_to_the_others() {
        let permits = eight();
        for _ in 0..6 {
            assert!(permits.admits(true));
            permits.begin_work(true);
        }
        assert!(!permits.admits(true));
        for _ in 0..2 {
            assert!(permits.admits(false));
            permits.begin_work(false);
        }
        assert!(!permits.admits(false) && permits.is_saturated());
        permits.end_work(true);
        assert!(permits.admits(true) && permits.admits(false));
    }

    #[test]
    fn requests_without_a_body_may_take_all() {
        let permits = eight();
        (0..8).for_each(|_| permits.begin_work(false));
        assert!(!permits.is_saturated());
        assert!(!permits.admits(true) && !permits.admits(false));
    }
}
