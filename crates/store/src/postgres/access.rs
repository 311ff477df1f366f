//! The access to the database. Every read and write names its operation, is timed, and is retried after a conflict with
//! another transaction or a lost connection.
//!
//! Work is a closure that returns a scoped future: `|database| put::user(database, &self.id, change).scoped()`,
//! or a block, `move |database| async move { ... }.scoped()`, which captures references and other small
//! values that are copied for every attempt. Async closures do not work here, because the compiler cannot prove that their
//! futures are `Send`.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;

use crate::commands::Lane;
use crate::measure::StoreTimings;
use crate::ports::{Ping, StoreResult};
use crate::postgres::connection::{Connection, Transaction, Unit};
use crate::postgres::error::Outcome;
use crate::postgres::permits::{Admission, ReadPermits, WritePermit, WritePermits, Writer, read_permits};
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::postgres::scoped::Scoped;
use crate::postgres::{raw_rows, retry};
use crate::queue;
use crate::schema::Query;
use crate::schema::rows::CatalogueState;

/// The access to the rows of one tenant, or to the tables that belong to no tenant.
#[derive(Clone)]
pub(crate) struct Access {
    database: Arc<Database>,
    /// Empty for tables that belong to no tenant.
    tenant: Arc<str>,
}

struct Database {
    pool: Pool,
    retry_for: Duration,
    begin_statements: BeginStatements,
    /// Whether the database shows the rows of a tenant only to transactions that name it.
    has_row_security: bool,
    timings: StoreTimings,
    writes: WritePermits,
    /// `None` when short reads do not share connections.
    reads: Option<ReadPermits>,
}

impl Access {
    /// For tables that belong to no tenant.
    pub(crate) fn new(pool: Pool, options: &PostgresOptions, has_row_security: bool, is_split: bool) -> Self {
        let shared = pool.max_shared();
        let database = Database {
            retry_for: options.retry_for(),
            begin_statements: BeginStatements::new(options, is_split),
            has_row_security,
            timings: StoreTimings::default(),
            writes: WritePermits::new(pool.max_alone()),
            reads: (shared > 0).then(|| read_permits(shared, options.connect_timeout())),
            pool,
        };
        Self { database: Arc::new(database), tenant: "".into() }
    }

    pub(crate) fn of(&self, tenant: impl Into<Arc<str>>) -> Self {
        Self { database: self.database.clone(), tenant: tenant.into() }
    }

    /// Pings the server once, on a separate connection.
    pub(crate) async fn ping(&self) -> StoreResult<Ping> {
        let _timer = self.database.timings.start("ping");
        Ok(Ping { takes_writes: self.database.pool.ping().await? })
    }

    pub(crate) fn admit(&self, lane: Lane) -> StoreResult<Admission> {
        Ok(self.database.writes.admit(&self.tenant, lane)?)
    }

    pub(crate) async fn write_permit(&self, writer: Writer) -> StoreResult<WritePermit> {
        Ok(self.database.writes.acquire(&self.tenant, writer).await?)
    }

