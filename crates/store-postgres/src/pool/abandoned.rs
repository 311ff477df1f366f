//! Connections whose users left while the server was still at work for them.

use std::pin::pin;
use std::time::Duration;

use deadpool::managed::Object;

use super::lease::Held;
use super::manager::Pooled;
use super::shared::{PATIENCE, SharedRead};
use crate::error::Lost;

/// Most statements end by themselves within this time, and their connection is as good as before.
const GRACE: Duration = Duration::from_millis(50);

/// For how long a server that was told to cancel a statement may take to end it.
const CANCEL_WITHIN: Duration = Duration::from_secs(2);

/// For how long a commit is waited for that nobody hears of.
const COMMIT_WITHIN: Duration = Duration::from_mins(1);

/// A connection that owes answers which nobody waits for.
pub(super) struct Abandoned {
    held: Held,
    is_committing: bool,
}

impl Abandoned {
    pub(super) fn new(held: Held, is_committing: bool) -> Self {
        Self { held, is_committing }
    }

    /// Lets the connection be used on if the server is soon done, and else sees to it that nobody does, and ends
    /// what runs on it. Cancelling comes too late now and then, and would hit the statement of the next user.
    pub(super) async fn settle(self) {
        let client = self.held.pooled().client().clone();
        // Answered when all before it is.
        let mut quiet = pin!(client.batch_execute(""));
        let grace = if self.held.pooled().is_lost() { Duration::ZERO } else { self.held.grace() };
        if tokio::time::timeout(grace, &mut quiet).await.is_ok() {
            return;
        }
        match self.held {
            Held::Alone(pooled) => end(&Object::take(pooled), self.is_committing, quiet).await,
            Held::Shared(shared_read) => end_shared(&shared_read).await,
        }
    }
}

impl Held {
    /// A statement on a shared connection waits for those before it.
    fn grace(&self) -> Duration {
        match self {
            Self::Alone(_) => GRACE,
            Self::Shared(_) => PATIENCE,
        }
    }
}

async fn end<E>(pooled: &Pooled, is_committing: bool, quiet: impl Future<Output = Result<(), E>>) {
    if is_committing {
        let _ = tokio::time::timeout(COMMIT_WITHIN, quiet).await;
    } else if tokio::time::timeout(CANCEL_WITHIN, cancelled(pooled, quiet)).await.is_err() {
        // A server that does not even end a statement is not there any more.
        pooled.lose(Lost::All);
    }
}

/// Ends when the server has ended what it was doing, or the connection is gone.
async fn cancelled<E>(pooled: &Pooled, quiet: impl Future<Output = Result<(), E>>) {
    pooled.cancel().await;
    let _ = quiet.await;
}

/// Of several who find a shared connection stuck, the first ends what is left on it. Whose statement was no slow one,
/// but came next, does it again elsewhere.
async fn end_shared(shared_read: &SharedRead) {
    shared_read.pooled().lose(Lost::This);
    if shared_read.ends_it() {
        // Whether the server is there at all, those find out who have a connection for themselves.
        let _ = tokio::time::timeout(CANCEL_WITHIN, end_all(shared_read)).await;
    }
}

/// Ends one statement after the other, until nobody is left who might have sent one.
async fn end_all(shared_read: &SharedRead) {
    loop {
        // Whoever left before the question is asked has sent nothing behind it.
        let is_last = !shared_read.has_company();
        let mut quiet = pin!(shared_read.pooled().client().batch_execute(""));
        loop {
            shared_read.pooled().cancel().await;
            if tokio::time::timeout(GRACE, &mut quiet).await.is_ok() {
                break;
            }
        }
        if is_last {
            return;
        }
        tokio::time::sleep(GRACE).await;
    }
}
