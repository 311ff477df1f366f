use std::pin::pin;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::try_join;
use pointbook_domain::Timestamp;
use pointbook_testkit::postgres::{PostgresDatabase, TlsServer, empty_database, pooled_url};

use super::Connection;
use crate::ports::StoreError;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::postgres::row;
use crate::postgres::url::PostgresUrl;

/// Runs longer than any timeout of these tests.
const SILENCE: &str = "SELECT pg_sleep(3600)";

/// The process id of the server's connection.
const PROCESS: &str = "SELECT pg_backend_pid()";

/// A pool of one connection to an empty database.
struct PoolFixture {
    pool: Pool,
    database: PostgresDatabase,
}

impl PoolFixture {
    /// `None` without a PostgreSQL server.
    async fn new(operation_timeout_ms: u64) -> Option<Self> {
        let database = empty_database().await?;
        let options = PostgresOptions {
            max_connections: 1,
            operation_timeout_ms: Some(operation_timeout_ms),
            ..options()
        };
        Some(Self { pool: pool(&database.url, &options), database })
    }

    /// A connection without a response timeout.
    async fn connection(&self) -> Connection {
        let mut connection = self.pool.connection().await.unwrap();
        connection.sending.response_timeout = None;
        connection
    }

    /// The process id of the connection that the pool returns.
    async fn server_process(&self) -> i32 {
        number(&self.connection().await, PROCESS).await.unwrap()
    }

    /// Waits until the server has closed a connection.
    async fn until_gone(&self, process: i32) {
        let connection = self.connection().await;
        let count = format!("SELECT count(*)::integer FROM pg_stat_activity WHERE pid = {process}");
        while number(&connection, &count).await.unwrap() > 0 {}
    }
}

fn options() -> PostgresOptions {
    PostgresOptions { connect_timeout_ms: 10_000, ..PostgresOptions::new(Timestamp::MIN) }
}

fn pool(url: &str, options: &PostgresOptions) -> Pool {
    Pool::new(&PostgresUrl::parse(url).unwrap(), options).unwrap()
}

async fn number(connection: &Connection, sql: &str) -> Outcome<i32> {
    let row = connection.row(sql, &[]).await?;
    let (value,): (i64,) = row::read_as(("", 0), &row.unwrap())?;
    Ok(i32::try_from(value).unwrap())
}

#[tokio::test]
async fn returned_connection_is_reused() {
    let Some(fixture) = PoolFixture::new(10_000).await else { return };
    let first = fixture.server_process().await;
    // A failed statement does not make it unusable. Neither does a response after its user has left.
    assert!(fixture.connection().await.batch("SELECT none").await.is_err());
    assert!(fixture.connection().await.batch("SELECT 1").now_or_never().is_none());
    assert_eq!(fixture.server_process().await, first);
}

#[tokio::test]
async fn silent_server_times_out() {
    let Some(fixture) = PoolFixture::new(50).await else { return };
    let first = fixture.server_process().await;
    let connection = fixture.pool.connection().await.unwrap();
    let silent = connection.batch(SILENCE).await.unwrap_err();
    drop(connection);
    assert!(matches!(silent, StoreFailure::TimedOut), "{silent:?}");
    assert!(matches!(StoreError::from(silent), StoreError::Unavailable(_)));
    assert_ne!(fixture.server_process().await, first);
}

#[tokio::test]
async fn timeout_on_one_connection_keeps_others() {
    let Some(PoolFixture { database, .. }) = PoolFixture::new(10_000).await else { return };
    let options = PostgresOptions { max_connections: 2, operation_timeout_ms: Some(200), ..options() };
    let pool = pool(&database.url, &options);
    let (slow, other) = (pool.connection().await.unwrap(), pool.connection().await.unwrap());
    let first = number(&other, PROCESS).await.unwrap();
    assert!(matches!(slow.batch(SILENCE).await, Err(StoreFailure::TimedOut)));
    drop((slow, other));
    let (one, other) = (pool.connection().await.unwrap(), pool.connection().await.unwrap());
    let now = [number(&one, PROCESS).await.unwrap(), number(&other, PROCESS).await.unwrap()];
    assert!(now.contains(&first), "{now:?}");
}

#[tokio::test]
async fn abandoned_statement_is_cancelled_and_blocks_no_other() {
    let Some(fixture) = PoolFixture::new(10_000).await else { return };
    let first = fixture.server_process().await;
    let left = fixture.connection().await;
    assert!(left.batch(SILENCE).now_or_never().is_none());
    drop(left);
    let next = tokio::time::timeout(Duration::from_mins(1), fixture.server_process()).await;
    assert_ne!(next.unwrap(), first);
    fixture.until_gone(first).await;
}

/// When connections require TLS, the driver sends the cancel request over TLS too.
#[tokio::test]
async fn abandoned_statement_over_tls_is_cancelled() {
    let Some(server) = TlsServer::start() else { return };
    let url = format!("postgres://pointbook:hush@localhost:{}/postgres?sslmode=require", server.port);
    let options = PostgresOptions { max_connections: 1, operation_timeout_ms: None, ..options() };
    let pool = pool(&url, &options);
    // The socket exists before the server accepts connections.
    let left = loop {
        if let Ok(connection) = pool.connection().await {
            break connection;
        }
    };
    let first = number(&left, PROCESS).await.unwrap();
    assert!(left.batch(SILENCE).now_or_never().is_none());
    drop(left);
    let next = pool.connection().await.unwrap();
    let count = format!("SELECT count(*)::integer FROM pg_stat_activity WHERE pid = {first}");
    while number(&next, &count).await.unwrap() > 0 {}
}

