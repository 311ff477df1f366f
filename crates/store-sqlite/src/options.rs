//! How a file is opened.

use std::time::Duration;

use pointbook_domain::Timestamp;

/// How a SQLite file is opened.
#[derive(Debug, Clone, Copy)]
pub struct SqliteOptions {
    /// When it is opened: the time that new migrations are recorded with.
    pub now: Timestamp,
    /// For how long a statement waits for another process before it gives up, in milliseconds. A
    /// write is tried a few times.
    pub busy_timeout_ms: u64,
    /// Pages that the writing connection keeps in memory, in KiB: what an import works in.
    pub writer_cache_kib: u32,
    /// Pages that each reading connection keeps in memory, in KiB.
    pub reader_cache_kib: u32,
}

impl SqliteOptions {
    /// The defaults: a write gives up after some five seconds; 64 MiB for the writer, 8 MiB for
    /// each reader.
    pub fn new(now: Timestamp) -> Self {
        Self { now, busy_timeout_ms: 1_000, writer_cache_kib: 64 * 1_024, reader_cache_kib: 8 * 1_024 }
    }

    /// How long one wait for another process may take.
    pub(crate) fn busy_timeout(&self) -> Duration {
        Duration::from_millis(self.busy_timeout_ms)
    }
}
