//! Tests of reads that share connections.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use pointbook_testkit::postgres::{PostgresDatabase, empty_database};

use super::*;
use crate::postgres::pool::READS_ON_A_CONNECTION;

/// Runs longer than any timeout of these tests.
const SILENCE: &str = "SELECT pg_sleep(3600)::text";
/// The process id of the server's connection.
const PROCESS: &str = "SELECT pg_backend_pid()::text";
/// Fails when it is executed.
const FAILING: &str = "SELECT (1 / (SELECT 0))::text";
/// The tenant that the transaction names.
const TENANT: &str = "SELECT coalesce(nullif(current_setting('pointbook.tenant', true), ''), 'stranger')";

/// The number of other connections.
const OTHERS: &str = "SELECT count(*)::text FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// Options with one shared connection and three others.
fn options() -> PostgresOptions {
    PostgresOptions { max_connections: 4, ..super::options() }
}

struct Readers {
    access: Access,
    /// Dropped last.
    _database: PostgresDatabase,
}

impl Readers {
    /// `None` without a PostgreSQL server.
    async fn with(options: PostgresOptions) -> Option<Self> {
        let database = empty_database().await?;
        let access = open(&database.url, &options).of("acme");
        Some(Self { access, _database: database })
    }

    /// Opens a store and waits until its shared connection is open.
    async fn new() -> Option<Self> {
        let readers = Self::with(options()).await?;
        readers.until_shared().await;
        Some(readers)
    }

    /// Waits until a shared connection is open.
    async fn until_shared(&self) {
        while self.access.database.pool.shared_connection(None).is_none() {
            self.text(PROCESS).await.unwrap();
        }
    }

    async fn text(&self, sql: &'static str) -> StoreResult<String> {
        self.access.read_short("text", |database| text(database, sql).scoped()).await
    }

    async fn sleep(&self, seconds: i64) -> StoreResult<()> {
        self.access.read_short("sleep", |database| sleep(database, seconds).scoped()).await
    }

    /// Reads on an unshared connection.
    async fn alone(&self, sql: &'static str) -> String {
        self.access.read("alone", |database| text(database, sql).scoped()).await.unwrap()
    }

    /// How many connections run `pg_sleep`.
    async fn silent(&self) -> String {
        self.alone(
            "SELECT count(*)::text FROM pg_stat_activity
             WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'",
        )
        .await
    }
}

async fn text(database: &Connection, sql: &str) -> Outcome<String> {
    let row = database.row(sql, &[]).await?;
    let (value,) = row::read_as(("", 0), &row.unwrap())?;
    Ok(value)
}

async fn echo(database: &Connection, number: i64) -> Outcome<i64> {
    let row = database.row("SELECT $1::bigint", &[&number]).await?;
    let (value,) = row::read_as(("", 0), &row.unwrap())?;
    Ok(value)
}

async fn sleep(database: &Connection, seconds: i64) -> Outcome<()> {
    database.row("SELECT pg_sleep($1::bigint)::text", &[&seconds]).await.map(drop)
}

#[tokio::test]
async fn reads_on_one_connection_get_their_own_results() {
    let Some(readers) = Readers::new().await else { return };
    let read = async |number: i64| {
        let echoed = readers.access.read_short("echo", |database| echo(database, number).scoped());
        echoed.await.unwrap() == number
    };
    assert!(join_all((0..500).map(read)).await.into_iter().all(|is_own| is_own));
    let processes = join_all((0..READS_ON_A_CONNECTION).map(|_| readers.text(PROCESS))).await;
    let processes: HashSet<String> = processes.into_iter().map(Result::unwrap).collect();
    assert_eq!(processes.len(), 1, "{processes:?}");
}

#[tokio::test]
async fn another_shared_connection_is_opened_when_all_are_busy() {
    let options = PostgresOptions { max_connections: 16, ..options() };
    let Some(readers) = Readers::with(options).await else { return };
    let mut processes = HashSet::new();
    while processes.len() < 4 {
        readers.until_shared().await;
        let shared_reads: Vec<_> =
            (0..8).filter_map(|_| readers.access.database.pool.shared_connection(None)).collect();
        processes = join_all(shared_reads.iter().map(|shared_read| text(shared_read, PROCESS)))
            .await
            .into_iter()
            .flatten()
            .collect();
    }
}

#[tokio::test]
async fn broken_shared_connection_is_replaced() {
    let Some(readers) = Readers::new().await else { return };
    let first = readers.text(PROCESS).await.unwrap();
    let broken = readers.text("SELECT pg_terminate_backend(pg_backend_pid())::text").await;
    assert!(matches!(broken, Err(StoreError::Unavailable(_)) | Ok(_)), "{broken:?}");
    readers.until_shared().await;
    assert_ne!(readers.text(PROCESS).await.unwrap(), first);
}

/// A server that refuses writes makes all connections unusable.
#[tokio::test]
async fn shared_connection_is_lost_with_all_others() {
    let Some(readers) = Readers::new().await else { return };
    let first = readers.text(PROCESS).await.unwrap();
    let refused = readers.access.write_now("refused", |database| {
        async move {
            database.batch("SET TRANSACTION READ ONLY").await?;
            database.batch("CREATE TABLE t (id BIGINT)").await
        }
        .scoped()
    });
    assert!(matches!(refused.await, Err(StoreError::Unavailable(_))));
    assert!(readers.access.database.pool.shared_connection(None).is_none());
    readers.until_shared().await;
    assert_ne!(readers.text(PROCESS).await.unwrap(), first);
}

