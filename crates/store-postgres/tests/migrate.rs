//! A schema is made once, by whoever is first, and used by nobody who does not know it.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use futures_util::future::join_all;
use pointbook_app::ports::Database;
use pointbook_store_postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::postgres::{PostgresDatabase, empty_database};
use tokio_postgres::NoTls;

/// How many migrations there are.
const ALL: usize = 12;

async fn migrate(database: &PostgresDatabase) -> Result<usize, ConnectError> {
    let url = PostgresUrl::parse(&database.url).unwrap();
    PostgresStore::migrate(&url, &PostgresOptions::new(build::noon())).await
}

async fn connect(database: &PostgresDatabase) -> Result<PostgresStore, ConnectError> {
    let url = PostgresUrl::parse(&database.url).unwrap();
    PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await
}

/// What no program would do.
async fn tamper(database: &PostgresDatabase, sql: &str) {
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_at_once_do_the_work_of_one() {
    let Some(database) = empty_database().await else { return };
    let done: Vec<usize> =
        join_all((0..6).map(|_| migrate(&database))).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(done.iter().sum::<usize>(), ALL, "{done:?}");
    assert!(done.contains(&ALL), "{done:?}");
    connect(&database).await.unwrap().ping().await.unwrap();
}

#[tokio::test]
async fn a_database_without_a_schema_is_not_used() {
    let Some(database) = empty_database().await else { return };
    let refused = connect(&database).await.err().unwrap();
    assert!(matches!(refused, ConnectError::OlderSchema { found: 0, known: 12 }), "{refused:?}");
    assert!(refused.to_string().contains("run `pointbook migrate`"));
}

#[tokio::test]
async fn an_older_schema_is_not_used_before_it_is_brought_up_to_date() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    tamper(&database, "DROP INDEX categories_by_parent").await;
    tamper(&database, "ALTER TABLE catalogue_versions DROP COLUMN low_stock_threshold").await;
    tamper(&database, "DELETE FROM schema_migrations WHERE number > 9").await;
    let refused = connect(&database).await.err().unwrap();
    assert!(matches!(refused, ConnectError::OlderSchema { found: 9, known: 12 }), "{refused:?}");
    assert_eq!(migrate(&database).await.unwrap(), 3);
    connect(&database).await.unwrap();
}

#[tokio::test]
async fn a_newer_schema_is_neither_used_nor_changed() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    tamper(&database, "INSERT INTO schema_migrations VALUES (13, '0013_of_tomorrow', 0)").await;
    for refused in [connect(&database).await.err().unwrap(), migrate(&database).await.unwrap_err()] {
        assert!(matches!(refused, ConnectError::NewerSchema { found: 13, known: 12 }), "{refused:?}");
    }
}

#[tokio::test]
async fn tables_of_another_program_are_left_alone() {
    let Some(database) = empty_database().await else { return };
    tamper(&database, "CREATE TABLE theirs (id BIGINT PRIMARY KEY)").await;
    for refused in [connect(&database).await.err().unwrap(), migrate(&database).await.unwrap_err()] {
        assert!(matches!(refused, ConnectError::Foreign), "{refused:?}");
    }
}

/// The third migration meets a table of its name.
#[tokio::test]
async fn migrations_happen_all_or_not_at_all() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    let tables =
        "orders, transactions, history_days, products, categories, catalogue_versions, request_keys, users";
    tamper(
        &database,
        &format!("DELETE FROM schema_migrations; DROP TABLE {tables} CASCADE; DROP TABLE tenants CASCADE"),
    )
    .await;
    let failed = migrate(&database).await.unwrap_err();
    assert!(failed.to_string().contains("tokens"), "{failed}");
    tamper(&database, "DROP TABLE tokens").await;
    assert_eq!(migrate(&database).await.unwrap(), ALL);
}

/// Settings of before are taken over where orders read them.
#[tokio::test]
async fn the_threshold_of_a_tenant_is_filled_in() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    tamper(&database, "ALTER TABLE catalogue_versions DROP COLUMN low_stock_threshold").await;
    let tenants = "('a', 'a', 'staging', 'a', 'a', 'en', '{\"low_stock_threshold\":\"3\"}', 0),
                   ('b', 'b', 'staging', 'b', 'b', 'en', '{}', 0)";
    tamper(&database, &format!("INSERT INTO tenants VALUES {tenants}")).await;
    tamper(&database, "INSERT INTO catalogue_versions VALUES ('a', 0), ('b', 0)").await;
    tamper(&database, "DELETE FROM schema_migrations WHERE number > 10").await;
    assert_eq!(migrate(&database).await.unwrap(), 2);
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let sql = "SELECT low_stock_threshold FROM catalogue_versions ORDER BY tenant_id";
    let thresholds: Vec<i64> = client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    assert_eq!(thresholds, [3, 5]);
}
