//! Tests that concurrent migrations run once, and that a store refuses a schema that it does not know.

use futures_util::future::join_all;
use pointbook_domain::Tenant;
use pointbook_store::ports::{Database, TenantStore as _};
use pointbook_store::postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::postgres::{PostgresDatabase, empty_database};
use tokio_postgres::{Client, NoTls};

const ALL: usize = 37;

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
    assert_eq!(done.iter().sum::<usize>(), ALL, "{done:?}");
    connect(&database).await.unwrap().ping().await.unwrap();
}

#[tokio::test]
async fn database_without_schema_is_refused() {
    let Some(database) = empty_database().await else { return };
    let refused = connect(&database).await.err().unwrap();
    assert!(matches!(refused, ConnectError::OlderSchema { found: 0, known: 37 }), "{refused:?}");
    assert!(refused.to_string().contains("run `pointbook migrate`"));
}

#[tokio::test]
async fn older_schema_is_refused_until_it_is_migrated() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    undo_since_the_threshold(&database).await;
    tamper(&database, "DROP INDEX categories_by_parent").await;
    tamper(&database, "DELETE FROM schema_migrations WHERE number > 9").await;
    let refused = connect(&database).await.err().unwrap();
    assert!(matches!(refused, ConnectError::OlderSchema { found: 9, known: 37 }), "{refused:?}");
    assert_eq!(migrate(&database).await.unwrap(), ALL - 9);
    connect(&database).await.unwrap();
}

#[tokio::test]
async fn newer_schema_is_refused_and_unchanged() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    tamper(&database, "INSERT INTO schema_migrations VALUES (38, '0038_of_tomorrow', 0)").await;
    for refused in [connect(&database).await.err().unwrap(), migrate(&database).await.unwrap_err()] {
        assert!(matches!(refused, ConnectError::NewerSchema { found: 38, known: 37 }), "{refused:?}");
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

/// The third migration fails because its table exists.
#[tokio::test]
async fn migrations_continue_after_last_success() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    let tables = "orders, transactions, history_days, products, category_trees, catalogue_versions, request_keys, tenant_secrets, \
         data_keys, operators, jobs, users, audit_entries, audit_chains, feed_blocks, feeds, \
         webhook_attempts, webhook_progress, webhooks, awards, budget_shares, campaign_versions, back_tests, \
         back_test_results, campaign_runs, back_fills, \
         figures, member_figures, daily_totals, daily_members, cohorts, vintages, campaign_days, product_days, \
         operator_sessions, pictures, picture_bytes";
    tamper(
        &database,
        &format!("DELETE FROM schema_migrations; DROP TABLE {tables} CASCADE; DROP TABLE tenants CASCADE"),
    )
    .await;
    let failed = migrate(&database).await.unwrap_err();
    assert!(failed.to_string().contains("tokens"), "{failed}");
    tamper(&database, "DROP TABLE tokens").await;
    assert_eq!(migrate(&database).await.unwrap(), ALL - 2);
}

/// In PostgreSQL, later readers queue behind a migration that waits for a table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn migration_that_waits_for_reader_does_not_block_others() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    undo_since_the_threshold(&database).await;
    tamper(&database, "DELETE FROM schema_migrations WHERE number > 10").await;
    let reader = client(&database).await;
    reader.batch_execute("BEGIN; SELECT * FROM catalogue_versions").await.unwrap();
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
    other.batch_execute("SET lock_timeout = 20000; SELECT * FROM catalogue_versions").await.unwrap();
    assert!(!migrated.is_finished());
    reader.batch_execute("COMMIT").await.unwrap();
    assert_eq!(migrated.await.unwrap().unwrap(), ALL - 10);
}

/// Takes back what the migration 0017 has added.
const DROP_SCOPES: &str =
    "ALTER TABLE tokens DROP COLUMN scopes, DROP COLUMN networks, DROP COLUMN created_by,
                           DROP COLUMN last_used_at";

/// Takes back what the migrations 0024 to 0033 have added.
const DROP_CAMPAIGNS: &str =
    "DROP TABLE awards, budget_shares, campaign_versions, back_tests, back_test_results, campaign_runs, back_fills;
    DROP TABLE figures, member_figures, daily_totals, daily_members, cohorts, vintages, campaign_days, product_days;
    DROP TABLE operator_sessions, pictures, picture_bytes;
    ALTER TABLE transactions DROP COLUMN attributes, DROP COLUMN bonus_origin;
    ALTER TABLE users DROP COLUMN birth_date_set_at, DROP COLUMN earned_counts";

/// Takes back what the migrations from 0034 on have changed.
const DROP_TREES: &str = r#"DROP TABLE category_trees;
    ALTER TABLE IF EXISTS operator_sessions DROP COLUMN last_used_at;
    CREATE TABLE categories (
        tenant_id TEXT COLLATE "C" NOT NULL,
        id        TEXT COLLATE "C" NOT NULL,
        parent_id TEXT COLLATE "C",
        position  BIGINT           NOT NULL,
        label     TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant_id, id),
        FOREIGN KEY (tenant_id) REFERENCES tenants (id),
        FOREIGN KEY (tenant_id, parent_id) REFERENCES categories (tenant_id, id)
    );
    CREATE INDEX categories_by_parent ON categories (tenant_id, parent_id, id)"#;

