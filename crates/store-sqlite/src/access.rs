//! The two doors to the database: `read` and `write`. Each names the operation and times it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pointbook_app::{StoreError, StoreResult};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use thread_local::ThreadLocal;
use tokio::sync::{Mutex as AsyncMutex, Semaphore};

use crate::connection::{SqliteOptions, open_reader};
use crate::error::Outcome;
use crate::retry::while_busy;
use crate::writer::Lane;

/// How many long reads run at once; more of them wait. Bounds connections and their memory.
const MAX_LONG_READS: usize = 4;

/// All connections to one file.
pub(crate) struct Access {
    path: PathBuf,
    options: SqliteOptions,
    /// For short reads: each on the thread that asks.
    readers: ThreadLocal<Connection>,
    /// For long reads: those that nobody uses now.
    idle_readers: Mutex<Vec<Connection>>,
    long_reads: Arc<Semaphore>,
    /// Waited for without holding a thread.
    writer: Arc<AsyncMutex<Connection>>,
}

impl Access {
    pub(crate) fn new(path: &Path, options: &SqliteOptions, writer: Connection) -> Self {
        Self {
            path: path.to_owned(),
            options: *options,
            readers: ThreadLocal::new(),
            idle_readers: Mutex::new(Vec::new()),
            long_reads: Arc::new(Semaphore::new(MAX_LONG_READS)),
            writer: Arc::new(AsyncMutex::new(writer)),
        }
    }

    /// Reads on the calling thread. For work whose number of rows is small and known: a hop to
    /// another thread costs more than such a query.
    pub(crate) fn read<T>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> Outcome<T>,
    ) -> StoreResult<T> {
        let _timer = Timer::start(operation);
        let reader = self.readers.get_or_try(|| open_reader(&self.path, &self.options))?;
        Ok(work(reader)?)
    }

    /// Reads on the blocking pool, in one read transaction.
    pub(crate) async fn read_long<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        let _timer = Timer::start(operation);
        let access = self.clone();
        let permit = self.long_reads.clone().acquire_owned().await;
        let permit = permit.map_err(|error| StoreError::Failed(Box::new(error)))?;
        off_the_runtime(move || {
            // Held by the work and not by the caller, who may stop waiting.
            let _permit = permit;
            let reader = match access.idle_readers().pop() {
                Some(reader) => reader,
                None => open_reader(&access.path, &access.options)?,
            };
            let read = in_snapshot(&reader, work);
            access.idle_readers().push(reader);
            read
        })
        .await
    }

    /// Writes on the blocking pool, in one transaction that holds the write lock from its
    /// beginning. The whole work runs again when another process holds the lock for too long, so it
    /// must have no effect but in the database. It ends even when the caller stops waiting.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &'static str,
        _lane: Lane,
        mut work: impl FnMut(&Transaction<'_>) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        let _timer = Timer::start(operation);
        let mut writer = self.writer.clone().lock_owned().await;
        let options = self.options;
        off_the_runtime(move || {
            while_busy(&mut writer, &options, |connection| try_write(connection, &mut work))
        })
        .await
    }

    fn idle_readers(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        // A list of idle connections is whole whatever its last holder did.
        self.idle_readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs queries that belong together at one moment of the database.
pub(crate) fn in_snapshot<T>(
    reader: &Connection,
    work: impl FnOnce(&Connection) -> Outcome<T>,
) -> Outcome<T> {
    let transaction = reader.unchecked_transaction()?;
    let read = work(&transaction)?;
    transaction.commit()?;
    Ok(read)
}

fn try_write<T>(
    writer: &mut Connection,
    work: &mut impl FnMut(&Transaction<'_>) -> Outcome<T>,
) -> Outcome<T> {
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let written = work(&transaction)?;
    transaction.commit()?;
    Ok(written)
}

#[expect(
    clippy::disallowed_methods,
    reason = "long reads and writes wait for the disk, which no runtime thread may"
)]
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> StoreResult<T> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| StoreError::Failed(Box::new(error)))??)
}

/// Records how long an operation took, waiting included, however it ends.
struct Timer {
    operation: &'static str,
    started: Instant,
}

impl Timer {
    fn start(operation: &'static str) -> Self {
        Self { operation, started: Instant::now() }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        metrics::histogram!("pointbook_store_seconds", "operation" => self.operation)
            .record(self.started.elapsed());
    }
}
