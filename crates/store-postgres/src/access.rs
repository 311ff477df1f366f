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

use futures_util::future::join;
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
    /// Whether the database shows rows of a tenant only to a transaction that names it.
    has_row_security: bool,
    timings: StoreTimings,
}

/// Reads that need not see the same moment.
const BEGIN_READ: &str = "BEGIN READ ONLY";

/// Reads of one moment, however many they are.
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl Access {
    pub(crate) fn new(pool: Pool, options: &PostgresOptions, has_row_security: bool) -> Self {
        let retry_for = Duration::from_millis(options.retry_for_ms);
        Self {
            pool,
            retry_for,
            begin_write: begin_write(options),
            has_row_security,
            timings: StoreTimings::default(),
        }
    }

    /// Reads by one statement, or by several that need not see the same moment. Like the others, for one
    /// tenant, or for none where the tables are nobody's.
    pub(crate) async fn read<'e, T>(
        &self,
        tenant: Option<&str>,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let mut attempts = Attempts::within(self.retry_for);
        loop {
            match self.try_read(tenant, &work).await {
                Err(failure) if attempts.go_on_after(&failure).await => {}
                outcome => return Ok(outcome?),
            }
        }
    }

    /// Reads by several statements that see one moment of the database.
    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        tenant: Option<&str>,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.transact(tenant, operation, BEGIN_SNAPSHOT, work).await
    }

    /// Writes in one transaction, and answers when it is committed. The work may run several times, so
    /// it must have no effect but in the database. A caller who stops waiting before the commit was sent
    /// leaves nothing behind.
    pub(crate) async fn write<'e, T>(
        &self,
        tenant: Option<&str>,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.transact(tenant, operation, &self.begin_write, work).await
    }

    async fn transact<'e, T>(
        &self,
        tenant: Option<&str>,
        operation: &'static str,
        begin: &str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let mut attempts = Attempts::within(self.retry_for);
        loop {
            match self.try_transact(tenant, begin, &work).await {
                Err(failure) if attempts.go_on_after(&failure).await => {}
                outcome => return Ok(outcome?),
            }
        }
    }

    /// A transaction that only reads needs no commit: it is rolled back, and nobody waits for that.
    async fn try_read<'e, T>(
        &self,
        tenant: Option<&str>,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let connection = self.pool.connection().await?;
        let Some(tenant) = self.named(tenant) else { return work(&connection).await };
        let transaction = Transaction::on(connection);
        let (begun, read) = join(transaction.begin(BEGIN_READ, Some(tenant)), work(&transaction)).await;
        begun.and(read)
    }

    /// The first statements of the work are sent right after the beginning, in one round trip.
    async fn try_transact<'e, T>(
        &self,
        tenant: Option<&str>,
        begin: &str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let transaction = Transaction::on(self.pool.connection().await?);
        let beginning = transaction.begin(begin, self.named(tenant));
        let (is_begun, done) = join(beginning, work(&transaction)).await;
        transaction.end(is_begun.and(done)).await
    }

    /// The tenant that transactions have to name, if any.
    fn named<'t>(&self, tenant: Option<&'t str>) -> Option<&'t str> {
        tenant.filter(|_| self.has_row_security)
    }
}

/// The limits stand in the transaction and not in the connection, which behind a pooler is not ours to set
/// up. The third frees what an instance held that is not there any more. Statements over arrays would be
/// planned anew each time, for the length of their arrays, and planning costs more than executing them.
fn begin_write(options: &PostgresOptions) -> String {
    let (lock, answer) = (options.lock_timeout_ms, options.operation_timeout_ms);
    format!(
        "BEGIN; SET LOCAL lock_timeout = {lock}; SET LOCAL statement_timeout = {answer}; \
         SET LOCAL idle_in_transaction_session_timeout = {answer}; SET LOCAL plan_cache_mode = force_generic_plan"
    )
}
