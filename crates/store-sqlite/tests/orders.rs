//! Tests of the rows that orders change, which the ports do not show.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use std::sync::Arc;

use pointbook_app::ports::{
    Database, Execution, OrderStepOutcome, PlaceOrderOutcome, ProductUpsert, TenantData,
};
use pointbook_app::{PlaceOrder, RetireProducts, StepOrder, StoreError, UpsertProducts};
use pointbook_domain::{OrderRefusal, Product};
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build::{self, activity, at, order, order_id, pieces, product, recorded};
use pointbook_testkit::conformance::add_tenant;
use rusqlite::Connection;

/// A tenant with one product with a stock of five, and a user who can pay for three.
async fn store() -> (tempfile::TempDir, Connection, Arc<dyn TenantData>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let database: Arc<dyn Database> =
        Arc::new(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap());
    let data = add_tenant(&database, "acme").await;
    data.write(UpsertProducts(vec![in_stock(Some(5))])).await.unwrap();
    data.write(build::history([recorded("u1", activity("s1", 300))])).await.unwrap();
    (folder, Connection::open(path).unwrap(), data)
}

fn in_stock(stock: Option<u32>) -> ProductUpsert {
    build::upsert(Product { stock, ..product("mug") })
}

/// All rows that an order may change, as strings.
fn rows(database: &Connection) -> Vec<String> {
    let tables = [
        "SELECT concat_ws('|', id, balance, day_count, last_seq) FROM users ORDER BY id",
        "SELECT concat_ws('|', user_id, id, points) FROM transactions ORDER BY user_id, seq",
        "SELECT concat_ws('|', user_id, day, transaction_count) FROM history_days ORDER BY user_id, day",
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

#[tokio::test]
async fn refused_order_leaves_no_row() {
    let (_folder, database, data) = store().await;
    let before = rows(&database);
    let refused = [
        (order("o1", "u1", "unknown"), OrderRefusal::UnknownProduct),
        (pieces(6, order("o2", "u1", "mug")), OrderRefusal::NotEnoughStock),
        (pieces(4, order("o3", "u1", "mug")), OrderRefusal::TooFewPoints),
        (order("o4", "stranger", "mug"), OrderRefusal::TooFewPoints),
    ];
    for (order, refusal) in refused {
        let outcome = data.execute(PlaceOrder(order), None).await.unwrap();
        assert_eq!(outcome, Execution::Executed(PlaceOrderOutcome::Refused(refusal)));
    }
    assert_eq!(rows(&database), before);
}

/// The number of the second order already exists, so the last write but one fails.
#[tokio::test]
async fn order_that_fails_halfway_leaves_no_row_and_no_key() {
    let (_folder, database, data) = store().await;
    data.write(PlaceOrder(order("o1", "u1", "mug"))).await.unwrap();
    let before = rows(&database);
    let mut second = order("o2", "u1", "mug");
    second.number = "NO-o1".to_owned();
    let failed = data
        .execute(PlaceOrder(second.clone()), build::once(build::request_key("k1", 1), build::noon()))
        .await;
    assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
    assert_eq!(rows(&database), before);
}

/// The ledger decides whether an order was refunded, not the status of the order.
#[tokio::test]
async fn order_set_to_placed_by_hand_is_not_refunded_twice() {
    let (_folder, database, data) = store().await;
    data.write(PlaceOrder(order("o1", "u1", "mug"))).await.unwrap();
    data.write(StepOrder { id: order_id("o1"), step: build::cancel("o1"), at: at(1) }).await.unwrap();
    database.execute("UPDATE orders SET status = 'placed', cancelled_at = NULL", []).unwrap();
    let before = rows(&database);
    let again = data
        .execute(StepOrder { id: order_id("o1"), step: build::cancel("o1-again"), at: at(2) }, None)
        .await;
    assert_eq!(again.unwrap(), Execution::Executed(OrderStepOutcome::RefundRecorded));
    assert_eq!(rows(&database), before);
}

/// A stock has 32 bits. Pieces that do not fit count as never supplied.
#[tokio::test]
async fn returned_pieces_beyond_largest_stock_are_dropped() {
    let (_folder, database, data) = store().await;
    data.write(PlaceOrder(pieces(3, order("o1", "u1", "mug")))).await.unwrap();
    data.write(UpsertProducts(vec![in_stock(Some(u32::MAX - 1))])).await.unwrap();
    let cancelled = data
        .execute(StepOrder { id: order_id("o1"), step: build::cancel("o1"), at: at(1) }, None)
        .await
        .unwrap();
    assert!(matches!(cancelled, Execution::Executed(OrderStepOutcome::Done(_))), "{cancelled:?}");
    let stock = "SELECT stock, reserved, stock_supplied FROM products";
    let stock = database.query_row(stock, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    assert_eq!(stock.unwrap(), (i64::from(u32::MAX), 0, i64::from(u32::MAX)));
}

/// Clients do not see a retired product, so returning its last piece changes nothing for them.
#[tokio::test]
async fn returning_piece_to_retired_product_keeps_version() {
    let (_folder, database, data) = store().await;
    data.write(UpsertProducts(vec![in_stock(Some(1))])).await.unwrap();
    data.write(PlaceOrder(order("o1", "u1", "mug"))).await.unwrap();
    data.write(RetireProducts { ids: vec![build::product_id("mug")], at: at(1) }).await.unwrap();
    let before = data.catalogue_version().await.unwrap();
    let cancelled = data
        .execute(StepOrder { id: order_id("o1"), step: build::cancel("o1"), at: at(2) }, None)
        .await
        .unwrap();
    let Execution::Executed(OrderStepOutcome::Done(written)) = cancelled else { panic!("{cancelled:?}") };
    assert!(!written.changes_catalogue);
    assert_eq!(data.catalogue_version().await.unwrap(), before);
    let stock: i64 = database.query_row("SELECT stock FROM products", [], |row| row.get(0)).unwrap();
    assert_eq!(stock, 1);
}
