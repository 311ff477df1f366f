//! A transaction on a connection.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt;
use futures_util::future::try_join;

use super::Connection;
use crate::error::{Outcome, StoreFailure};

/// Tells the policies of the tables whose rows the transaction is about, until its end.
pub(super) const SET_TENANT: &str = "SELECT set_config('pointbook.tenant', $1, true)";

/// Rolled back unless [`Self::end`] commits it.
pub(crate) struct Transaction {
    connection: Connection,
    /// Until a commit is sent.
    is_open: AtomicBool,
}

impl Transaction {
    pub(crate) fn on(connection: Connection) -> Self {
        connection.has_failed.store(false, Ordering::Relaxed);
        Self { connection, is_open: AtomicBool::new(true) }
    }

    /// Begins, in the words given, for the rows of one tenant or for none. What is sent after the first poll
    /// of this is inside; what reads need not wait for its answer.
    pub(crate) async fn begin(&self, sql: &str, tenant: Option<&str>) -> Outcome<()> {
        let _beginning = self.beginning.lock().await;
        let begun = self.control(sql, || ());
        let Some(tenant) = tenant else { return begun.await };
        try_join(begun, self.row(SET_TENANT, &[&tenant])).await.map(|_| ())
    }

    /// Commits what the work did if it succeeded, and rolls it back if not.
    pub(crate) async fn end<T>(self, work: Outcome<T>) -> Outcome<T> {
        let done = self.seen(work)?;
        let is_sent = || {
            // A caller who stops waiting from here on does not stop the commit.
            self.is_open.store(false, Ordering::Relaxed);
            self.lease.note_commit();
        };
        match self.control("COMMIT", is_sent).await {
            Ok(()) => Ok(done),
            Err(failure) if self.is_open.load(Ordering::Relaxed) => Err(failure),
            Err(failure) => Err(failure.of_commit()),
        }
    }

    /// What the work came to, unless a statement failed and the work went on: PostgreSQL would roll back, and
    /// answer a commit as if all were well.
    pub(crate) fn seen<T>(&self, work: Outcome<T>) -> Outcome<T> {
        let done = work?;
        if self.has_failed.load(Ordering::Relaxed) { Err(StoreFailure::FailedUnnoticed) } else { Ok(done) }
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
        if *self.is_open.get_mut() {
            // The first poll sends it, before anything that the connection's next user sends.
            let _ = self.lease.client().batch_execute("ROLLBACK").now_or_never();
        }
    }
}
