//! A connection of the pool.

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
use crate::error::{Outcome, StoreFailure};
use crate::pool::Lease;
use crate::value::Value;

/// The values of a statement, in order of their numbers. Their types are those of the columns, to the
/// width: `i64` for BIGINT, `i32` for INTEGER.
pub(crate) type Params<'p> = &'p [&'p (dyn Value + Sync)];

/// A connection of one user, or for a read one that many share. Statements are prepared once on each, or sent
/// with their text each time, where a pooler stands in between.
///
/// Several statements may be under way at once: they are sent in the order in which their futures are first polled,
/// without waiting for answers, and PostgreSQL executes them in that order. Only the first that writes waits until the
/// transaction is known to have begun. Their futures are boxed, since futures of futures are moved on the stack as a
/// whole.
pub(crate) struct Connection {
    lease: Lease,
    sending: Sending,
    unit: Option<Unit>,
    /// Whether a statement failed: a transaction in which one did cannot be committed.
    has_failed: AtomicBool,
    /// Whose turn it is to send. A statement that has to be prepared first is not overtaken meanwhile.
    turn: Mutex<()>,
    /// Held while a transaction begins.
    beginning: Mutex<()>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sending {
    pub(crate) is_prepared: bool,
    pub(crate) answer_within: Option<Duration>,
}

impl Connection {
    pub(crate) fn new(lease: Lease, sending: Sending, unit: Option<Unit>) -> Self {
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
        self.answer(rows.as_mut()).await
    }

    /// Reads the rows of a statement as they come, so that a long page is never in memory twice.
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
        self.answer(all).await
    }

    /// The row that a statement gives, if any. More than one is an error.
    pub(crate) async fn row(&self, sql: &str, params: Params<'_>) -> Outcome<Option<Row>> {
        let mut rows = self.rows(sql, params).await?;
        let row = rows.pop();
        if rows.is_empty() { Ok(row) } else { Err(StoreFailure::SeveralRows) }
    }

    /// Gives how many rows a statement changed.
    pub(crate) async fn execute(&self, sql: &str, params: Params<'_>) -> Outcome<u64> {
        let mut changed = Box::pin(async {
            let mut rows = pin!(self.send(sql, params).await?);
            while rows.try_next().await?.is_some() {}
            Ok(rows.rows_affected().unwrap_or(0))
        });
        self.answer(changed.as_mut()).await
    }

    pub(crate) async fn batch(&self, sql: &str) -> Outcome<()> {
        let done = pin!(async {
            let turn = self.turn.lock().await;
            self.has_begun().await?;
            Ok(sent(turn, pin!(self.lease.client().batch_execute(sql)), || ()).await?)
        });
        self.answer(done).await
    }

    /// Begins or ends a transaction. Tells when it is sent: a caller who stops waiting before that has done nothing.
    async fn control(&self, sql: &str, is_sent: impl FnOnce()) -> Outcome<()> {
        let done = pin!(async {
            let turn = self.turn.lock().await;
            Ok(sent(turn, pin!(self.lease.client().batch_execute(sql)), is_sent).await?)
        });
        self.answer(done).await
    }

    pub(crate) async fn begin(self, sql: &str) -> Outcome<Transaction> {
        let transaction = Transaction::on(self);
        transaction.begin(sql, None).await?;
        Ok(transaction)
    }

    /// Sends a statement when those before it are sent, and gives its rows as they come.
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

    /// Waits until the transaction has begun. Sent behind a beginning that fails, what writes would be
    /// committed by itself.
    async fn has_begun(&self) -> Outcome<()> {
        let _answered = self.beginning.lock().await;
        if self.has_failed.load(Ordering::Relaxed) { Err(StoreFailure::FailedUnnoticed) } else { Ok(()) }
    }

    /// Waits for an answer, and notes what it says about the connection.
    async fn answer<T>(&self, answer: impl Future<Output = Outcome<T>>) -> Outcome<T> {
        self.lease.note_question();
        let outcome = match self.sending.answer_within {
            Some(limit) => tokio::time::timeout(limit, answer).await.unwrap_or(Err(StoreFailure::TimedOut)),
            None => answer.await,
        };
        match &outcome {
            Ok(_) => self.lease.note_answer(),
            Err(failure) => {
                self.has_failed.store(true, Ordering::Relaxed);
                self.lease.note_failure(failure);
            }
        }
        outcome
    }
}

/// Whether a statement leaves nothing behind. None of ours writes within a WITH.
fn only_reads(sql: &str) -> bool {
    sql.starts_with("SELECT") || sql.starts_with("WITH")
}

/// Tells when a statement is sent, which its first poll does, and lets the next one be sent then.
async fn sent<T>(
    turn: MutexGuard<'_, ()>,
    mut statement: Pin<&mut impl Future<Output = T>>,
    is_sent: impl FnOnce(),
) -> T {
    let first = poll_fn(|context| Poll::Ready(statement.as_mut().poll(context))).await;
    is_sent();
    drop(turn);
    match first {
        Poll::Ready(answer) => answer,
        Poll::Pending => statement.await,
    }
}
