//! Connections whose users left while the server was still at work for them.

use std::pin::pin;
use std::time::Duration;

use deadpool::managed::Object;

use super::manager::{Manager, Pooled};
use crate::error::Lost;

/// Most statements end by themselves within this time, and their connection is as good as before.
const GRACE: Duration = Duration::from_millis(50);

/// For how long a server that was told to cancel a statement may take to end it.
const CANCEL_WITHIN: Duration = Duration::from_secs(2);

/// For how long a commit is waited for that nobody hears of.
const COMMIT_WITHIN: Duration = Duration::from_mins(1);

/// A connection that owes answers which nobody waits for.
pub(super) struct Abandoned {
    pooled: Object<Manager>,
    is_committing: bool,
}

impl Abandoned {
    pub(super) fn new(pooled: Object<Manager>, is_committing: bool) -> Self {
        Self { pooled, is_committing }
    }

    /// Gives the connection back if the server is soon done, and else takes it out of the pool and ends what
    /// runs on it. Cancelling comes too late now and then, and would hit the statement of the next user.
    pub(super) async fn settle(self) {
        let client = self.pooled.client().clone();
        // Answered when all before it is.
        let mut quiet = pin!(client.batch_execute(""));
        let grace = if self.pooled.is_lost() { Duration::ZERO } else { GRACE };
        if tokio::time::timeout(grace, &mut quiet).await.is_ok() {
            return;
        }
        let pooled = Object::take(self.pooled);
        if self.is_committing {
            let _ = tokio::time::timeout(COMMIT_WITHIN, quiet).await;
        } else if tokio::time::timeout(CANCEL_WITHIN, cancelled(&pooled, quiet)).await.is_err() {
            // A server that does not even end a statement is not there any more.
            pooled.lose(Lost::All);
        }
    }
}

/// Ends when the server has ended what it was doing, or the connection is gone.
async fn cancelled<E>(pooled: &Pooled, quiet: impl Future<Output = Result<(), E>>) {
    pooled.cancel().await;
    let _ = quiet.await;
}