/// Takes back what the migration 0018 has added.
const DROP_CLOCK: &str = "ALTER TABLE tenants DROP COLUMN clock_offset";

/// Takes back what the migrations from 0011 on have added.
async fn undo_since_the_threshold(database: &PostgresDatabase) {
    tamper(database, "ALTER TABLE catalogue_versions DROP COLUMN low_stock_threshold").await;
    tamper(
        database,
        "DROP TABLE tenant_secrets, data_keys, operators, jobs, audit_entries, audit_chains, feeds, feed_blocks, webhook_attempts,
                    webhook_progress, webhooks",
    )
    .await;
    tamper(database, "DROP INDEX tokens_by_expiry; DROP INDEX tokens_by_revocation").await;
    tamper(database, "ALTER TABLE tokens DROP COLUMN label").await;
    tamper(database, DROP_SCOPES).await;
    tamper(database, DROP_CLOCK).await;
    tamper(database, DROP_CAMPAIGNS).await;
    tamper(database, DROP_TREES).await;
}

/// Orders read the threshold from the catalogue's version, so the migration copies it there.
#[tokio::test]
async fn migration_copies_threshold_from_settings() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    undo_since_the_threshold(&database).await;
    let tenants = "('a', 'a', 'staging', 'a', 'a', 'en', '{\"low_stock_threshold\":\"3\"}', 0),
                   ('b', 'b', 'staging', 'b', 'b', 'en', '{}', 0)";
    tamper(&database, &format!("INSERT INTO tenants VALUES {tenants}")).await;
    tamper(&database, "INSERT INTO catalogue_versions VALUES ('a', 0), ('b', 0)").await;
    tamper(&database, "DELETE FROM schema_migrations WHERE number > 10").await;
    assert_eq!(migrate(&database).await.unwrap(), ALL - 10);
    let sql = "SELECT low_stock_threshold FROM catalogue_versions ORDER BY tenant_id";
    let thresholds: Vec<i64> =
        client(&database).await.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    assert_eq!(thresholds, [3, 5]);
}

/// The old default was "off", and it was stored for every tenant.
#[tokio::test]
async fn migration_splits_rate_limit_into_reads_and_writes() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    let tenants = r#"('a', 'a', 'staging', 'http://a.example/api', 'a', 'en', '{"rate_limit_per_minute":"60","cors":"off"}', 0),
                     ('b', 'b', 'staging', 'http://b.example/api', 'b', 'en', '{"rate_limit_per_minute":"off","cors":"off"}', 0),
                     ('c', 'c', 'staging', 'http://c.example/api', 'c', 'en', '{}', 0)"#;
    tamper(&database, &format!("INSERT INTO tenants VALUES {tenants}")).await;
    tamper(
        &database,
        "DROP TABLE data_keys, operators, jobs, audit_entries, audit_chains, feeds, feed_blocks, webhook_attempts, webhook_progress,
                    webhooks; DELETE FROM schema_migrations WHERE number > 14",
    )
    .await;
    tamper(&database, DROP_SCOPES).await;
    tamper(&database, DROP_CLOCK).await;
    tamper(&database, DROP_CAMPAIGNS).await;
    tamper(&database, DROP_TREES).await;
    assert_eq!(migrate(&database).await.unwrap(), ALL - 14);
    let sql = "SELECT settings FROM tenants ORDER BY id";
    let stored: Vec<String> =
        client(&database).await.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    let limits = r#""rate_limit_reads_per_minute": "60", "rate_limit_writes_per_minute": "60""#;
    assert_eq!(
        stored,
        [format!(r#"{{"cors": "off", {limits}}}"#), r#"{"cors": "off"}"#.to_owned(), "{}".to_owned()]
    );
    let limits = |tenant: &Tenant| {
        let settings = &tenant.settings;
        (settings.rate_limit_reads_per_minute, settings.rate_limit_writes_per_minute)
    };
    let tenants = connect(&database).await.unwrap().tenants().await.unwrap();
    assert_eq!(tenants.iter().map(limits).collect::<Vec<_>>(), [(60, 60), (1_200, 120), (1_200, 120)]);
}

/// Siblings keep their places, whatever their ids are.
#[tokio::test]
async fn migration_makes_one_value_of_a_tree() {
    let Some(database) = empty_database().await else { return };
    migrate(&database).await.unwrap();
    tamper(
        &database,
        "INSERT INTO tenants VALUES ('a', 'a', 'staging', 'http://a.example/api', 'a', 'en', '{}', 0)",
    )
    .await;
    tamper(&database, DROP_TREES).await;
    let rows = "('a', 'a', NULL, 1, 'Category a'), ('a', 'z', NULL, 0, 'Category z'),
                ('a', 'c', 'z', 0, 'Category c'), ('a', 'b', 'z', 1, 'Category b')";
    tamper(&database, &format!("INSERT INTO categories VALUES {rows}")).await;
    tamper(&database, "DELETE FROM schema_migrations WHERE number > 33").await;
    assert_eq!(migrate(&database).await.unwrap(), ALL - 33);
    let store = connect(&database).await.unwrap();
    let tenant = store.tenants().await.unwrap().remove(0);
    let leaf = |id| build::category(id, Vec::new());
    let expected = build::tree(vec![build::category("z", vec![leaf("c"), leaf("b")]), leaf("a")]);
    assert_eq!(store.tenant(&tenant.id).categories().await.unwrap(), expected);
}
