//! A transaction on a connection.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt;
use futures_util::future::try_join;

use super::Connection;
use crate::postgres::error::{Outcome, StoreFailure};

/// Names the tenant to the policies of the tables, until the end of the transaction.
pub(super) const SET_TENANT: &str = "SELECT set_config('pointbook.tenant', $1, true)";

/// A transaction that is rolled back on drop, unless [`Self::end`] commits it.
pub(crate) struct Transaction {
    connection: Connection,
    /// False after a commit is sent.
    is_open: AtomicBool,
}

impl Transaction {
    pub(crate) fn on(connection: Connection) -> Self {
        connection.has_failed.store(false, Ordering::Relaxed);
        Self { connection, is_open: AtomicBool::new(true) }
    }

    /// Begins a transaction with the statement `sql`, for one tenant or none. Statements that are sent after the first poll
    /// of this future belong to the transaction. Reads need not wait for the response.
    pub(crate) async fn begin(&self, sql: &str, tenant: Option<&str>) -> Outcome<()> {
        let _beginning = self.beginning.lock().await;
        let begun = self.control(sql, || ());
        let Some(tenant) = tenant else { return begun.await };
        try_join(begun, self.row(SET_TENANT, &[&tenant])).await.map(|_| ())
    }

    /// Commits if the work succeeded, else rolls back.
    pub(crate) async fn end<T>(self, work: Outcome<T>) -> Outcome<T> {
        let done = self.check_statements(work)?;
        let is_sent = || {
            // From here on, a caller that stops waiting does not stop the commit.
            self.is_open.store(false, Ordering::Relaxed);
            self.lease.note_commit();
        };
        match self.control("COMMIT", is_sent).await {
            Ok(()) => Ok(done),
            Err(failure) if self.is_open.load(Ordering::Relaxed) => Err(failure),
            Err(failure) => Err(failure.of_commit()),
        }
    }

    /// Returns the result of the work. Fails when a statement failed and the work ignored it, because PostgreSQL then rolls
    /// back without an error at COMMIT.
    pub(crate) fn check_statements<T>(&self, work: Outcome<T>) -> Outcome<T> {
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
            // The first poll sends it before any statement of the connection's next user.
            let _ = self.lease.client().batch_execute("ROLLBACK").now_or_never();
        }
    }
}
