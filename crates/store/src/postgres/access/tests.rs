mod shared;

use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join;
use pointbook_domain::Timestamp;
use pointbook_testkit::postgres::{Lost, PostgresDatabase, empty_database, losing_first};
use tokio::sync::{Barrier, Notify};

use super::Access;
use crate::ports::{StoreError, StoreResult};
use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::{ConnectError, Outcome, StoreFailure};
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::postgres::row;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::url::PostgresUrl;

/// A database with two counters at 0, and the number of attempts to change them.
struct Counters {
    access: Access,
    attempts: AtomicU32,
    database: PostgresDatabase,
}

/// Options with few connections.
fn options() -> PostgresOptions {
    PostgresOptions { max_connections: 2, connect_timeout_ms: 10_000, ..PostgresOptions::new(Timestamp::MIN) }
}

fn open(url: &str, options: &PostgresOptions) -> Access {
    let url = PostgresUrl::parse(url).unwrap();
    Access::new(Pool::new(&url, options).unwrap(), options, false, false)
}

impl Counters {
    /// `None` without a PostgreSQL server.
    async fn with(options: PostgresOptions) -> Option<Self> {
        let database = empty_database().await?;
        let access = open(&database.url, &options);
        access.write_now("create", |database| create(database).scoped()).await.unwrap();
        Some(Self { access, attempts: AtomicU32::new(0), database })
    }

    async fn new() -> Option<Self> {
        Self::with(options()).await
    }

    /// Raises the first counter, then ends the attempt with the result of `end`.
    async fn count_then(&self, end: impl Fn(u32) -> Outcome<()> + Sync) -> StoreResult<()> {
        let end = &end;
        self.access
            .write_now("count", move |database| {
                async move {
                    add(database, 1).await?;
                    end(self.attempts.fetch_add(1, Ordering::SeqCst))
                }
                .scoped()
            })
            .await
    }

    async fn sum(&self) -> i64 {
        self.access.read("sum", |database| sum(database).scoped()).await.unwrap()
    }

    fn attempts(&self) -> u32 {
        self.attempts.load(Ordering::SeqCst)
    }
}

async fn create(database: &Transaction) -> Outcome<()> {
    database.batch("CREATE TABLE counters (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)").await?;
    database.batch("INSERT INTO counters VALUES (1, 0), (2, 0)").await
}

async fn add(database: &Transaction, counter: i64) -> Outcome<()> {
    database.execute("UPDATE counters SET n = n + 1 WHERE id = $1", &[&counter]).await?;
    Ok(())
}

async fn sum(database: &Connection) -> Outcome<i64> {
    let row = database.row("SELECT sum(n)::bigint FROM counters", &[]).await?;
    let (value,) = row::read_as(("counters", 0), &row.unwrap())?;
    Ok(value)
}

#[tokio::test]
async fn overtaken_work_is_retried_from_start() {
    let Some(counters) = Counters::new().await else { return };
    counters
        .count_then(|attempt| if attempt < 3 { Err(StoreFailure::Overtaken) } else { Ok(()) })
        .await
        .unwrap();
    assert_eq!((counters.attempts(), counters.sum().await), (4, 1));
}

#[tokio::test]
async fn work_that_is_always_overtaken_becomes_unavailable() {
    let Some(counters) = Counters::with(PostgresOptions { retry_for_ms: 300, ..options() }).await else {
        return;
    };
    let given_up = counters.count_then(|_| Err(StoreFailure::Overtaken)).await.unwrap_err();
    assert!(matches!(given_up, StoreError::Unavailable(_)), "{given_up:?}");
    assert!(counters.attempts() > 1);
    assert_eq!(counters.sum().await, 0);
}

#[tokio::test]
async fn failure_without_conflict_is_not_retried() {
    let Some(counters) = Counters::new().await else { return };
    let failed = counters.count_then(|_| Err(StoreFailure::NoResponse)).await.unwrap_err();
    assert!(matches!(failed, StoreError::Failed(_)), "{failed:?}");
    assert_eq!((counters.attempts(), counters.sum().await), (1, 0));
}

/// PostgreSQL fails one of the two, or its lock times out.
#[tokio::test]
async fn both_writes_succeed_after_deadlock() {
    // On a busy machine the retries may collide too, and each collision costs a second.
    let Some(counters) = Counters::with(options().patient()).await else { return };
    let (counters, both_hold_one) = (&counters, &Barrier::new(2));
    let cross = async |order: [i64; 2]| {
        let attempts = &AtomicU32::new(0);
        let written = counters
            .access
            .write_now("cross", |database| add_to_both(database, order, attempts, both_hold_one).scoped());
        written.await.unwrap();
        attempts.load(Ordering::SeqCst)
    };
    let (one, other) = tokio::join!(cross([1, 2]), cross([2, 1]));
    assert!(one + other > 2, "the two writes must deadlock at least once");
    assert_eq!(counters.sum().await, 4);
}

