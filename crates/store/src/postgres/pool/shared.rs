//! Connections that several short reads share. A read is sent without waiting for earlier responses, and PostgreSQL responds
//! in the same order. So the server already has the next statement when it has finished one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deadpool::managed::{self, Manager as _};
use tokio::runtime::Handle;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::manager::{Manager, Pooled};

/// How long a short read waits for its response on a shared connection. This is some hundred times its normal time on a busy
/// server. A read that takes longer is stuck, or waits behind a stuck one, and is repeated on another connection.
pub(super) const SHARED_READ_TIMEOUT: Duration = Duration::from_millis(500);

/// The most concurrent reads on a shared connection: twice the number that keeps it busy while responses are in transit.
/// More reads would wait in the server instead of here, and a stuck connection would block all of them.
pub(crate) const READS_ON_A_CONNECTION: usize = 16;

/// How long to wait after a connection could not be opened.
const OPEN_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The shared connections to a database. A new one is opened when the open ones are busy. No read waits for that: without a
/// shared connection, it uses the pool.
pub(super) struct Shared {
    /// The pool whose manager opens the connections. The pool does not own them.
    pool: managed::Pool<Manager>,
    /// One permit per connection until it is closed, even if it is lost.
    permits: Arc<Semaphore>,
    open: Mutex<Vec<Arc<SharedConnection>>>,
    /// Locked while a connection is being opened.
    opening: Arc<AsyncMutex<()>>,
}

struct SharedConnection {
    pooled: Pooled,
    /// How many reads are running.
    reads: AtomicUsize,
    /// Locked while a unit of several statements is sent.
    sending: Mutex<()>,
    /// Whether a reader is cancelling the remaining statements.
    is_ending: AtomicBool,
    _permit: OwnedSemaphorePermit,
}

impl Shared {
    /// Does not open a connection yet.
    pub(super) fn new(pool: managed::Pool<Manager>, most: usize) -> Self {
        let permits = Arc::new(Semaphore::new(most));
        Self { pool, permits, open: Mutex::default(), opening: Arc::default() }
    }

    /// A read on the connection with the fewest reads; `None` when no connection is open or all are full.
    pub(super) fn shared_read(self: &Arc<Self>) -> Option<SharedRead> {
        let shared_read = {
            // The lock keeps other calls from taking the same place.
            let mut open = locked(&self.open);
            open.retain(|connection| connection.pooled.is_usable());
            let idlest = open.iter().min_by_key(|connection| connection.reads.load(Ordering::Relaxed))?;
            SharedRead::on(idlest)
        };
        if shared_read.as_ref().is_none_or(SharedRead::has_other_reads) {
            self.open_one();
        }
        shared_read
    }

    /// Opens one more connection in the background, unless the maximum is reached.
    pub(super) fn open_one(self: &Arc<Self>) {
        if self.permits.available_permits() == 0 {
            return;
        }
        if let (Ok(opening), Ok(runtime)) = (self.opening.clone().try_lock_owned(), Handle::try_current()) {
            drop(runtime.spawn(self.clone().open(opening)));
        }
    }

    async fn open(self: Arc<Self>, _opening: OwnedMutexGuard<()>) {
        let Ok(permit) = self.permits.clone().try_acquire_owned() else { return };
        let Ok(pooled) = self.pool.manager().create().await else {
            // Reads use the pool meanwhile. After one succeeds, it calls `open_one` again.
            return tokio::time::sleep(OPEN_AGAIN_AFTER).await;
        };
        let (reads, is_ending) = (AtomicUsize::new(0), AtomicBool::new(false));
        let opened =
            SharedConnection { pooled, reads, sending: Mutex::default(), is_ending, _permit: permit };
        locked(&self.open).push(Arc::new(opened));
    }
}

pub(super) struct SharedRead(Arc<SharedConnection>);

impl SharedRead {
    fn on(connection: &Arc<SharedConnection>) -> Option<Self> {
        if connection.reads.load(Ordering::Relaxed) >= READS_ON_A_CONNECTION {
            return None;
        }
        connection.reads.fetch_add(1, Ordering::Relaxed);
        Some(Self(connection.clone()))
    }

    pub(super) fn pooled(&self) -> &Pooled {
        &self.0.pooled
    }

    pub(super) fn sending(&self) -> MutexGuard<'_, ()> {
        locked(&self.0.sending)
    }

    /// Whether this read must cancel the remaining statements. True for the first caller only.
    pub(super) fn must_cancel_statements(&self) -> bool {
        !self.0.is_ending.swap(true, Ordering::Relaxed)
    }

    /// Whether the connection has other reads. Reads that have ended sent their statements before this returns false.
    pub(super) fn has_other_reads(&self) -> bool {
        self.0.reads.load(Ordering::Acquire) > 1
    }
}

impl Drop for SharedRead {
    fn drop(&mut self) {
        self.0.reads.fetch_sub(1, Ordering::Release);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic under the lock cannot leave the value inconsistent, so a poisoned lock is usable.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
