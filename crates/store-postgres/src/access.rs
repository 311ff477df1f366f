//! The doors to the database: `read`, `read_snapshot` and `write`. Each names the operation, times it,
//! and replays the work when another transaction or a lost connection stood in its way.
//!
//! Work is a closure that gives a scoped future: `|database| put::user(database, &self.id, change).scoped()`,
//! or a block, `move |database| async move { ... }.scoped()`, which captures references and other small
//! values that are copied for every attempt. The futures of async closures cannot be told to be `Send`
//! where a port needs them to be.

mod snapshot;
mod tenant;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;
use pointbook_app::StoreResult;
use pointbook_app::ports::Ping;
use pointbook_app::store_timings::StoreTimings;

pub(crate) use self::tenant::TenantAccess;
use crate::connection::{Connection, Transaction, Unit};
use crate::error::Outcome;
use crate::pool::{Pool, PostgresOptions};
use crate::retry::Attempts;
use crate::scoped::Scoped;

/// All connections to one database.
pub(crate) struct Access {
    pool: Pool,
    /// See [`PostgresOptions::retry_for_ms`].
    retry_for: Duration,
    /// What begins transactions.
    beginnings: Beginnings,
    /// Whether the database shows rows of a tenant only to a transaction that names it.
    has_row_security: bool,
    timings: StoreTimings,
}

impl Access {
    pub(crate) fn new(pool: Pool, options: &PostgresOptions, has_row_security: bool) -> Self {
        let retry_for = Duration::from_millis(options.retry_for_ms);
        Self {
            pool,
            retry_for,
            beginnings: Beginnings::new(options),
            has_row_security,
            timings: StoreTimings::default(),
        }
    }

    /// Whether the server responds, asked on a connection of its own, and once.
    pub(crate) async fn ping(&self) -> StoreResult<Ping> {
        let _timer = self.timings.start("ping");
        Ok(Ping { takes_writes: self.pool.ping().await? })
    }

    /// Reads by one statement, or by several that need not see the same moment. Like the others, for one
    /// tenant, or for none where the tables are nobody's.
    pub(crate) async fn read<'e, T>(
        &self,
        tenant: Option<&str>,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.insist(operation, || self.try_read(tenant, work)).await
    }

    /// As [`Self::read`], by a single statement that takes little time: it sees one moment whatever others do on the
    /// same connection, and shares one with them where that may be.
    pub(crate) async fn read_short<'e, T>(
        &self,
        tenant: &Arc<str>,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.insist(operation, || self.try_read_short(tenant, work)).await
    }

    /// Reads by several statements that see one moment of the database.
    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        tenant: Option<&str>,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.insist(operation, || self.try_read_snapshot(tenant, work)).await
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
        let work = &work;
        self.insist(operation, || self.try_write(tenant, work)).await
    }

    /// Times an operation, and attempts it until it ends in something else than a moment's trouble.
    async fn insist<T, A: Future<Output = Outcome<T>>>(
        &self,
        operation: &'static str,
        attempt: impl Fn() -> A,
    ) -> StoreResult<T> {
        let _timer = self.timings.start(operation);
        let mut attempts = Attempts::within(self.retry_for);
        loop {
            match attempt().await {
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
        let beginning = transaction.begin(&self.beginnings.read, Some(tenant));
        let (begun, read) = join(beginning, work(&transaction)).await;
        begun.and(read)
    }

    /// Over a shared connection. While none is open, and when it was stuck, the read has one for itself.
    async fn try_read_short<'e, T>(
        &self,
        tenant: &Arc<str>,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let begin = || Unit { begin: self.beginnings.read.clone(), tenant: tenant.clone() };
        if let Some(connection) = self.pool.shared_connection(self.has_row_security.then(begin)) {
            match work(&connection).await {
                Err(failure) if failure.is_of_others() => {}
                outcome => return outcome,
            }
        }
        let read = self.try_read(Some(tenant), work).await?;
        self.pool.open_shared();
        Ok(read)
    }

    /// As [`Self::try_read`], of one moment.
    async fn try_read_snapshot<'e, T>(
        &self,
        tenant: Option<&str>,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let transaction = Transaction::on(self.pool.connection().await?);
        let beginning = transaction.begin(&self.beginnings.snapshot, self.named(tenant));
        let (begun, read) = join(beginning, work(&transaction)).await;
        transaction.seen(begun.and(read))
    }

    /// The first statements of the work are sent right after the beginning, in one round trip.
    async fn try_write<'e, T>(
        &self,
        tenant: Option<&str>,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let transaction = Transaction::on(self.pool.connection().await?);
        let beginning = transaction.begin(&self.beginnings.write, self.named(tenant));
        let (is_begun, done) = join(beginning, work(&transaction)).await;
        transaction.end(is_begun.and(done)).await
    }

    /// The tenant that transactions have to name, if any.
    fn named<'t>(&self, tenant: Option<&'t str>) -> Option<&'t str> {
        tenant.filter(|_| self.has_row_security)
    }
}

/// What begins transactions. The limits stand in them and not in the connection, which behind a pooler is
/// not ours to set up.
struct Beginnings {
    /// Reads that need not see the same moment.
    read: Arc<str>,
    /// Reads of one moment, however many they are.
    snapshot: String,
    write: String,
}

impl Beginnings {
    /// The last limit frees what an instance held that is not there any more. It does not hold while a commit
    /// waits for a standby, and neither does that of statements. Statements over arrays would be planned anew
    /// each time, for the length of their arrays, and planning costs more than executing them.
    fn new(options: &PostgresOptions) -> Self {
        let (statement, idle) = (options.statement_timeout_ms(), options.idle_timeout_ms());
        let limit = format!("SET LOCAL statement_timeout = {statement}");
        let lock = options.lock_timeout_ms;
        Self {
            read: format!("BEGIN READ ONLY; {limit}").into(),
            snapshot: format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {limit}"),
            write: format!(
                "BEGIN; SET LOCAL lock_timeout = {lock}; SET LOCAL statement_timeout = {statement}; \
                 SET LOCAL idle_in_transaction_session_timeout = {idle}; SET LOCAL plan_cache_mode = force_generic_plan"
            ),
        }
    }
}
