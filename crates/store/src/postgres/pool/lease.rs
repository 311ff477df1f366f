//! The use of a connection, and the cleanup after a user that left early.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use deadpool::managed::Object;
use deadpool_postgres::ClientWrapper;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::manager::{Manager, Pooled};
use super::shared::{SHARED_READ_TIMEOUT, SharedRead};
use crate::postgres::error::{Lost, StoreFailure};

/// How long to wait for a running statement before it is cancelled. Most statements end within this time.
const GRACE: Duration = Duration::from_millis(50);

/// How long a server may take to cancel a statement.
const CANCEL_WITHIN: Duration = Duration::from_secs(2);

/// How long to wait for a commit whose caller left.
const COMMIT_WITHIN: Duration = Duration::from_mins(1);

/// A connection in use. On drop it returns to the pool, which discards an unusable one, or stays with the shared connections.
/// If its user left before all responses came, the pool does not reuse it while a statement runs. A shared connection stays
/// shared, unless the statement takes longer than others.
pub(crate) struct Lease {
    client: Arc<ClientWrapper>,
    /// `None` only during the drop.
    held: Option<HeldConnection>,
    pending_responses: AtomicU32,
    is_committing: AtomicBool,
}

pub(super) enum HeldConnection {
    Alone(Object<Manager>),
    Shared(SharedRead),
}

impl HeldConnection {
    fn pooled(&self) -> &Pooled {
        match self {
            Self::Alone(pooled) => pooled,
            Self::Shared(shared_read) => shared_read.pooled(),
        }
    }
}

impl Lease {
    pub(super) fn new(held: HeldConnection) -> Self {
        Self {
            client: held.pooled().client().clone(),
            held: Some(held),
            pending_responses: AtomicU32::new(0),
            is_committing: AtomicBool::new(false),
        }
    }

    pub(crate) fn client(&self) -> &ClientWrapper {
        &self.client
    }

    /// The lock for sending a unit of several statements; `None` on a connection with one user.
    pub(crate) fn sending(&self) -> Option<MutexGuard<'_, ()>> {
        match &self.held {
            Some(HeldConnection::Shared(shared_read)) => Some(shared_read.sending()),
            Some(HeldConnection::Alone(_)) | None => None,
        }
    }

    /// Call this before a statement is sent.
    pub(crate) fn note_sent(&self) {
        self.pending_responses.fetch_add(1, Ordering::Relaxed);
    }

    /// Call this when a commit was sent. From then on nothing may be cancelled: a commit that waits for a standby and is
    /// cancelled succeeds without the standby.
    pub(crate) fn note_commit(&self) {
        self.is_committing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn note_response(&self) {
        self.pending_responses.fetch_sub(1, Ordering::Relaxed);
    }

    /// Call this when a statement failed, the connection failed, or no response came in time.
    pub(crate) fn note_failure(&self, failure: &StoreFailure) {
        if !matches!(failure, StoreFailure::TimedOut) {
            self.note_response();
        }
        if let Some(held) = &self.held {
            held.pooled().lose(failure.lost());
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(held) = self.held.take().filter(|_| *self.pending_responses.get_mut() > 0) else { return };
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(settle(held, *self.is_committing.get_mut()))),
            // Without a runtime the process is ending, and so are its connections.
            Err(_) => held.pooled().lose(Lost::This),
        }
    }
}

/// Waits for the pending responses of a connection and returns it for reuse. If they do not come soon, discards the connection
/// and cancels its statement. It is not reused then, because a late cancel request would hit the statement of the next user.
async fn settle(held: HeldConnection, is_committing: bool) {
    let client = held.pooled().client().clone();
    // An empty statement, which the server completes after all earlier ones.
    let mut last = pin!(client.batch_execute(""));
    let grace = match &held {
        _ if held.pooled().is_lost() => Duration::ZERO,
        HeldConnection::Alone(_) => GRACE,
        // A statement on a shared connection waits for those before it.
        HeldConnection::Shared(_) => SHARED_READ_TIMEOUT,
    };
    if timeout(grace, &mut last).await.is_ok() {
        return;
    }
    match held {
        HeldConnection::Alone(pooled) => end(&Object::take(pooled), is_committing, last).await,
        HeldConnection::Shared(shared_read) => end_shared(&shared_read).await,
    }
}

async fn end<E>(pooled: &Pooled, is_committing: bool, last: impl Future<Output = Result<(), E>>) {
    if is_committing {
        let _ = timeout(COMMIT_WITHIN, last).await;
        return;
    }
    let cancelled = async {
        pooled.cancel().await;
        let _ = last.await;
    };
    if timeout(CANCEL_WITHIN, cancelled).await.is_err() {
        // A server that does not even cancel a statement counts as gone.
        pooled.lose(Lost::All);
    }
}

/// Discards a stuck shared connection. The first reader that notices cancels the remaining statements. A reader whose statement
/// only waited behind them repeats it on another connection.
async fn end_shared(shared_read: &SharedRead) {
    shared_read.pooled().lose(Lost::This);
    if shared_read.must_cancel_statements() {
        // This does not decide whether the server is gone. Reads on unshared connections find that out.
        let _ = timeout(CANCEL_WITHIN, end_all(shared_read)).await;
    }
}

/// Cancels one statement after the other, until the connection has no other reads.
async fn end_all(shared_read: &SharedRead) {
    loop {
        // If no other reads exist now, no statement can follow the empty one.
        let is_last = !shared_read.has_other_reads();
        let mut last = pin!(shared_read.pooled().client().batch_execute(""));
        while timeout(GRACE, &mut last).await.is_err() {
            shared_read.pooled().cancel().await;
        }
        if is_last {
            return;
        }
        tokio::time::sleep(GRACE).await;
    }
}
