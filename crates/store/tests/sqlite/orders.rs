//! Tests of the rows that orders change, which the ports do not show.

use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::Product;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::StoreError;
use pointbook_store::ports::{Execution, OrderStepOutcome, TenantData};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, at, order, order_id, product, recorded};
use pointbook_testkit::conformance::add_tenant;
use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

/// A tenant with one product with a stock of five, and a user who can pay for three.
async fn store() -> (tempfile::TempDir, Connection, Arc<dyn TenantData>) {
    let (folder, path, database) = new_file();
    let data = add_tenant(&database, "acme").await;
    let mug = build::upsert(Product { stock: Some(5), ..product("mug") });
    data.write(UpsertProducts(vec![mug])).await.unwrap();
    data.write(build::history([recorded("u1", activity("s1", 300))])).await.unwrap();
    (folder, Connection::open(path).unwrap(), data)
}

/// All rows that an order may change, as strings.
fn rows(database: &Connection) -> Vec<String> {
    let tables = [
        "SELECT concat_ws('|', id, balance, day_count, last_seq) FROM users ORDER BY id",
        "SELECT concat_ws('|', user_id, hex(id), points) FROM transactions ORDER BY user_id, seq",
        "SELECT concat_ws('|', id, stock, reserved, stock_supplied, version) FROM products ORDER BY id",
        "SELECT concat_ws('|', id, status) FROM orders ORDER BY id",
        "SELECT concat_ws('|', principal, key) FROM request_keys ORDER BY key",
        "SELECT version FROM catalogue_versions",
    ];
    let read = |sql| -> Vec<String> {
        let mut select = database.prepare(sql).unwrap();
        let rows = select.query_map([], |row| row.get::<_, rusqlite::types::Value>(0)).unwrap();
        rows.map(|row| format!("{:?}", row.unwrap())).collect()
    };
    tables.into_iter().flat_map(read).collect()
}

/// The number of the second order already exists, so the last write but one fails.
#[tokio::test]
async fn order_that_fails_halfway_leaves_no_row_and_no_key() {
    let (_folder, database, data) = store().await;
    data.write(PlaceOrder::without_end(order("o1", "u1", "mug"))).await.unwrap();
    let before = rows(&database);
    let mut second = order("o2", "u1", "mug");
    second.number = "NO-o1".to_owned();
    let failed = data
        .execute(
            PlaceOrder::without_end(second.clone()),
            build::once(build::request_key("k1", 1), build::noon()),
        )
        .await;
    assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
    assert_eq!(rows(&database), before);
}

/// The ledger decides whether an order was refunded, not the status of the order.
#[tokio::test]
async fn order_set_to_placed_by_hand_is_not_refunded_twice() {
    let (_folder, database, data) = store().await;
    data.write(PlaceOrder::without_end(order("o1", "u1", "mug"))).await.unwrap();
    data.write(StepOrder::without_end(order_id("o1"), build::cancel("o1"), at(1))).await.unwrap();
    database.execute("UPDATE orders SET status = 'placed', cancelled_at = NULL", []).unwrap();
    let before = rows(&database);
    let again =
        data.execute(StepOrder::without_end(order_id("o1"), build::cancel("o1-again"), at(2)), None).await;
    assert_eq!(again.unwrap(), Execution::Executed(OrderStepOutcome::RefundRecorded));
    assert_eq!(rows(&database), before);
}
