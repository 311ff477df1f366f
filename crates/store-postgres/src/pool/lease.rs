//! The time in which a connection is in use, and what becomes of one whose user left early.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use deadpool::managed::Object;
use deadpool_postgres::ClientWrapper;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::manager::{Manager, Pooled};
use super::shared::{PATIENCE, SharedRead};
use crate::error::{Lost, StoreFailure};

/// Most statements end within this time, and their connection is as good as before.
const GRACE: Duration = Duration::from_millis(50);

/// For how long a server that was told to cancel a statement may take to end it.
const CANCEL_WITHIN: Duration = Duration::from_secs(2);

/// For how long a commit is waited for whose caller left.
const COMMIT_WITHIN: Duration = Duration::from_mins(1);

/// A connection that is back in the pool when this is dropped, or thrown away there if it is of no use; or one of
/// those that reads share. One whose user left before all answers came is not used while a statement runs on
/// it, and is shared for as long as the statement is no longer than others.
pub(crate) struct Lease {
    client: Arc<ClientWrapper>,
    /// There until the drop.
    held: Option<Held>,
    unanswered: AtomicU32,
    is_committing: AtomicBool,
}

pub(super) enum Held {
    Alone(Object<Manager>),
    Shared(SharedRead),
}

impl Held {
    fn pooled(&self) -> &Pooled {
        match self {
            Self::Alone(pooled) => pooled,
            Self::Shared(shared_read) => shared_read.pooled(),
        }
    }
}

impl Lease {
    pub(super) fn new(held: Held) -> Self {
        Self {
            client: held.pooled().client().clone(),
            held: Some(held),
            unanswered: AtomicU32::new(0),
            is_committing: AtomicBool::new(false),
        }
    }

    pub(crate) fn client(&self) -> &ClientWrapper {
        &self.client
    }

    /// Held while a unit of several statements is sent; none where no other user sends any.
    pub(crate) fn sending(&self) -> Option<MutexGuard<'_, ()>> {
        match &self.held {
            Some(Held::Shared(shared_read)) => Some(shared_read.sending()),
            Some(Held::Alone(_)) | None => None,
        }
    }

    /// A statement is about to be sent.
    pub(crate) fn note_question(&self) {
        self.unanswered.fetch_add(1, Ordering::Relaxed);
    }

    /// A commit was sent: from here on, what runs must be let run. One that waits for a standby and is
    /// cancelled counts as committed without it.
    pub(crate) fn note_commit(&self) {
        self.is_committing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn note_answer(&self) {
        self.unanswered.fetch_sub(1, Ordering::Relaxed);
    }

    /// A statement failed: by the server, on the way to it, or for want of an answer in time.
    pub(crate) fn note_failure(&self, failure: &StoreFailure) {
        if !matches!(failure, StoreFailure::TimedOut) {
            self.note_answer();
        }
        if let Some(held) = &self.held {
            held.pooled().lose(failure.lost());
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(held) = self.held.take().filter(|_| *self.unanswered.get_mut() > 0) else { return };
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(settle(held, *self.is_committing.get_mut()))),
            // The program ends, and its connections with it.
            Err(_) => held.pooled().lose(Lost::This),
        }
    }
}

/// Lets a connection that owes answers be used on if the server is soon done, and else keeps all from it, and ends
/// what runs on it. Cancelling comes too late now and then, and would hit the statement of the next user.
async fn settle(held: Held, is_committing: bool) {
    let client = held.pooled().client().clone();
    // Answered when all before it is.
    let mut quiet = pin!(client.batch_execute(""));
    let grace = match &held {
        _ if held.pooled().is_lost() => Duration::ZERO,
        Held::Alone(_) => GRACE,
        // A statement on a shared connection waits for those before it.
        Held::Shared(_) => PATIENCE,
    };
    if timeout(grace, &mut quiet).await.is_ok() {
        return;
    }
    match held {
        Held::Alone(pooled) => end(&Object::take(pooled), is_committing, quiet).await,
        Held::Shared(shared_read) => end_shared(&shared_read).await,
    }
}

async fn end<E>(pooled: &Pooled, is_committing: bool, quiet: impl Future<Output = Result<(), E>>) {
    if is_committing {
        let _ = timeout(COMMIT_WITHIN, quiet).await;
        return;
    }
    let cancelled = async {
        pooled.cancel().await;
        let _ = quiet.await;
    };
    if timeout(CANCEL_WITHIN, cancelled).await.is_err() {
        // A server that does not even end a statement is not there any more.
        pooled.lose(Lost::All);
    }
}

/// Of several who find a shared connection stuck, the first ends what is left on it. A reader whose statement was not
/// slow but came next repeats it elsewhere.
async fn end_shared(shared_read: &SharedRead) {
    shared_read.pooled().lose(Lost::This);
    if shared_read.ends_it() {
        // Whether the server is there at all, those find out who have a connection for themselves.
        let _ = timeout(CANCEL_WITHIN, end_all(shared_read)).await;
    }
}

/// Ends one statement after the other, until no reader is left who might have sent one.
async fn end_all(shared_read: &SharedRead) {
    loop {
        // Readers who left before the question is asked have sent nothing behind it.
        let is_last = !shared_read.has_company();
        let mut quiet = pin!(shared_read.pooled().client().batch_execute(""));
        while timeout(GRACE, &mut quiet).await.is_err() {
            shared_read.pooled().cancel().await;
        }
        if is_last {
            return;
        }
        tokio::time::sleep(GRACE).await;
    }
}
