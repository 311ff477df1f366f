//! The doors to the database: `read`, `read_snapshot` and `write`. Each names the operation, times it,
//! and replays the work when another transaction or a lost connection stood in its way.
//!
//! Work is a closure that gives a scoped future: `|database| put::user(database, &self.id, change).scoped()`,
//! or a block, `move |database| async move { ... }.scoped()`, which captures references and other small
//! values that are copied for every attempt. The futures of async closures cannot be told to be `Send`
//! where a port needs them to be.

mod tenant;
#[cfg(test)]
mod tests;

use std::time::Duration;

use pointbook_app::StoreResult;
use pointbook_app::store_timings::StoreTimings;

pub(crate) use self::tenant::TenantAccess;
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::pool::{Pool, PostgresOptions};
use crate::retry::Attempts;
use crate::scoped::Scoped;

/// All connections to one database.
pub(crate) struct Access {
    pool: Pool,
    /// See [`PostgresOptions::retry_for_ms`].
    retry_for: Duration,
    /// What begins a transaction that writes.
    begin_write: String,
    timings: StoreTimings,
}

/// Reads of one moment, however many they are.
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl Access {
    pub(crate) fn new(pool: Pool, options: &PostgresOptions) -> Self {
        // In the transaction and not in the connection, which behind a pooler is not ours to set up.
        let begin_write = format!("BEGIN; SET LOCAL lock_timeout = {}", options.lock_timeout_ms);
        let retry_for = Duration::from_millis(options.retry_for_ms);
        Self { pool, retry_for, begin_write, timings: StoreTimings::default() }
    }

    /// Reads by one statement, or by several that need not see the same moment.
    pub(crate) async fn read<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let mut attempts = Attempts::within(self.retry_for);
        loop {
            match self.try_read(&work).await {
                Err(failure) if attempts.go_on_after(&failure).await => {}
                outcome => return Ok(outcome?),
            }
        }
    }

    /// Reads by several statements that see one moment of the database.
    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.transact(operation, BEGIN_SNAPSHOT, work).await
    }

    /// Writes in one transaction, and answers when it is committed. The work may run several times, so
    /// it must have no effect but in the database. A caller who stops waiting before the commit was sent
    /// leaves nothing behind.
    pub(crate) async fn write<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.transact(operation, &self.begin_write, work).await
    }

    async fn transact<'e, T>(
        &self,
        operation: &'static str,
        begin: &str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let mut attempts = Attempts::within(self.retry_for);
        loop {
            match self.try_transact(begin, &work).await {
                Err(failure) if attempts.go_on_after(&failure).await => {}
                outcome => return Ok(outcome?),
            }
        }
    }

    async fn try_read<'e, T>(
        &self,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        work(&self.pool.connection().await?).await
    }

    async fn try_transact<'e, T>(
        &self,
        begin: &str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let transaction = self.pool.connection().await?.begin(begin).await?;
        let done = work(&transaction).await;
        transaction.end(done).await
    }
}
