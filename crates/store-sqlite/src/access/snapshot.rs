//! The file as it was at one moment, for as long as somebody reads.

use std::sync::{Arc, Mutex, PoisonError};

use pointbook_app::StoreResult;
use rusqlite::Connection;

use super::{Access, off_the_runtime};
use crate::error::Outcome;

/// A read transaction on a connection of its own. While there is one, the write-ahead log only grows.
pub(crate) struct Snapshot {
    held: Arc<Held>,
}

struct Held {
    reader: Mutex<Connection>,
    /// After the reader, so that the writer is the last to close the file.
    access: Arc<Access>,
}

impl Access {
    /// What is written from now on is not in it.
    pub(crate) async fn open_snapshot(self: &Arc<Self>, operation: &'static str) -> StoreResult<Snapshot> {
        let _timer = self.timings.start(operation);
        let access = self.clone();
        off_the_runtime(move || {
            let reader = access.open_reader()?;
            reader.execute_batch("BEGIN")?;
            // It is the first read that fixes what is seen.
            reader.query_row("SELECT count(*) FROM schema_migrations", [], |_| Ok(()))?;
            Ok(Snapshot { held: Arc::new(Held { reader: Mutex::new(reader), access }) })
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
        let _timer = self.held.access.timings.start(operation);
        let held = self.held.clone();
        // A reader is whole whatever its last user did.
        off_the_runtime(move || {
            let read = work(&held.reader.lock().unwrap_or_else(PoisonError::into_inner));
            held.access.whole(read)
        })
        .await
    }
}
