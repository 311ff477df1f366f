//! Tests that concurrent migrations run once, and that a store refuses a schema that it does not know.

use futures_util::future::join_all;
use pointbook_store::ports::Database;
use pointbook_store::postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_store::schema::Dialect;
use pointbook_testkit::build;
use pointbook_testkit::postgres::{PostgresDatabase, empty_database};
use tokio_postgres::{Client, NoTls};

/// The number of migrations.
fn all() -> usize {
    std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap().count()
}

/// A database with the schema of the first migration.
async fn first_schema() -> Option<PostgresDatabase> {
    let database = empty_database().await?;
    let record = "CREATE TABLE schema_migrations (number BIGINT PRIMARY KEY, name TEXT, applied_at BIGINT);
                  INSERT INTO schema_migrations VALUES (1, '0001_first', 0)";
    tamper(&database, &(pointbook_store::first_schema(Dialect::Postgres).concat() + record)).await;
    Some(database)
}

async fn migrate(database: &PostgresDatabase) -> Result<usize, ConnectError> {
    let url = PostgresUrl::parse(&database.url).unwrap();
    PostgresStore::migrate(&url, &PostgresOptions::new(build::noon())).await
}

async fn connect(database: &PostgresDatabase) -> Result<PostgresStore, ConnectError> {
    let url = PostgresUrl::parse(&database.url).unwrap();
    PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await
}

async fn client(database: &PostgresDatabase) -> Client {
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Changes the database without the store.
async fn tamper(database: &PostgresDatabase, sql: &str) {
    client(database).await.batch_execute(sql).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_migrations_run_each_migration_once() {
    let Some(database) = empty_database().await else { return };
    let done: Vec<usize> =
        join_all((0..6).map(|_| migrate(&database))).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(done.iter().sum::<usize>(), all(), "{done:?}");
    connect(&database).await.unwrap().ping().await.unwrap();
}

#[tokio::test]
async fn database_without_schema_is_refused() {
    let Some(database) = empty_database().await else { return };
    let refused = connect(&database).await.err().unwrap();
    assert!(
        matches!(refused, ConnectError::OlderSchema { found: 0, known } if known as usize == all()),
        "{refused:?}"
    );
    assert!(refused.to_string().contains("run `pointbook migrate`"));
}

#[tokio::test]
async fn older_schema_is_refused_until_it_is_migrated() {
    let Some(database) = first_schema().await else { return };
    let rows =
        "INSERT INTO tenants VALUES ('acme', 'acme', 'production', 'https://acme.example/api', 'Acme', 'en', '{}', 0, 0);
         INSERT INTO products VALUES ('acme', 'mug', 'M-1', 'Mug', '', '', 5, NULL, '', '[]', '[]', 3, FALSE, 0, TRUE, 1, NULL, 0, 3)";
    tamper(&database, rows).await;
    let refused = connect(&database).await.err().unwrap();
    assert!(
        matches!(refused, ConnectError::OlderSchema { found: 1, known } if known as usize == all()),
        "{refused:?}"
    );
    assert_eq!(migrate(&database).await.unwrap(), all() - 1);
    let data = connect(&database).await.unwrap().tenant(&build::tenant("acme").id);
    let mug = data.product(&build::product_id("mug")).await.unwrap().unwrap().product;
    assert_eq!((mug.sku.as_str(), mug.stock, mug.brand), ("M-1", Some(3), None));
}

/// The second migration fails because its table exists.
#[tokio::test]
async fn migrations_continue_after_last_success() {
    let Some(database) = first_schema().await else { return };
    tamper(&database, "CREATE TABLE user_notes (id BIGINT)").await;
    let failed = migrate(&database).await.unwrap_err();
    assert!(failed.to_string().contains("user_notes"), "{failed}");
    tamper(&database, "DROP TABLE user_notes").await;
    assert_eq!(migrate(&database).await.unwrap(), all() - 1);
}

#[tokio::test]
async fn newer_schema_is_refused_and_unchanged() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    tamper(&database, "INSERT INTO schema_migrations VALUES (9999, '9999_of_tomorrow', 0)").await;
    for refused in [connect(&database).await.err().unwrap(), migrate(&database).await.unwrap_err()] {
        assert!(
            matches!(refused, ConnectError::NewerSchema { found: 9_999, known } if known as usize == all()),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn tables_of_another_program_are_refused() {
    let Some(database) = empty_database().await else { return };
    tamper(&database, "CREATE TABLE theirs (id BIGINT PRIMARY KEY)").await;
    for refused in [connect(&database).await.err().unwrap(), migrate(&database).await.unwrap_err()] {
        assert!(matches!(refused, ConnectError::Foreign), "{refused:?}");
    }
}

#[tokio::test]
async fn database_from_before_the_first_schema_is_refused_and_unchanged() {
    let Some(database) = empty_database().await else { return };
    tamper(
        &database,
        "CREATE TABLE schema_migrations (number BIGINT PRIMARY KEY, name TEXT, applied_at BIGINT);
         INSERT INTO schema_migrations VALUES (1, '0001_create_tenants', 0), (37, '0037_add_session_use', 0)",
    )
    .await;
    for refused in [connect(&database).await.err().unwrap(), migrate(&database).await.unwrap_err()] {
        assert!(matches!(refused, ConnectError::BeforeTheFirst), "{refused:?}");
    }
    let count = "SELECT count(*) FROM schema_migrations";
    assert_eq!(client(&database).await.query_one(count, &[]).await.unwrap().get::<_, i64>(0), 2);
}

/// In PostgreSQL, later readers queue behind a migration that waits for a table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn migration_that_waits_for_reader_does_not_block_others() {
    let Some(database) = first_schema().await else { return };
    let reader = client(&database).await;
    reader.batch_execute("BEGIN; SELECT * FROM products").await.unwrap();
    let migrated = tokio::spawn({
        let (url, options) =
            (PostgresUrl::parse(&database.url).unwrap(), PostgresOptions::new(build::noon()));
        async move { PostgresStore::migrate(&url, &options).await }
    });
    let other = client(&database).await;
    let waiting = "SELECT count(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while other.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        assert!(!migrated.is_finished());
    }
    // This query waits behind the migration, whose lock times out while the first reader still reads.
    other.batch_execute("SET lock_timeout = 20000; SELECT * FROM products").await.unwrap();
    assert!(!migrated.is_finished());
    reader.batch_execute("COMMIT").await.unwrap();
    assert_eq!(migrated.await.unwrap().unwrap(), all() - 1);
}
