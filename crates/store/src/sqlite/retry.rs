//! Retries work while another process holds a lock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use crate::sqlite::options::SqliteOptions;

/// How many times work is tried while another process holds the lock.
const MAX_ATTEMPTS: u64 = 4;

/// The largest jitter of a wait, in milliseconds. It keeps two writers from colliding again and again.
const JITTER_MS: u64 = 250;

/// Why work on a connection failed.
pub(crate) trait Failure: From<rusqlite::Error> {
    /// Whether another process holds a lock, so that a retry may succeed.
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

/// Does work that needs a lock, and retries it up to [`MAX_ATTEMPTS`] times while another process holds the lock. The work
/// must only change the database.
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

/// The configured wait plus a jitter that differs between attempts. Multiples of the golden ratio spread evenly, so no
/// random numbers are needed.
fn next_wait(options: &SqliteOptions) -> Duration {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    static WAITS: AtomicU64 = AtomicU64::new(0);
    let count = WAITS.fetch_add(1, Ordering::Relaxed) ^ u64::from(std::process::id());
    let jitter = (count.wrapping_mul(GOLDEN) >> 32) % JITTER_MS;
    options.busy_timeout() + Duration::from_millis(jitter)
}
