//! A transaction on a connection.

use std::ops::Deref;
use std::sync::atomic::Ordering;

use futures_util::FutureExt;
use futures_util::future::try_join;

use super::Connection;
use crate::error::{Outcome, StoreFailure};

/// Tells the policies of the tables whose rows the transaction is about, until its end.
const SET_TENANT: &str = "SELECT set_config('pointbook.tenant', $1, true)";

/// A transaction, on a connection of its own. Rolled back unless [`Self::end`] commits it.
pub(crate) struct Transaction {
    connection: Connection,
    is_open: bool,
}

impl Transaction {
    /// A transaction that is still to begin.
    pub(crate) fn on(connection: Connection) -> Self {
        connection.has_failed.store(false, Ordering::Relaxed);
        Self { connection, is_open: true }
    }

    /// Begins, in the words given, for the rows of one tenant or for none. What is sent after the first poll
    /// of this is inside; what reads need not wait for its answer.
    pub(crate) async fn begin(&self, sql: &str, tenant: Option<&str>) -> Outcome<()> {
        let _beginning = self.beginning.lock().await;
        let begun = self.batch(sql);
        let Some(tenant) = tenant else { return begun.await };
        try_join(begun, self.row(SET_TENANT, &[&tenant])).await.map(|_| ())
    }

    /// Commits what the work did if it succeeded, and rolls it back if not.
    pub(crate) async fn end<T>(mut self, work: Outcome<T>) -> Outcome<T> {
        let done = work?;
        if self.has_failed.load(Ordering::Relaxed) {
            // PostgreSQL would roll back, and answer the commit as if all were well.
            return Err(StoreFailure::FailedUnnoticed);
        }
        // Whoever stops waiting from here on does not stop the commit.
        self.is_open = false;
        match self.batch("COMMIT").await {
            Ok(()) => Ok(done),
            Err(failure) => Err(StoreFailure::of_commit(failure)),
        }
    }
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.is_open {
            // The first poll sends it, before anything that the connection's next user sends. Nobody
            // needs the answer.
            let _ = self.lease.client().batch_execute("ROLLBACK").now_or_never();
        }
    }
}