    /// Reads with one statement, or with several that need not see the same snapshot.
    pub(crate) async fn read<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.with_retries(operation, || self.try_read(work)).await
    }

    /// Like [`Self::read`], with a single fast statement. It shares a connection with other reads where possible. One
    /// statement sees one snapshot, even on a shared connection.
    pub(crate) async fn read_short<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _permit = match &self.database.reads {
            Some(reads) => Some(reads.acquire(queue::Lane::of(self.tenant.clone(), ())).await?),
            None => None,
        };
        let work = &work;
        self.with_retries(operation, || self.try_read_short(work)).await
    }

    /// Reads with several statements on one snapshot of the database.
    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.with_retries(operation, || async move {
            let transaction = self.transaction().await?;
            let beginning =
                transaction.begin(&self.database.begin_statements.snapshot, self.required_tenant());
            let (begun, read) = join(beginning, work(&transaction)).await;
            transaction.check_statements(begun.and(read))
        })
        .await
    }

    /// Opens a snapshot of the tenant's rows, which lives as long as the transaction.
    pub(crate) async fn open_snapshot(&self, operation: &'static str) -> StoreResult<Transaction> {
        self.with_retries(operation, || async move {
            let transaction = self.transaction().await?;
            // PostgreSQL takes the snapshot at the first query, and naming the tenant is one. With Citus, only a query that
            // reaches the tenant's server takes the snapshot there.
            transaction.begin(&self.database.begin_statements.snapshot, Some(&self.tenant)).await?;
            let there = Query::of::<CatalogueState>("row_snapshot", &[]);
            raw_rows::read(&transaction, &self.tenant, &there).await?;
            Ok(transaction)
        })
        .await
    }

    /// Like [`Self::write_now`], for the back office, after waiting for a write permit.
    pub(crate) async fn write<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _admission = self.admit(Lane::BackOffice)?;
        let _permit = self.write_permit(Writer::BackOffice).await?;
        self.write_now(operation, work).await
    }

    /// Writes in one transaction. Returns after the commit. The work may run several times, so it must only change the
    /// database. If the caller stops waiting before the commit is sent, nothing changes. BEGIN and the first statements
    /// take one round trip.
    pub(crate) async fn write_now<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.with_retries(operation, || async move {
            let transaction = self.transaction().await?;
            let beginning = transaction.begin(&self.database.begin_statements.write, self.required_tenant());
            let (begun, done) = join(beginning, work(&transaction)).await;
            transaction.end(begun.and(done)).await
        })
        .await
    }

    /// Times an operation, and retries it after conflicts or a lost connection.
    async fn with_retries<T, A: Future<Output = Outcome<T>>>(
        &self,
        operation: &'static str,
        attempt: impl Fn() -> A,
    ) -> StoreResult<T> {
        let _timer = self.database.timings.start(operation);
        Ok(retry::with_retries(self.database.retry_for, attempt).await?)
    }

    /// One attempt to read. The transaction needs no commit: it is rolled back, and the caller does not wait for that.
    async fn try_read<'e, T>(
        &self,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let Some(tenant) = self.required_tenant() else {
            return work(&self.database.pool.connection().await?).await;
        };
        let transaction = self.transaction().await?;
        let beginning = transaction.begin(&self.database.begin_statements.read, Some(tenant));
        let (begun, read) = join(beginning, work(&transaction)).await;
        begun.and(read)
    }

    /// One attempt to read on a shared connection. Without an open one, or after it was stuck, uses an unshared connection.
    async fn try_read_short<'e, T>(
        &self,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let Database { pool, begin_statements, has_row_security, .. } = &*self.database;
        let unit = || Unit { begin: begin_statements.read.clone(), tenant: self.tenant.clone() };
        if let Some(connection) = pool.shared_connection(has_row_security.then(unit)) {
            match work(&connection).await {
                Err(failure) if failure.may_be_caused_by_others() => {}
                outcome => return outcome,
            }
        }
        let read = self.try_read(work).await?;
        pool.open_shared();
        Ok(read)
    }

    async fn transaction(&self) -> Outcome<Transaction> {
        Ok(Transaction::on(self.database.pool.connection().await?))
    }

    /// The tenant that transactions must name; `None` without row-level security.
    fn required_tenant(&self) -> Option<&str> {
        (self.database.has_row_security && !self.tenant.is_empty()).then_some(&self.tenant)
    }
}

/// The statements that begin transactions. They set the timeouts, because behind a pooler the settings of a connection are not
/// ours.
struct BeginStatements {
    read: Arc<str>,
    snapshot: String,
    write: String,
}

impl BeginStatements {
    /// The idle timeout frees the locks of an instance that is gone. Neither it nor the statement timeout applies while a
    /// commit waits for a standby. Generic plans avoid a new plan for each array length, because planning takes longer than
    /// executing. Citus finds the server of a tenant during planning, so it needs custom plans.
    fn new(options: &PostgresOptions, is_split: bool) -> Self {
        let (statement, idle) = (options.statement_timeout_ms(), options.idle_timeout_ms());
        let limit = format!("SET LOCAL statement_timeout = {statement}");
        let lock = options.lock_timeout_ms;
        let plans = if is_split { "force_custom_plan" } else { "force_generic_plan" };
        Self {
            read: format!("BEGIN READ ONLY; {limit}").into(),
            snapshot: format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {limit}"),
            write: format!(
                "BEGIN; SET LOCAL lock_timeout = {lock}; SET LOCAL statement_timeout = {statement}; \
                 SET LOCAL idle_in_transaction_session_timeout = {idle}; SET LOCAL plan_cache_mode = {plans}"
            ),
        }
    }
}
