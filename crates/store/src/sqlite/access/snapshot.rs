//! A snapshot of the file, which lives as long as its reader.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::{Access, off_the_runtime};
use crate::ports::StoreResult;
use crate::sqlite::error::Outcome;

/// A read transaction on a separate connection. While it is open, SQLite cannot reset the write-ahead log, which grows.
pub(crate) struct Snapshot {
    shared: Arc<SnapshotReader>,
}

struct SnapshotReader {
    reader: Mutex<Connection>,
    /// Dropped after the reader, so that the writer closes the file last.
    access: Arc<Access>,
}

impl Access {
    /// Opens a snapshot, which excludes all later writes.
    pub(crate) async fn open_snapshot(self: &Arc<Self>, operation: &'static str) -> StoreResult<Snapshot> {
        let _timer = self.timings.start(operation);
        let access = self.clone();
        off_the_runtime(move || {
            let reader = access.open_reader()?;
            reader.execute_batch("BEGIN")?;
            // SQLite takes the snapshot at the first read, not at BEGIN.
            reader.query_row("SELECT count(*) FROM schema_migrations", [], |_| Ok(()))?;
            Ok(Snapshot { shared: Arc::new(SnapshotReader { reader: Mutex::new(reader), access }) })
        })
        .await
    }
}

impl Snapshot {
    /// Reads on the blocking pool.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        let _timer = self.shared.access.timings.start(operation);
        let shared = self.shared.clone();
        // A panic under the lock cannot leave the connection inconsistent, so a poisoned lock is usable.
        off_the_runtime(move || {
            let read = work(&shared.reader.lock().unwrap_or_else(PoisonError::into_inner));
            shared.access.check_unchanged(read)
        })
        .await
    }
}