/// The first attempts wait for each other after the first of their two locks.
async fn add_to_both(
    database: &Transaction,
    [first, second]: [i64; 2],
    attempts: &AtomicU32,
    both_hold_one: &Barrier,
) -> Outcome<()> {
    add(database, first).await?;
    if attempts.fetch_add(1, Ordering::SeqCst) == 0 {
        both_hold_one.wait().await;
    }
    add(database, second).await
}

#[tokio::test]
async fn connection_lost_before_commit_is_replaced() {
    let Some(counters) = Counters::new().await else { return };
    counters
        .access
        .write_now("cut_off", |database| cut_off_once(database, &counters.attempts).scoped())
        .await
        .unwrap();
    assert_eq!((counters.attempts(), counters.sum().await), (2, 1));
}

#[tokio::test]
async fn silently_lost_connection_is_replaced() {
    for lost in [Lost::Question, Lost::Answer] {
        let Some(counters) = Counters::new().await else { return };
        let access = open(&losing_first("UPDATE", lost, &counters.database).await, &options());
        let over_bad_network = Counters { access, ..counters };
        over_bad_network.count_then(|_| Ok(())).await.unwrap();
        assert_eq!((over_bad_network.attempts(), over_bad_network.sum().await), (1, 1), "{lost:?}");
    }
}

#[tokio::test]
async fn statement_refused_by_driver_is_not_retried() {
    let Some(counters) = Counters::new().await else { return };
    let refused = counters
        .access
        .write_now("mistake", |database| take_text_for_number(database, &counters.attempts).scoped());
    let failed = refused.await.unwrap_err();
    assert!(matches!(failed, StoreError::Failed(_)), "{failed:?}");
    assert_eq!(counters.attempts(), 1);
}

async fn take_text_for_number(database: &Transaction, attempts: &AtomicU32) -> Outcome<()> {
    attempts.fetch_add(1, Ordering::SeqCst);
    database.execute("DELETE FROM counters WHERE id = $1", &[&"one"]).await?;
    Ok(())
}

async fn cut_off_once(database: &Transaction, attempts: &AtomicU32) -> Outcome<()> {
    add(database, 1).await?;
    if attempts.fetch_add(1, Ordering::SeqCst) == 0 {
        database.row("SELECT pg_terminate_backend(pg_backend_pid())", &[]).await?;
    }
    Ok(())
}

/// The commit may have succeeded, so a retry could write twice.
#[tokio::test]
async fn lost_commit_is_not_retried_and_is_unavailable() {
    for (lost, committed) in [(Lost::Question, 0), (Lost::Answer, 1)] {
        let Some(counters) = Counters::new().await else { return };
        let access = open(&losing_first("COMMIT", lost, &counters.database).await, &options());
        let over_bad_network = Counters { access, ..counters };
        let unknown = over_bad_network.count_then(|_| Ok(())).await.unwrap_err();
        assert!(matches!(unknown, StoreError::Unavailable(_)), "{unknown:?}");
        assert_eq!((over_bad_network.attempts(), over_bad_network.sum().await), (1, committed), "{lost:?}");
    }
}

#[tokio::test]
async fn transaction_with_ignored_failure_is_not_committed() {
    let Some(counters) = Counters::new().await else { return };
    let ignored = counters.access.write_now("ignore", |database| ignore_failure(database).scoped());
    let failed = ignored.await.unwrap_err();
    assert!(matches!(failed, StoreError::Failed(_)), "{failed:?}");
    assert_eq!(counters.sum().await, 0);
}

async fn ignore_failure(database: &Transaction) -> Outcome<()> {
    add(database, 1).await?;
    assert!(database.batch("SELECT none FROM counters").await.is_err());
    Ok(())
}

/// Otherwise PostgreSQL would commit each statement after the failed BEGIN separately.
#[tokio::test]
async fn nothing_is_written_after_failed_begin() {
    let Some(counters) = Counters::new().await else { return };
    let connection = counters.access.database.pool.connection().await.unwrap();
    let transaction = Transaction::on(connection);
    let (begun, added) = join(transaction.begin("BEGIN ISOLATION", None), add(&transaction, 1)).await;
    assert!(begun.is_err() && added.is_err());
    drop(transaction);
    let transaction = Transaction::on(counters.access.database.pool.connection().await.unwrap());
    let added = transaction.batch("UPDATE counters SET n = n + 1");
    let (begun, added) = join(transaction.begin("BEGIN ISOLATION", None), added).await;
    assert!(begun.is_err() && added.is_err());
    drop(transaction);
    assert_eq!(counters.sum().await, 0);
}

