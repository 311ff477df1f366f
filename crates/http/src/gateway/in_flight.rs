//! How many requests wait for their answers, and no more than so many.

use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::Gauge;

/// Counts the requests that were not answered at once, up to a limit. Of all others there are never more than threads,
/// and to count them would hand the count from processor to processor.
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

    /// Whether there is a place for one more.
    pub(super) fn has_room(&self) -> bool {
        self.count.load(Ordering::Relaxed) < self.limit
    }

    /// A place of one for which there was room when it came.
    pub(super) fn enter(&self) -> Place<'_> {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.gauge.increment(1.0);
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
        self.0.gauge.decrement(1.0);
    }
}
