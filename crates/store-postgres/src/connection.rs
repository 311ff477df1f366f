//! A connection of the pool, and a transaction on one.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use deadpool_postgres::Object;
use futures_util::FutureExt;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, Statement};

use crate::error::{Outcome, StoreFailure};

/// The values of a statement, in order of their numbers. Their types are those of the columns, to the
/// width: `i64` for BIGINT, `i32` for INTEGER.
pub(crate) type Params<'p> = &'p [&'p (dyn ToSql + Sync)];

/// A connection that nobody else uses. Statements are prepared once on each.
pub(crate) struct Connection {
    /// Back in the pool when dropped.
    client: Object,
    /// Whether a statement failed: a transaction in which one did cannot be committed.
    has_failed: AtomicBool,
}

impl Connection {
    pub(crate) fn new(client: Object) -> Self {
        Self { client, has_failed: AtomicBool::new(false) }
    }

    /// All rows that a statement gives.
    pub(crate) async fn rows(&self, sql: &str, params: Params<'_>) -> Outcome<Vec<Row>> {
        let statement = self.prepared(sql).await?;
        self.noted(self.client.query(&statement, params).await)
    }

    /// The row that a statement gives, if any. More than one is an error.
    pub(crate) async fn row(&self, sql: &str, params: Params<'_>) -> Outcome<Option<Row>> {
        let statement = self.prepared(sql).await?;
        self.noted(self.client.query_opt(&statement, params).await)
    }

    /// Runs a statement, and gives how many rows it changed.
    pub(crate) async fn execute(&self, sql: &str, params: Params<'_>) -> Outcome<u64> {
        let statement = self.prepared(sql).await?;
        self.noted(self.client.execute(&statement, params).await)
    }

    /// Runs statements without values.
    pub(crate) async fn batch(&self, sql: &str) -> Outcome<()> {
        self.noted(self.client.batch_execute(sql).await)
    }

    /// Begins a transaction, in the words given.
    pub(crate) async fn begin(self, sql: &str) -> Outcome<Transaction> {
        self.has_failed.store(false, Ordering::Relaxed);
        let transaction = Transaction { connection: self, is_open: true };
        transaction.batch(sql).await?;
        Ok(transaction)
    }

    async fn prepared(&self, sql: &str) -> Outcome<Statement> {
        self.noted(self.client.prepare_cached(sql).await)
    }

    fn noted<T>(&self, result: Result<T, Error>) -> Outcome<T> {
        result.map_err(|error| {
            self.has_failed.store(true, Ordering::Relaxed);
            StoreFailure::Postgres(error)
        })
    }
}

/// A transaction, on a connection of its own. Rolled back unless [`Self::end`] commits it.
pub(crate) struct Transaction {
    connection: Connection,
    is_open: bool,
}

impl Transaction {
    /// Commits what the work did if it succeeded, and rolls it back if not.
    pub(crate) async fn end<T>(mut self, work: Outcome<T>) -> Outcome<T> {
        let done = work?;
        if self.has_failed.load(Ordering::Relaxed) {
            // PostgreSQL would roll back, and answer the commit as if all were well.
            return Err(StoreFailure::FailedUnnoticed);
        }
        // Whoever stops waiting from here on does not stop the commit.
        self.is_open = false;
        match self.client.batch_execute("COMMIT").await {
            Ok(()) => Ok(done),
            Err(error) => Err(StoreFailure::of_commit(error)),
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
            let _ = self.client.batch_execute("ROLLBACK").now_or_never();
        }
    }
}