/// The next write uses the same connection, and would wait without end if the row were still locked.
#[tokio::test]
async fn caller_that_leaves_before_commit_changes_nothing() {
    let Some(counters) = Counters::with(PostgresOptions { max_connections: 1, ..options() }).await else {
        return;
    };
    let began = &Notify::new();
    tokio::select! {
        _ = counters.access.write_now("leave", |database| never_end(database, began).scoped()) => unreachable!(),
        () = began.notified() => {}
    }
    assert_eq!(counters.sum().await, 0);
    counters.count_then(|_| Ok(())).await.unwrap();
    assert_eq!(counters.sum().await, 1);
}

async fn never_end(database: &Transaction, began: &Notify) -> Outcome<()> {
    add(database, 1).await?;
    began.notify_one();
    std::future::pending().await
}

#[tokio::test]
async fn snapshot_does_not_see_later_writes() {
    let Some(counters) = Counters::new().await else { return };
    let counters = &counters;
    let sums = counters.access.read_snapshot("two_sums", move |database| {
        async move {
            let before = sum(database).await?;
            counters.count_then(|_| Ok(())).await.unwrap();
            Ok((before, sum(database).await?))
        }
        .scoped()
    });
    assert_eq!(sums.await.unwrap(), (0, 0));
    assert_eq!(counters.sum().await, 1);
}

#[tokio::test]
async fn snapshot_sends_no_commit() {
    let Some(counters) = Counters::new().await else { return };
    let access = open(&losing_first("COMMIT", Lost::Answer, &counters.database).await, &options());
    let read = access.read_snapshot("sum", |database| async move { sum(database).await }.scoped());
    assert_eq!(read.await.unwrap(), 0);
}

/// The server reports the timeout, and the connection stays usable.
#[tokio::test]
async fn server_cancels_statement_before_client_timeout() {
    let Some(counters) =
        Counters::with(PostgresOptions { operation_timeout_ms: Some(2_000), ..options() }).await
    else {
        return;
    };
    let slow = counters
        .access
        .write_now("slow", |database| async move { database.batch("SELECT pg_sleep(3600)").await }.scoped());
    let StoreError::Unavailable(ended) = slow.await.unwrap_err() else { panic!("must be cancelled") };
    assert!(!ended.to_string().contains("did not respond"), "{ended}");
}

/// PostgreSQL's error details contain the refused row.
#[tokio::test]
async fn errors_do_not_contain_stored_values() {
    let Some(counters) = Counters::new().await else { return };
    let refused = counters.access.write_now("refused", |database| break_a_rule(database).scoped());
    let StoreError::Failed(refused) = refused.await.unwrap_err() else { panic!("must violate it") };
    let (mut chain, mut next) = (format!("{refused:?}"), Some(&*refused as &dyn std::error::Error));
    while let Some(error) = next {
        chain = format!("{chain} {error} {error:?}");
        next = error.source();
    }
    assert!(chain.contains("SQLSTATE 23514, table secrets, constraint short"), "{chain}");
    assert!(!chain.contains("hush"), "{chain}");
}

async fn break_a_rule(database: &Transaction) -> Outcome<()> {
    database.batch("CREATE TABLE secrets (secret TEXT CONSTRAINT short CHECK (length(secret) < 3))").await?;
    database.execute("INSERT INTO secrets VALUES ($1)", &[&"hush"]).await?;
    Ok(())
}

#[tokio::test]
async fn database_is_unavailable_without_free_connection() {
    let options = PostgresOptions { max_connections: 1, connect_timeout_ms: 1_000, ..options() };
    let Some(counters) = Counters::with(options).await else { return };
    let counters = &counters;
    let inside = counters.access.read("outer", move |_| {
        async move { Ok(counters.access.read("inner", |database| sum(database).scoped()).await) }.scoped()
    });
    let timed_out = inside.await.unwrap().unwrap_err();
    assert!(matches!(timed_out, StoreError::Unavailable(_)), "{timed_out:?}");
    let away = open("postgres://stranger@127.0.0.1:1/none", &options);
    let refused = away.read("away", |database| sum(database).scoped()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unavailable(_)), "{refused:?}");
    let StoreError::Unavailable(why) = timed_out else { unreachable!() };
    assert_eq!(why.source().unwrap().to_string(), "all connections of this process are in use");
}

#[tokio::test]
async fn connect_error_has_reason() {
    let url = PostgresUrl::parse("postgres://stranger@127.0.0.1:1/none").unwrap();
    let refused = Pool::new(&url, &options()).unwrap().connection().await.err().unwrap();
    let error = ConnectError::from(refused).to_string();
    assert!(error.contains("no connection to PostgreSQL: ") && error.contains("refused"), "{error}");
    assert!(!error.contains("object"), "{error}");
}
