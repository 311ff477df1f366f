//! The options for opening a file.

use std::time::Duration;

use pointbook_domain::Timestamp;

/// The options for opening a SQLite file.
#[derive(Debug, Clone, Copy)]
pub struct SqliteOptions {
    /// The current time, which is recorded with new migrations.
    pub now: Timestamp,
    /// How long a statement waits for a lock of another process, in milliseconds. A write is retried a few times.
    pub busy_timeout_ms: u64,
    /// The page cache of the writing connection, in KiB. Imports need most of it.
    pub writer_cache_kib: u32,
    /// The page cache of each reading connection, in KiB.
    pub reader_cache_kib: u32,
}

impl SqliteOptions {
    /// The defaults: a write gives up after about five seconds. The writer caches 64 MiB, and each reader 8 MiB.
    pub fn new(now: Timestamp) -> Self {
        Self { now, busy_timeout_ms: 1_000, writer_cache_kib: 64 * 1_024, reader_cache_kib: 8 * 1_024 }
    }

    pub(crate) fn busy_timeout(&self) -> Duration {
        Duration::from_millis(self.busy_timeout_ms)
    }
}
