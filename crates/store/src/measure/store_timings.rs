//! Times the operations of a store, by name.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use metrics::Histogram;

/// Caches the series of `pointbook_store_seconds`, by operation. Every request needs one, and a lookup in the recorder costs
/// several times as much as a lookup here.
#[derive(Default)]
pub struct StoreTimings {
    known: RwLock<HashMap<&'static str, Histogram>>,
}

impl StoreTimings {
    /// Starts to time an operation.
    pub fn start(&self, operation: &'static str) -> StoreTimer {
        StoreTimer { seconds: self.series(operation), started: Instant::now() }
    }

    fn series(&self, operation: &'static str) -> Histogram {
        // A panic of another holder cannot leave the map incomplete.
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

/// Records the time of an operation when it is dropped, including waiting, also after an error.
pub struct StoreTimer {
    seconds: Histogram,
    started: Instant,
}

impl Drop for StoreTimer {
    fn drop(&mut self) {
        self.seconds.record(self.started.elapsed());
    }
}
