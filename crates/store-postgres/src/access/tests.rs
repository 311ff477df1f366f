mod shared;

use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join;
use pointbook_app::{StoreError, StoreResult};
use pointbook_domain::Timestamp;
use pointbook_testkit::postgres::{Lost, PostgresDatabase, empty_database, losing_first};
use tokio::sync::{Barrier, Notify};

use super::Access;
use crate::connection::{Connection, Transaction};
use crate::error::{ConnectError, Outcome, StoreFailure};
use crate::pool::{Pool, PostgresOptions};
use crate::row;
use crate::scoped::IntoScoped;
use crate::url::PostgresUrl;

/// A database with two counters at 0, and how often work on it was begun.
struct Counters {
    access: Access,
    attempts: AtomicU32,
    database: PostgresDatabase,
}

/// Few connections, and little patience.
fn options() -> PostgresOptions {
    PostgresOptions { max_connections: 2, connect_timeout_ms: 10_000, ..PostgresOptions::new(Timestamp::MIN) }
}

fn open(url: &str, options: &PostgresOptions) -> Access {
    let url = PostgresUrl::parse(url).unwrap();
    Access::new(Pool::new(&url, options).unwrap(), options, false, false)
}

impl Counters {
    /// None where there is no server.
    async fn with(options: PostgresOptions) -> Option<Self> {
        let database = empty_database().await?;
        let access = open(&database.url, &options);
        access.write_now("create", |database| create(database).scoped()).await.unwrap();
        Some(Self { access, attempts: AtomicU32::new(0), database })
    }

    async fn new() -> Option<Self> {
        Self::with(options()).await
    }

