//! The doors to the database: reads and writes. Each names the operation, times it, and repeats the work when another
//! transaction or a lost connection stopped it.
//!
//! Work is a closure that gives a scoped future: `|database| put::user(database, &self.id, change).scoped()`,
//! or a block, `move |database| async move { ... }.scoped()`, which captures references and other small
//! values that are copied for every attempt. The compiler cannot prove that futures of async closures are `Send`
//! where a port needs them to be.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;
use pointbook_app::StoreResult;
use pointbook_app::commands::Lane;
use pointbook_app::ports::Ping;
use pointbook_measure::StoreTimings;
use pointbook_queue as queue;

use crate::connection::{Connection, Transaction, Unit};
use crate::error::Outcome;
use crate::permits::{Admission, ReadPermits, WritePermit, WritePermits, Writer, read_permits};
use crate::pool::{Pool, PostgresOptions};
use crate::retry;
use crate::scoped::Scoped;

/// The doors to the rows of one tenant, or to the tables that belong to no tenant.
#[derive(Clone)]
pub(crate) struct Access {
    database: Arc<Database>,
    /// Empty for none.
    tenant: Arc<str>,
}

struct Database {
    pool: Pool,
    retry_for: Duration,
    beginnings: Beginnings,
    /// Whether the database shows rows of a tenant only to a transaction that names it.
    has_row_security: bool,
    timings: StoreTimings,
    writes: WritePermits,
    /// None where short reads share no connections.
    reads: Option<ReadPermits>,
}

impl Access {
    /// For tables that belong to no tenant.
    pub(crate) fn new(pool: Pool, options: &PostgresOptions, has_row_security: bool, is_split: bool) -> Self {
        let shared = pool.max_shared();
        let database = Database {
            retry_for: options.retry_for(),
            beginnings: Beginnings::new(options, is_split),
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

    /// Whether the server responds, asked on a connection of its own, and once.
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

    /// Reads by one statement, or by several that need not see the same moment.
    pub(crate) async fn read<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.insist(operation, || self.try_read(work)).await
    }

    /// As [`Self::read`], by a single statement that takes little time: it sees one moment whatever others do on the
    /// same connection, and shares one with them where that is possible.
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
        self.insist(operation, || self.try_read_short(work)).await
    }

    /// Reads by several statements that see one moment of the database.
    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.insist(operation, || async move {
            let transaction = self.transaction().await?;
            let beginning = transaction.begin(&self.database.beginnings.snapshot, self.named());
            let (begun, read) = join(beginning, work(&transaction)).await;
            transaction.seen(begun.and(read))
        })
        .await
    }

    /// A transaction that reads the rows of the tenant as they are now, for as long as it is held.
    pub(crate) async fn open_snapshot(&self, operation: &'static str) -> StoreResult<Transaction> {
        self.insist(operation, || async move {
            let transaction = self.transaction().await?;
            // The first query fixes what is seen, and naming the tenant is one, needed or not. Where Citus has the
            // tenant on another server, only a query that goes there fixes what is seen there.
            transaction.begin(&self.database.beginnings.snapshot, Some(&self.tenant)).await?;
            let there = "SELECT version FROM catalogue_versions WHERE tenant_id = $1";
            transaction.rows(there, &[&&*self.tenant]).await?;
            Ok(transaction)
        })
        .await
    }

    /// As [`Self::write_now`], for the back office, when it has its turn.
    pub(crate) async fn write<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _admission = self.admit(Lane::BackOffice)?;
        let _permit = self.write_permit(Writer::BackOffice).await?;
        self.write_now(operation, work).await
    }

    /// Writes in one transaction, and answers when it is committed. The work may run several times, so
    /// it must have no effect but in the database. A caller who stops waiting before the commit was sent
    /// leaves nothing behind. The first statements are sent right after the beginning, in one round trip.
    pub(crate) async fn write_now<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let work = &work;
        self.insist(operation, || async move {
            let transaction = self.transaction().await?;
            let beginning = transaction.begin(&self.database.beginnings.write, self.named());
            let (begun, done) = join(beginning, work(&transaction)).await;
            transaction.end(begun.and(done)).await
        })
        .await
    }

    /// Times an operation, and repeats it while other transactions or a lost connection stop it.
    async fn insist<T, A: Future<Output = Outcome<T>>>(
        &self,
        operation: &'static str,
        attempt: impl Fn() -> A,
    ) -> StoreResult<T> {
        let _timer = self.database.timings.start(operation);
        Ok(retry::insist(self.database.retry_for, attempt).await?)
    }

    /// A transaction that only reads needs no commit: it is rolled back, and no caller waits for that.
    async fn try_read<'e, T>(
        &self,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let Some(tenant) = self.named() else { return work(&self.database.pool.connection().await?).await };
        let transaction = self.transaction().await?;
        let beginning = transaction.begin(&self.database.beginnings.read, Some(tenant));
        let (begun, read) = join(beginning, work(&transaction)).await;
        begun.and(read)
    }

    /// Over a shared connection. While none is open, and when it was stuck, the read has one for itself.
    async fn try_read_short<'e, T>(
        &self,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> Outcome<T> {
        let Database { pool, beginnings, has_row_security, .. } = &*self.database;
        let unit = || Unit { begin: beginnings.read.clone(), tenant: self.tenant.clone() };
        if let Some(connection) = pool.shared_connection(has_row_security.then(unit)) {
            match work(&connection).await {
                Err(failure) if failure.is_of_others() => {}
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

    /// The tenant that transactions have to name, if any.
    fn named(&self) -> Option<&str> {
        (self.database.has_row_security && !self.tenant.is_empty()).then_some(&self.tenant)
    }
}

/// What begins transactions. The limits stand in them and not in the connection, which behind a pooler is
/// not ours to set up.
struct Beginnings {
    read: Arc<str>,
    snapshot: String,
    write: String,
}

impl Beginnings {
    /// The last limit frees what an instance held that is not there any more. It does not hold while a commit
    /// waits for a standby, and neither does that of statements. Statements over arrays would be planned anew
    /// each time, for the length of their arrays, and planning costs more than executing them. Citus finds
    /// the server of a tenant while it plans, so there every plan is made with the values.
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