/// A trigger makes the commit take longer than the wait for any other statement.
#[tokio::test]
async fn abandoned_commit_is_not_cancelled() {
    let Some(fixture) = PoolFixture::new(10_000).await else { return };
    let slow = "CREATE TABLE t (id BIGINT);
        CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION slow()";
    fixture.connection().await.batch(slow).await.unwrap();
    let transaction = fixture.connection().await.begin("BEGIN").await.unwrap();
    let first = number(&transaction, PROCESS).await.unwrap();
    transaction.batch("INSERT INTO t VALUES (1)").await.unwrap();
    assert!(transaction.end(Ok(())).now_or_never().is_none());
    assert_ne!(fixture.server_process().await, first);
    fixture.until_gone(first).await;
    assert_eq!(number(&fixture.connection().await, "SELECT count(*)::integer FROM t").await.unwrap(), 1);
}

#[tokio::test]
async fn unsent_commit_rolls_back() {
    let Some(fixture) = PoolFixture::new(10_000).await else { return };
    fixture.connection().await.batch("CREATE TABLE t (id BIGINT)").await.unwrap();
    let transaction = fixture.connection().await.begin("BEGIN").await.unwrap();
    transaction.batch("INSERT INTO t VALUES (1)").await.unwrap();
    // Without budget, the task cannot take the lock and sends nothing.
    while tokio::task::consume_budget().now_or_never().is_some() {}
    assert!(transaction.end(Ok(())).now_or_never().is_none());
    assert_eq!(number(&fixture.connection().await, "SELECT count(*)::integer FROM t").await.unwrap(), 0);
}

/// The server behaves like a primary that has become a standby since the connections were opened.
#[tokio::test]
async fn read_only_server_makes_all_connections_unusable() {
    let Some(PoolFixture { database, .. }) = PoolFixture::new(10_000).await else { return };
    let pool = pool(&database.url, &options());
    let process = async |connection: &Connection| number(connection, PROCESS).await.unwrap();
    let (one, other) = (pool.connection().await.unwrap(), pool.connection().await.unwrap());
    let old = [process(&one).await, process(&other).await];
    drop(other);
    one.batch("SET default_transaction_read_only = on").await.unwrap();
    let refused = one.batch("CREATE TABLE t (id BIGINT)").await.unwrap_err();
    assert!(refused.is_worth_a_replay(), "{refused:?}");
    drop(one);
    let (one, other) = (pool.connection().await.unwrap(), pool.connection().await.unwrap());
    for new in [process(&one).await, process(&other).await] {
        assert!(!old.contains(&new));
    }
}

/// The first statement needs an extra round trip to be prepared. The second one is already prepared.
#[tokio::test]
async fn concurrent_statements_keep_their_order() {
    let Some(fixture) = PoolFixture::new(10_000).await else { return };
    let Some(pooled) = pooled_url(&fixture.database) else { return };
    fixture.connection().await.batch("CREATE TABLE t (n BIGINT NOT NULL)").await.unwrap();
    for url in [fixture.database.url.clone(), format!("{pooled}?prepared_statements=off")] {
        let pool = pool(&url, &options());
        let begun = pool.connection().await.unwrap().begin("BEGIN").await.unwrap();
        begun.execute("INSERT INTO t VALUES ($1)", &[&1_i64]).await.unwrap();
        let double = "UPDATE t SET n = n * 2";
        begun.execute(double, &[]).await.unwrap();
        let changed =
            try_join(begun.execute("UPDATE t SET n = n + $1", &[&1_i64]), begun.execute(double, &[]));
        assert_eq!(changed.await.unwrap(), (1, 1));
        assert_eq!(number(&begun, "SELECT n::integer FROM t").await.unwrap(), 6);
    }
}

/// All statements are sent in one round trip, without waiting for a response.
#[tokio::test]
async fn statement_sent_after_begin_is_in_transaction() {
    let Some(fixture) = PoolFixture::new(10_000).await else { return };
    let transaction = super::Transaction::on(fixture.connection().await);
    {
        let mut begun = pin!(transaction.begin("BEGIN", Some("acme")));
        let mut named = pin!(transaction.row("SELECT current_setting('pointbook.tenant')", &[]));
        assert!(begun.as_mut().now_or_never().is_none());
        assert!(named.as_mut().now_or_never().is_none());
        let (begun, row) = futures_util::future::join(begun, named).await;
        begun.unwrap();
        assert_eq!(row::read_as::<(String,)>(("", 0), &row.unwrap().unwrap()).unwrap().0, "acme");
    }
    transaction.end(Ok(())).await.unwrap();
    let after = "SELECT coalesce(nullif(current_setting('pointbook.tenant', true), ''), 'none')";
    let row = fixture.connection().await.row(after, &[]).await.unwrap().unwrap();
    assert_eq!(row::read_as::<(String,)>(("", 0), &row).unwrap().0, "none");
}

#[tokio::test]
async fn several_rows_for_single_row_statement_are_an_error() {
    let Some(fixture) = PoolFixture::new(10_000).await else { return };
    let several = fixture.connection().await.row("VALUES (1), (2)", &[]).await.unwrap_err();
    assert!(matches!(several, StoreFailure::SeveralRows), "{several:?}");
}
