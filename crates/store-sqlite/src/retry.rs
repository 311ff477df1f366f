//! Trying again while another process holds a lock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use crate::options::SqliteOptions;

/// How often work is tried while another process holds the lock.
const MAX_ATTEMPTS: u64 = 4;

/// By how much the waits of two writers differ at most, in milliseconds, so that they do not meet
/// again and again.
const JITTER_MS: u64 = 250;

/// Why work on a connection failed.
pub(crate) trait Failure: From<rusqlite::Error> {
    /// Whether another process holds a lock, so that the same work may succeed soon.
    fn is_busy(&self) -> bool;
}

impl Failure for rusqlite::Error {
    fn is_busy(&self) -> bool {
        is_lock(self)
    }
}

/// Whether SQLite gave up waiting for a lock.
pub(crate) fn is_lock(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Does work that needs a lock; again, a few times, when another process holds it for too long. The
/// work must have no effect but in the database.
pub(crate) fn while_busy<'c, T, E: Failure>(
    connection: &'c Connection,
    options: &SqliteOptions,
    mut work: impl FnMut(&'c Connection) -> Result<T, E>,
) -> Result<T, E> {
    let mut attempt = 1;
    loop {
        connection.busy_timeout(next_wait(options))?;
        match work(connection) {
            Err(failure) if failure.is_busy() && attempt < MAX_ATTEMPTS => attempt += 1,
            outcome => return outcome,
        }
    }
}

/// The options' wait, and a jitter that differs from attempt to attempt and needs no randomness:
/// multiples of the golden section spread evenly.
fn next_wait(options: &SqliteOptions) -> Duration {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    static WAITS: AtomicU64 = AtomicU64::new(0);
    let count = WAITS.fetch_add(1, Ordering::Relaxed) ^ u64::from(std::process::id());
    let jitter = (count.wrapping_mul(GOLDEN) >> 32) % JITTER_MS;
    options.busy_timeout() + Duration::from_millis(jitter)
}
