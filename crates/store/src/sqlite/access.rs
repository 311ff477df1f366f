//! The access to the database. Every read and write names its operation and is timed.

mod snapshot;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use rusqlite::Connection;
use thread_local::ThreadLocal;
use tokio::sync::Semaphore;

pub(crate) use self::snapshot::Snapshot;
use crate::background::in_background;
use crate::measure::StoreTimings;
use crate::ports::{StoreError, StoreResult};
use crate::queue::{self as queue, Bounds, Limits, Permits};
use crate::sqlite::connection::{ReadMode, open_reader_as};
use crate::sqlite::error::{OpenFailure, Outcome, StoreFailure};
use crate::sqlite::migrate;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::retry::while_busy;
use crate::sqlite::writer::{Lane, MAX_COMMIT_AGE, SharedCommit, Writer};

/// How many catalogue reads run at once. The others wait. This bounds connections and their memory.
const MAX_CATALOGUE_READS: usize = 4;

/// All connections to one file.
pub(crate) struct Access {
    path: PathBuf,
    options: SqliteOptions,
    mode: ReadMode,
    /// For short reads: one connection per calling thread.
    readers: ThreadLocal<Connection>,
    /// For long reads: the connections that are not in use.
    idle_readers: Mutex<Vec<Connection>>,
    long_reads: Permits<Arc<str>, ()>,
    catalogue_reads: Arc<Semaphore>,
    timings: StoreTimings,
    /// The last field, so that the writer closes the file last and removes the log. `None` for a read-only store.
    writer: Option<Writer>,
}

impl Access {
    pub(crate) fn new(path: &Path, options: &SqliteOptions, writer: Connection) -> io::Result<Self> {
        let writer = Writer::start(writer, options, MAX_COMMIT_AGE)?;
        Ok(Self::with(path, options, ReadMode::BesideWriter, Some(writer)))
    }

    /// Opens the file for a process that must write neither to it nor beside it.
    pub(crate) fn read_only(path: &Path, options: &SqliteOptions) -> Result<Self, OpenFailure> {
        let mode = ReadMode::of_file(path).map_err(OpenFailure::System)?;
        let access = Self::with(path, options, mode, None);
        let reader = access.open_reader()?;
        while_busy(&reader, options, migrate::check)?;
        access.idle_readers().push(reader);
        Ok(access)
    }

    fn with(path: &Path, options: &SqliteOptions, mode: ReadMode, writer: Option<Writer>) -> Self {
        let cores = available_parallelism().map_or(1, Into::into);
        Self {
            path: path.to_owned(),
            options: *options,
            mode,
            readers: ThreadLocal::new(),
            idle_readers: Mutex::new(Vec::new()),
            long_reads: long_reads(long_read_limits(cores)),
            catalogue_reads: Arc::new(Semaphore::new(MAX_CATALOGUE_READS)),
            timings: StoreTimings::default(),
            writer,
        }
    }

    fn open_reader(&self) -> Outcome<Connection> {
        open_reader_as(&self.mode, &self.path, &self.options)
    }

    /// Returns the result of a read. Fails when another process may have changed the file meanwhile.
    fn check_unchanged<T>(&self, read: Outcome<T>) -> Outcome<T> {
        self.mode.check(&self.path).and(read)
    }

