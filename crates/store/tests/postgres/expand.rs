//! Tests that a running older version keeps working while a newer one expands the schema.

use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{Database, Execution, PlaceOrderOutcome, RecordActivityOutcome, TenantData};
use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, order, product, to_record};
use pointbook_testkit::postgres::Isolation;
use tokio_postgres::{Client, NoTls};

use crate::role::migrated;

/// Begins the largest possible migration of a newer version, which gives every table a column and an index.
const EXPAND: &str = "BEGIN; LOCK TABLE schema_migrations IN EXCLUSIVE MODE;
    INSERT INTO schema_migrations VALUES (99, '0099_of_tomorrow', 0)";

/// Reads and writes tables of a tenant, with new names each time.
async fn work(data: &Arc<dyn TenantData>, name: &str) {
    data.write(UpsertProducts(vec![build::upsert(product("mug"))])).await.unwrap();
    let recorded = data
        .execute(RecordActivity::without_end(to_record("u1", activity(name, 1_000)), build::noon()), None)
        .await;
    assert!(matches!(recorded.unwrap(), Execution::Executed(RecordActivityOutcome::Recorded(_))), "{name}");
    let placed = data.execute(PlaceOrder::without_end(order(name, "u1", "mug")), None).await.unwrap();
    assert!(matches!(placed, Execution::Executed(PlaceOrderOutcome::Placed(_))), "{placed:?}");
    let history = data.history_page(&build::user_id("u1"), build::page(1, 10)).await.unwrap();
    assert!(!history.rows.is_empty(), "{name}");
}

/// The statements that add a column and an index to every table of a tenant.
async fn growth(client: &Client) -> String {
    let tables = "SELECT table_name::text FROM information_schema.columns
                  WHERE table_schema = current_schema() AND column_name = 'tenant_id' ORDER BY table_name";
    let rows = client.query(tables, &[]).await.unwrap();
    let grow = |table: String| {
        format!(
            "ALTER TABLE {table} ADD COLUMN grown BIGINT NOT NULL DEFAULT 0;
             CREATE INDEX {table}_by_grown ON {table} (tenant_id, grown);"
        )
    };
    rows.iter().map(|row| grow(row.get(0))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_store_keeps_working_while_schema_expands() {
    let Some(database) = migrated(Isolation::ReadCommitted).await else { return };
    let (url, options) = (PostgresUrl::parse(&database.url).unwrap(), PostgresOptions::new(build::noon()));
    let store: Arc<dyn Database> = Arc::new(PostgresStore::connect(&url, &options).await.unwrap());
    let tenant = build::tenant("acme");
    store.insert_tenant(&tenant, &[]).await.unwrap();
    let data = store.tenant(&tenant.id);
    // After this, the statements are prepared.
    work(&data, "before").await;
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("{EXPAND}; {}", growth(&client).await)).await.unwrap();
    let during = tokio::spawn({
        let data = data.clone();
        async move { work(&data, "during").await }
    });
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while client.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        assert!(!during.is_finished());
    }
    client.batch_execute("COMMIT").await.unwrap();
    during.await.unwrap();
    work(&data, "after").await;
    store.ping().await.unwrap();
}