/// The slow read continues on an unshared connection until its timeout. The reads behind it succeed on others.
#[tokio::test]
async fn slow_read_does_not_delay_others() {
    let options = PostgresOptions { operation_timeout_ms: Some(3_000), ..options() };
    let Some(readers) = Readers::with(options).await else { return };
    readers.until_shared().await;
    let first = readers.text(PROCESS).await.unwrap();
    let (slow, others) = join(readers.text(SILENCE), join_all((0..10).map(|_| readers.text(PROCESS)))).await;
    assert!(matches!(slow, Err(StoreError::Unavailable(_))), "{slow:?}");
    assert!(others.iter().all(Result::is_ok), "{others:?}");
    while readers.silent().await != "0" {}
    readers.until_shared().await;
    assert_ne!(readers.text(PROCESS).await.unwrap(), first);
}

#[tokio::test]
async fn reader_that_leaves_does_not_block_others() {
    let Some(readers) = Readers::new().await else { return };
    let first = readers.text(PROCESS).await.unwrap();
    // The statement must be prepared already, because preparing looks like running in pg_stat_activity.
    readers.sleep(0).await.unwrap();
    {
        let mut left = pin!(readers.sleep(3_600));
        while readers.silent().await == "0" {
            assert!(left.as_mut().now_or_never().is_none());
        }
    }
    assert_ne!(readers.text(PROCESS).await.unwrap(), first);
    while readers.silent().await != "0" {}
}

#[tokio::test]
async fn connection_survives_fast_read_whose_reader_leaves() {
    let Some(readers) = Readers::new().await else { return };
    let first = readers.text(PROCESS).await.unwrap();
    for _ in 1..READS_ON_A_CONNECTION {
        assert!(readers.text(PROCESS).now_or_never().is_none());
    }
    assert_eq!(readers.text(PROCESS).await.unwrap(), first);
}

/// Several threads send units, which must not interleave.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reads_on_one_connection_see_their_own_tenant() {
    let Some(mut readers) = Readers::new().await else { return };
    Arc::get_mut(&mut readers.access.database).unwrap().has_row_security = true;
    let readers = Arc::new(readers);
    let reads: Vec<_> =
        (0..1_000).map(|number| tokio::spawn(reads_its_own(readers.clone(), number))).collect();
    for read in reads {
        assert!(read.await.unwrap());
    }
    let mut readers = Arc::into_inner(readers).unwrap();
    Arc::get_mut(&mut readers.access.database).unwrap().has_row_security = false;
    assert_eq!(readers.text(TENANT).await.unwrap(), "stranger");
}

/// Whether a read sees its own tenant. Every fifth statement fails on purpose.
async fn reads_its_own(readers: Arc<Readers>, number: u32) -> bool {
    let tenant: Arc<str> = format!("tenant-{}", number % 7).into();
    let sql = if number.is_multiple_of(5) { FAILING } else { TENANT };
    let access = readers.access.of(tenant.clone());
    match access.read_short("tenant", |database| text(database, sql).scoped()).await {
        Ok(named) => named == *tenant,
        Err(failure) => sql != TENANT && matches!(failure, StoreError::Failed(_)),
    }
}

#[tokio::test]
async fn reads_on_shared_connection_are_bounded() {
    let Some(readers) = Readers::new().await else { return };
    let shared_reads: Vec<_> =
        (0..100).map_while(|_| readers.access.database.pool.shared_connection(None)).collect();
    assert_eq!(shared_reads.len(), READS_ON_A_CONNECTION);
    let first = text(&shared_reads[0], PROCESS).await.unwrap();
    assert_ne!(
        readers.text(PROCESS).await.unwrap(),
        first,
        "a read without a shared connection must use the pool"
    );
    drop(shared_reads);
    assert_eq!(readers.text(PROCESS).await.unwrap(), first);
}

#[tokio::test]
async fn lost_connection_keeps_its_permit_until_it_is_closed() {
    let Some(readers) = Readers::new().await else { return };
    let shared_read = readers.access.database.pool.shared_connection(None).unwrap();
    text(&shared_read, "SELECT pg_terminate_backend(pg_backend_pid())::text").await.unwrap_err();
    for _ in 0..100 {
        readers.text(PROCESS).await.unwrap();
        assert!(readers.access.database.pool.shared_connection(None).is_none());
    }
    drop(shared_read);
    readers.until_shared().await;
}

/// The cleanup of the first abandoned statement says nothing about the second.
#[tokio::test]
async fn statement_abandoned_behind_another_is_cancelled_too() {
    let Some(readers) = Readers::new().await else { return };
    let shared_read = || readers.access.database.pool.shared_connection(None).unwrap();
    // A prepared statement is sent when it is first polled.
    sleep(&shared_read(), 0).await.unwrap();
    assert!(sleep(&shared_read(), 3_600).now_or_never().is_none());
    tokio::task::yield_now().await;
    assert!(sleep(&shared_read(), 3_600).now_or_never().is_none());
    let is_closed = async {
        while readers.alone(OTHERS).await != "0" {
            // The next lookup of a shared connection drops a lost one.
            drop(readers.access.database.pool.shared_connection(None));
        }
    };
    tokio::time::timeout(Duration::from_secs(10), is_closed)
        .await
        .expect("every abandoned statement must be cancelled");
}

#[tokio::test]
async fn connections_through_pooler_are_not_shared() {
    let Some(database) = empty_database().await else { return };
    let access = open(&format!("{}?prepared_statements=off", database.url), &options());
    assert_eq!(access.database.pool.max_shared(), 0);
    assert_eq!(access.database.pool.max_alone(), 4);
}