    /// Reads on the calling thread. Use it only for a small, bounded number of rows. For those, switching to another
    /// thread costs more than the query.
    pub(crate) fn read<T>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> Outcome<T>,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let reader = self.readers.get_or_try(|| self.open_reader())?;
        Ok(self.check_unchanged(work(reader))?)
    }

    /// Runs a long read for a client of a tenant, in one read transaction and in the background. Tenants take turns.
    /// Fails as overloaded when too many reads of the tenant wait.
    pub(crate) async fn read_long<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &'static str,
        tenant: &Arc<str>,
        work: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        self.read_in_background(operation, Some(tenant), work).await
    }

    /// Like [`Self::read_long`], for work without a waiting request, such as an audit, a copy or a background job.
    pub(crate) async fn read_in_background<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &'static str,
        tenant: Option<&Arc<str>>,
        work: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let permit = self.long_reads.acquire(queue::Lane { tenant: tenant.cloned(), name: () }).await;
        let permit = permit.map_err(StoreFailure::Overloaded)?;
        let access = self.clone();
        let read = move || {
            // The work holds the permit, because the caller may stop waiting.
            let _permit = permit;
            access.on_idle_reader(work)
        };
        Ok(in_background(read).await??)
    }

    /// Reads the catalogue, for which all requests of a tenant wait. Runs on the blocking pool in one read transaction.
    /// It does not queue behind long reads and runs at normal priority.
    pub(crate) async fn read_catalogue<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let access = self.clone();
        let permit = self.catalogue_reads.clone().acquire_owned().await;
        let permit = permit.map_err(|error| StoreError::Failed(Box::new(error)))?;
        off_the_runtime(move || {
            let _permit = permit;
            access.on_idle_reader(work)
        })
        .await
    }

    fn on_idle_reader<T>(&self, work: impl FnOnce(&Connection) -> Outcome<T>) -> Outcome<T> {
        let idle = self.idle_readers().pop();
        let reader = match idle {
            Some(reader) => reader,
            None => self.open_reader()?,
        };
        let read = in_snapshot(&reader, work);
        self.idle_readers().push(reader);
        self.check_unchanged(read)
    }

    /// Runs `work` on the writing thread when it is the lane's turn. Returns when the effect is on the disk.
    ///
    /// The work succeeds or fails alone, even in a shared commit. It runs again when a commit was lost, so it must only
    /// change the database. If the caller stops waiting, work that has started still ends, and other work is skipped.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &'static str,
        lane: Lane,
        work: impl FnMut(&SharedCommit<'_>) -> Outcome<T> + Send + 'static,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let outcome = self.writer()?.submit(&lane, work)?;
        Ok(outcome.await.map_err(|_| StoreFailure::WriterEnded)??)
    }

    /// Fails when the writing thread has ended or the store is read-only.
    pub(crate) fn check_writer(&self) -> StoreResult<()> {
        Ok(self.writer()?.check()?)
    }

    fn writer(&self) -> Outcome<&Writer> {
        self.writer.as_ref().ok_or(StoreFailure::ReadOnly)
    }

    fn idle_readers(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        // A panic under the lock cannot leave the list inconsistent, so a poisoned lock is usable.
        self.idle_readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The limits of long reads. The number of permits bounds connections and their memory. A tenant gets one permit less than
/// all, so that other tenants find a free one and a core stays free for short work. Few reads of a tenant wait. A long read
/// takes a few milliseconds, so the last one waits for some tenths of a second.
fn long_read_limits(cores: usize) -> Limits {
    let all = cores.clamp(2, 8);
    Limits {
        permits: Bounds { all, tenant: all - 1, ..Bounds::default() },
        waiting: Bounds { tenant: 48, ..Bounds::default() },
        ..Limits::default()
    }
}

fn long_reads(limits: Limits) -> Permits<Arc<str>, ()> {
    let waiting = metrics::gauge!("pointbook_long_reads_waiting");
    Permits::watched(limits, move |count| waiting.set(u32::try_from(count.waiting).unwrap_or(u32::MAX)))
}

/// Runs several queries on one snapshot of the database.
pub(crate) fn in_snapshot<T>(
    reader: &Connection,
    work: impl FnOnce(&Connection) -> Outcome<T>,
) -> Outcome<T> {
    let transaction = reader.unchecked_transaction()?;
    let read = work(&transaction)?;
    transaction.commit()?;
    Ok(read)
}

#[expect(clippy::disallowed_methods, reason = "long reads wait for the disk, which no runtime thread may")]
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> StoreResult<T> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| StoreError::Failed(Box::new(error)))??)
}