    /// Raises the first counter, then lets the attempt end as told.
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
async fn work_that_was_overtaken_is_done_again_from_the_start() {
    let Some(counters) = Counters::new().await else { return };
    counters
        .count_then(|attempt| if attempt < 3 { Err(StoreFailure::Overtaken) } else { Ok(()) })
        .await
        .unwrap();
    assert_eq!((counters.attempts(), counters.sum().await), (4, 1));
}

#[tokio::test]
async fn work_that_is_always_overtaken_is_given_up() {
    let Some(counters) = Counters::with(PostgresOptions { retry_for_ms: 300, ..options() }).await else {
        return;
    };
    let given_up = counters.count_then(|_| Err(StoreFailure::Overtaken)).await.unwrap_err();
    assert!(matches!(given_up, StoreError::Unavailable(_)), "{given_up:?}");
    assert!(counters.attempts() > 1);
    assert_eq!(counters.sum().await, 0);
}

#[tokio::test]
async fn work_that_fails_for_a_reason_of_its_own_is_not_done_again() {
    let Some(counters) = Counters::new().await else { return };
    let failed = counters.count_then(|_| Err(StoreFailure::NoResponse)).await.unwrap_err();
    assert!(matches!(failed, StoreError::Failed(_)), "{failed:?}");
    assert_eq!((counters.attempts(), counters.sum().await), (1, 0));
}

/// One of the two is chosen by PostgreSQL to fail, or is not given its lock in time.
#[tokio::test]
async fn a_deadlock_ends_with_both_writes_done() {
    // On a busy machine the next attempts may meet as well, and each time they do costs a second.
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
    assert!(one + other > 2, "they never met");
    assert_eq!(counters.sum().await, 4);
}

/// The first attempts wait for each other between their two locks.
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
async fn a_connection_that_is_lost_before_the_commit_is_replaced() {
    let Some(counters) = Counters::new().await else { return };
    counters
        .access
        .write_now("cut_off", |database| cut_off_once(database, &counters.attempts).scoped())
        .await
        .unwrap();
    assert_eq!((counters.attempts(), counters.sum().await), (2, 1));
}

#[tokio::test]
async fn a_connection_that_is_lost_without_a_word_is_replaced() {
    for lost in [Lost::Question, Lost::Answer] {
        let Some(counters) = Counters::new().await else { return };
        let access = open(&losing_first("UPDATE", lost, &counters.database).await, &options());
        let over_bad_network = Counters { access, ..counters };
        over_bad_network.count_then(|_| Ok(())).await.unwrap();
        assert_eq!((over_bad_network.attempts(), over_bad_network.sum().await), (1, 1), "{lost:?}");
    }
}

#[tokio::test]
async fn what_the_driver_refuses_is_not_done_again() {
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

/// It may have happened: whoever does it again could do it twice.
#[tokio::test]
async fn a_commit_that_is_lost_is_neither_repeated_nor_called_failed() {
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
async fn a_statement_that_failed_unnoticed_is_not_committed() {
    let Some(counters) = Counters::new().await else { return };
    let passed_over =
        counters.access.write_now("pass_over", |database| pass_over_a_failure(database).scoped());
    let failed = passed_over.await.unwrap_err();
    assert!(matches!(failed, StoreError::Failed(_)), "{failed:?}");
    assert_eq!(counters.sum().await, 0);
}

async fn pass_over_a_failure(database: &Transaction) -> Outcome<()> {
    add(database, 1).await?;
    assert!(database.batch("SELECT none FROM counters").await.is_err());
    Ok(())
}

/// What was sent behind it would be committed by itself, each statement for its own.
#[tokio::test]
async fn nothing_is_written_behind_a_beginning_that_failed() {
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

/// The connection is good for the next one, which would wait for ever if the row were still locked.
#[tokio::test]
async fn a_caller_who_leaves_before_the_commit_leaves_nothing_behind() {
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
async fn a_snapshot_sees_one_moment() {
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
async fn a_snapshot_has_nothing_to_commit() {
    let Some(counters) = Counters::new().await else { return };
    let access = open(&losing_first("COMMIT", Lost::Answer, &counters.database).await, &options());
    let read = access.read_snapshot("sum", |database| async move { sum(database).await }.scoped());
    assert_eq!(read.await.unwrap(), 0);
}

/// It says so itself, and the connection stays as good as it was.
#[tokio::test]
async fn the_server_ends_a_statement_before_its_client_leaves() {
    let Some(counters) =
        Counters::with(PostgresOptions { operation_timeout_ms: Some(2_000), ..options() }).await
    else {
        return;
    };
    let slow = counters
        .access
        .write_now("slow", |database| async move { database.batch("SELECT pg_sleep(3600)").await }.scoped());
    let StoreError::Unavailable(ended) = slow.await.unwrap_err() else { panic!("it is over in time") };
    assert!(!ended.to_string().contains("did not respond"), "{ended}");
}

/// PostgreSQL repeats the row that it refuses.
#[tokio::test]
async fn what_was_to_be_stored_is_in_no_error() {
    let Some(counters) = Counters::new().await else { return };
    let refused = counters.access.write_now("refused", |database| break_a_rule(database).scoped());
    let StoreError::Failed(refused) = refused.await.unwrap_err() else { panic!("it breaks a rule") };
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
async fn without_a_connection_in_time_the_database_is_unavailable() {
    let options = PostgresOptions { max_connections: 1, connect_timeout_ms: 1_000, ..options() };
    let Some(counters) = Counters::with(options).await else { return };
    let counters = &counters;
    let inside = counters.access.read("outer", move |_| {
        async move { Ok(counters.access.read("inner", |database| sum(database).scoped()).await) }.scoped()
    });
    let waited_in_vain = inside.await.unwrap().unwrap_err();
    assert!(matches!(waited_in_vain, StoreError::Unavailable(_)), "{waited_in_vain:?}");
    let away = open("postgres://nobody@127.0.0.1:1/none", &options);
    let refused = away.read("away", |database| sum(database).scoped()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unavailable(_)), "{refused:?}");
    let StoreError::Unavailable(why) = waited_in_vain else { unreachable!() };
    assert_eq!(why.source().unwrap().to_string(), "all connections of this process are in use");
}

#[tokio::test]
async fn whoever_cannot_connect_learns_why() {
    let url = PostgresUrl::parse("postgres://nobody@127.0.0.1:1/none").unwrap();
    let refused = Pool::new(&url, &options()).unwrap().connection().await.err().unwrap();
    let said = ConnectError::from(refused).to_string();
    assert!(said.contains("no connection to PostgreSQL: ") && said.contains("refused"), "{said}");
    assert!(!said.contains("object"), "{said}");
}
