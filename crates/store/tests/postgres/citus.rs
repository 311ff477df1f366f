//! Tests of a database that is split by tenant: it is split once, stays split, and commits a tenant's writes on one server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pointbook_store::ports::Database;
use pointbook_store::postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::filled::filled;
use pointbook_testkit::postgres::{PostgresDatabase, citus_database};
use tokio_postgres::{Client, NoTls};

fn url(database: &PostgresDatabase) -> PostgresUrl {
    PostgresUrl::parse(&database.url).unwrap()
}

fn options() -> PostgresOptions {
    PostgresOptions::new(build::noon())
}

async fn migrate(database: &PostgresDatabase) {
    PostgresStore::migrate(&url(database), &options()).await.unwrap();
}

async fn split(database: &PostgresDatabase) -> Vec<&'static str> {
    PostgresStore::split(&url(database), &options()).await.unwrap()
}

async fn connect(database: &PostgresDatabase) -> Arc<dyn Database> {
    Arc::new(PostgresStore::connect(&url(database), &options()).await.unwrap())
}

async fn client(database: &PostgresDatabase) -> Client {
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// How many tables are split, and how many are complete on every server.
async fn tables(client: &Client) -> (usize, usize) {
    let select = "SELECT count(*) FILTER (WHERE partmethod = 'h'), count(*) FILTER (WHERE partmethod = 'n') \
                 FROM pg_dist_partition";
    let row = client.query_one(select, &[]).await.unwrap();
    let count = |column| usize::try_from(row.get::<_, i64>(column)).unwrap();
    (count(0), count(1))
}

#[tokio::test]
async fn database_with_rows_is_split_once() {
    let Some(database) = citus_database().await else { return };
    migrate(&database).await;
    filled(&connect(&database).await, "before").await;
    let client = client(&database).await;
    let ledger = "SELECT tenant_id, id, points FROM transactions ORDER BY 1, 2";
    let before = client.simple_query(ledger).await.unwrap();

    assert_eq!(split(&database).await.len(), 2 + tables(&client).await.0);
    assert_eq!(tables(&client).await.1, 2);
    assert_eq!(split(&database).await, <[&str; 0]>::default());

    assert_eq!(format!("{:?}", client.simple_query(ledger).await.unwrap()), format!("{before:?}"));
    filled(&connect(&database).await, "after").await;
}

#[tokio::test]
async fn later_migration_splits_new_table() {
    let Some(database) = citus_database().await else { return };
    migrate(&database).await;
    split(&database).await;
    let client = client(&database).await;
    let split = tables(&client).await;
    let make_local =
        "ALTER TABLE jobs DROP CONSTRAINT jobs_tenant_id_fkey; SELECT undistribute_table('jobs')";
    for statement in make_local.split("; ") {
        client.batch_execute(statement).await.unwrap();
    }
    assert_eq!(tables(&client).await, (split.0 - 1, split.1));
    migrate(&database).await;
    assert_eq!(tables(&client).await, split);
}

#[tokio::test]
async fn service_role_is_refused() {
    let Some(database) = citus_database().await else { return };
    migrate(&database).await;
    split(&database).await;
    let refused = PostgresStore::set_up_service_role(&url(&database), &options(), "anybody").await;
    assert!(matches!(refused, Err(ConnectError::RoleOnCitus)), "{refused:?}");
}

/// Citus writes a row for each server of a two-phase commit.
#[tokio::test]
async fn writes_of_tenant_commit_in_one_phase() {
    let Some(database) = citus_database().await else { return };
    migrate(&database).await;
    split(&database).await;
    let begun = two_phase_commits(&database).await;
    connect(&database).await.insert_tenant(&build::tenant("empty"), &[]).await.unwrap();
    let of_a_tenant = two_phase_commits(&database).await - begun;
    assert!(of_a_tenant > 0, "inserting a tenant must commit on every server");
    filled(&connect(&database).await, "filled").await;
    assert_eq!(two_phase_commits(&database).await, begun + 2 * of_a_tenant);
}

/// The number of two-phase commits. The store's connections report their statistics at their end at the latest.
async fn two_phase_commits(database: &PostgresDatabase) -> i64 {
    let client = client(database).await;
    let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                  AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%' \
                  AND pid <> pg_backend_pid()";
    let patience = Instant::now() + Duration::from_secs(20);
    while client.query_one(others, &[]).await.unwrap().get::<_, i64>(0) > 0 {
        assert!(Instant::now() < patience, "every connection of the store must close");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let count = "SELECT n_tup_ins FROM pg_stat_all_tables WHERE relname = 'pg_dist_transaction'";
    client.query_one(count, &[]).await.unwrap().get(0)
}
