//! Connections that many short reads use at once. Each is sent without waiting for the answers of those before it,
//! and PostgreSQL answers in the order of asking: the server finds the next statement there when it is done with one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deadpool::managed::{self, Manager as _};
use tokio::runtime::Handle;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::manager::{Manager, Pooled};

/// For how long a short read waits for its answer on a shared connection. Some hundred times what it takes on a busy
/// server, so that a read that takes longer is stuck, or behind one that is; it goes on alone then.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// How many reads are under way at once on a shared connection: twice what keeps it busy while answers are on their
/// way. More would wait in the server instead of here, and all of them where it is stuck.
pub(crate) const READS_ON_A_CONNECTION: usize = 16;

/// After so long another one is opened when one could not be.
const OPEN_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The shared connections to a database. They are opened one by one, when those that are open are at work, and
/// no read waits for it: one that finds none goes to the pool.
pub(super) struct Shared {
    /// Whose manager opens them too. They are none of its connections.
    pool: managed::Pool<Manager>,
    /// One for each connection, until it is closed: one that is lost and not ended yet counts.
    permits: Arc<Semaphore>,
    open: Mutex<Vec<Arc<SharedConnection>>>,
    /// Locked while one is being opened.
    opening: Arc<AsyncMutex<()>>,
}

struct SharedConnection {
    pooled: Pooled,
    /// How many are under way.
    reads: AtomicUsize,
    /// Held while a unit of several statements is sent.
    sending: Mutex<()>,
    /// Whether a reader ends what is left on it.
    is_ending: AtomicBool,
    _permit: OwnedSemaphorePermit,
}

impl Shared {
    /// Opens none yet.
    pub(super) fn new(pool: managed::Pool<Manager>, most: usize) -> Self {
        let permits = Arc::new(Semaphore::new(most));
        Self { pool, permits, open: Mutex::default(), opening: Arc::default() }
    }

    /// A read on the connection with the fewest reads, if one is open and has room for one more.
    pub(super) fn shared_read(self: &Arc<Self>) -> Option<SharedRead> {
        let shared_read = {
            // No other call takes this read meanwhile.
            let mut open = locked(&self.open);
            open.retain(|connection| connection.pooled.is_usable());
            let idlest = open.iter().min_by_key(|connection| connection.reads.load(Ordering::Relaxed))?;
            SharedRead::on(idlest)
        };
        if shared_read.as_ref().is_none_or(SharedRead::has_company) {
            self.open_one();
        }
        shared_read
    }

    /// Opens one more on the side, unless there are enough.
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
            // Reads go on where they can, and those that find the database tell of it.
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

    /// Whether this read has to end what runs there.
    pub(super) fn ends_it(&self) -> bool {
        !self.0.is_ending.swap(true, Ordering::Relaxed)
    }

    /// Whether others read there. What those who left have sent was sent before.
    pub(super) fn has_company(&self) -> bool {
        self.0.reads.load(Ordering::Acquire) > 1
    }
}

impl Drop for SharedRead {
    fn drop(&mut self) {
        self.0.reads.fetch_sub(1, Ordering::Release);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing fails under the lock, so what it guards is whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
