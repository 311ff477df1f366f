//! How long the operations of a store take, by name.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use metrics::Histogram;

/// The series `pointbook_store_seconds` of all operations seen so far: to ask the recorder for one by its
/// label costs some times what a lookup here does, and every request would.
#[derive(Default)]
pub struct StoreTimings {
    known: RwLock<HashMap<&'static str, Histogram>>,
}

impl StoreTimings {
    /// Begins to time an operation.
    pub fn start(&self, operation: &'static str) -> StoreTimer {
        StoreTimer { seconds: self.series(operation), started: Instant::now() }
    }

    fn series(&self, operation: &'static str) -> Histogram {
        // The map of handles is complete even when its last holder panicked.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(series) = known.get(operation) {
            return series.clone();
        }
        drop(known);
        let series = metrics::histogram!("pointbook_store_seconds", "operation" => operation);
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(operation, series.clone());
        series
    }
}

/// Records how long an operation took, waiting included, however it ends.
pub struct StoreTimer {
    seconds: Histogram,
    started: Instant,
}

impl Drop for StoreTimer {
    fn drop(&mut self) {
        self.seconds.record(self.started.elapsed());
    }
}
