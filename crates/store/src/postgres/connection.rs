//! Sends statements on a connection of the pool.

#[cfg(test)]
mod tests;
mod transaction;
mod unit;

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::TryStreamExt;
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, RowStream};

pub(crate) use self::transaction::Transaction;
pub(crate) use self::unit::Unit;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::pool::Lease;
use crate::postgres::value::Value;

/// The parameters of a statement, in the order of their numbers. Each type must match its column exactly: `i64` for BIGINT,
/// `i32` for INTEGER.
pub(crate) type Params<'p> = &'p [&'p (dyn Value + Sync)];

/// A connection with one user, or one that several reads share. It prepares each statement once. With a pooler, it sends the
/// SQL each time instead.
///
/// Several statements may run concurrently. The connection sends them in the order in which their futures are first polled,
/// without waiting for responses, and PostgreSQL executes them in that order. Only a statement that writes waits until the
/// transaction has begun. The futures are boxed, because nested futures are large and would be moved on the stack.
pub(crate) struct Connection {
    lease: Lease,
    sending: SendOptions,
    unit: Option<Unit>,
    /// Whether a statement failed. Then the transaction cannot be committed.
    has_failed: AtomicBool,
    /// Locked while a statement is prepared and sent, so that no other one overtakes it.
    turn: Mutex<()>,
    /// Locked while a transaction begins.
    beginning: Mutex<()>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct SendOptions {
    pub(crate) is_prepared: bool,
    pub(crate) response_timeout: Option<Duration>,
}

impl Connection {
    pub(crate) fn new(lease: Lease, sending: SendOptions, unit: Option<Unit>) -> Self {
        Self {
            lease,
            sending,
            unit,
            has_failed: AtomicBool::new(false),
            turn: Mutex::new(()),
            beginning: Mutex::new(()),
        }
    }

    pub(crate) async fn rows(&self, sql: &str, params: Params<'_>) -> Outcome<Vec<Row>> {
        let mut rows = Box::pin(async { Ok(self.send(sql, params).await?.try_collect().await?) });
        self.wait_for(rows.as_mut()).await
    }

    /// Reads the rows of a statement one by one, so that a long page is not in memory twice.
    pub(crate) async fn each_row(
        &self,
        sql: &str,
        params: Params<'_>,
        mut read: impl FnMut(&Row) -> Outcome<()>,
    ) -> Outcome<()> {
        let all = pin!(async {
            let mut rows = pin!(self.send(sql, params).await?);
            while let Some(row) = rows.try_next().await? {
                read(&row)?;
            }
            Ok(())
        });
        self.wait_for(all).await
    }

    /// The row that a statement returns, if any. More than one row is an error.
    pub(crate) async fn row(&self, sql: &str, params: Params<'_>) -> Outcome<Option<Row>> {
        let mut rows = self.rows(sql, params).await?;
        let row = rows.pop();
        if rows.is_empty() { Ok(row) } else { Err(StoreFailure::SeveralRows) }
    }

    /// Returns the number of rows that a statement changed.
    pub(crate) async fn execute(&self, sql: &str, params: Params<'_>) -> Outcome<u64> {
        let mut changed = Box::pin(async {
            let mut rows = pin!(self.send(sql, params).await?);
            while rows.try_next().await?.is_some() {}
            Ok(rows.rows_affected().unwrap_or(0))
        });
        self.wait_for(changed.as_mut()).await
    }

    pub(crate) async fn batch(&self, sql: &str) -> Outcome<()> {
        let done = pin!(async {
            let turn = self.turn.lock().await;
            self.has_begun().await?;
            Ok(sent(turn, pin!(self.lease.client().batch_execute(sql)), || ()).await?)
        });
        self.wait_for(done).await
    }

    /// Begins or ends a transaction. Calls `is_sent` when the statement is sent. A caller that stops waiting before that
    /// has no effect.
    async fn control(&self, sql: &str, is_sent: impl FnOnce()) -> Outcome<()> {
        let done = pin!(async {
            let turn = self.turn.lock().await;
            Ok(sent(turn, pin!(self.lease.client().batch_execute(sql)), is_sent).await?)
        });
        self.wait_for(done).await
    }

    pub(crate) async fn begin(self, sql: &str) -> Outcome<Transaction> {
        let transaction = Transaction::on(self);
        transaction.begin(sql, None).await?;
        Ok(transaction)
    }

    /// Sends a statement after the earlier ones. Returns a stream of its rows.
    async fn send(&self, sql: &str, params: Params<'_>) -> Outcome<RowStream> {
        if let Some(unit) = &self.unit {
            return self.send_unit(unit, sql, params).await;
        }
        let (client, turn) = (self.lease.client(), self.turn.lock().await);
        if !only_reads(sql) {
            self.has_begun().await?;
        }
        if self.sending.is_prepared {
            let statement = client.prepare_cached(sql).await?;
            let values = params.iter().map(|&value| value as &(dyn ToSql + Sync));
            return Ok(sent(turn, pin!(client.query_raw(&statement, values)), || ()).await?);
        }
        let values = params.iter().map(|&value| (value as &(dyn ToSql + Sync), value.kind()));
        Ok(sent(turn, pin!(client.query_typed_raw(sql, values)), || ()).await?)
    }

    /// Waits until the transaction has begun. If BEGIN failed, PostgreSQL would commit a write outside of a transaction.
    async fn has_begun(&self) -> Outcome<()> {
        let _begun = self.beginning.lock().await;
        if self.has_failed.load(Ordering::Relaxed) { Err(StoreFailure::FailedUnnoticed) } else { Ok(()) }
    }

    /// Waits for a response, up to the timeout. Records a failure of the connection.
    async fn wait_for<T>(&self, response: impl Future<Output = Outcome<T>>) -> Outcome<T> {
        self.lease.note_sent();
        let outcome = match self.sending.response_timeout {
            Some(limit) => tokio::time::timeout(limit, response).await.unwrap_or(Err(StoreFailure::TimedOut)),
            None => response.await,
        };
        match &outcome {
            Ok(_) => self.lease.note_response(),
            Err(failure) => {
                self.has_failed.store(true, Ordering::Relaxed);
                self.lease.note_failure(failure);
            }
        }
        outcome
    }
}

/// Whether a statement only reads. No statement of the store writes within a WITH.
fn only_reads(sql: &str) -> bool {
    sql.starts_with("SELECT") || sql.starts_with("WITH")
}

/// Sends a statement with its first poll. Then calls `is_sent`, lets the next statement be sent, and waits for the response.
async fn sent<T>(
    turn: MutexGuard<'_, ()>,
    mut statement: Pin<&mut impl Future<Output = T>>,
    is_sent: impl FnOnce(),
) -> T {
    let first = poll_fn(|context| Poll::Ready(statement.as_mut().poll(context))).await;
    is_sent();
    drop(turn);
    match first {
        Poll::Ready(response) => response,
        Poll::Pending => statement.await,
    }
}
