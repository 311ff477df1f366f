//! How many requests are being answered, and no more than so many.

use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::Gauge;

/// Counts the requests being answered, up to a limit.
pub(super) struct InFlight {
    count: AtomicUsize,
    limit: usize,
    gauge: Gauge,
}

/// One request's place; free again when this is dropped.
pub(super) struct Place<'f>(&'f InFlight);

impl InFlight {
    pub(super) fn new(limit: usize) -> Self {
        let (count, gauge) = (AtomicUsize::new(0), metrics::gauge!("pointbook_http_requests_in_flight"));
        Self { count, limit, gauge }
    }

    /// A place, unless all are taken.
    pub(super) fn enter(&self) -> Option<Place<'_>> {
        if self.count.fetch_add(1, Ordering::Relaxed) >= self.limit {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        self.gauge.increment(1.0);
        Some(Place(self))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
        self.0.gauge.decrement(1.0);
    }
}
