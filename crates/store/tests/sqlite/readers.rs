//! Tests that reads never wait for a write, and see only committed data.

use std::sync::Arc;

use pointbook_access::tokens::issue::StoreToken;
use pointbook_catalogue::commands::{ReplaceCategories, UpsertProducts};
use pointbook_domain::TokenHash;
use pointbook_points::audit::stock::stock_counts;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{
    CatalogueVersion, Database, OrderFilter, StoredProductFilter, TenantData, UserFilter,
};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, category, order, order_id, page, recorded, upsert, user_id};
use pointbook_testkit::conformance::add_tenant;
use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

/// Only a write-ahead log allows reads during an exclusive transaction.
#[tokio::test]
async fn every_read_succeeds_while_one_write_runs_and_another_waits() {
    let (_folder, path, database) = new_file();
    let data = filled(&database).await;
    let before = everything(&database, &data).await;
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch(
            "BEGIN EXCLUSIVE; UPDATE users SET balance = 6; UPDATE transactions SET title = 'Changed';
             UPDATE products SET title = 'Changed'; UPDATE orders SET number = 'Changed'; DELETE FROM tokens;
             UPDATE category_trees SET categories = '[]'; UPDATE catalogue_versions SET version = 9",
        )
        .unwrap();
    let writer = data.clone();
    let waiting =
        tokio::spawn(async move { writer.write(build::history([recorded("u1", activity("s2", 5))])).await });
    for _ in 0..3 {
        assert_eq!(everything(&database, &data).await, before);
    }
    assert!(!waiting.is_finished());
    other.execute_batch("ROLLBACK").unwrap();
    waiting.await.unwrap().unwrap();
    assert_ne!(everything(&database, &data).await, before);
}

async fn filled(database: &Arc<dyn Database>) -> Arc<dyn TenantData> {
    let data = add_tenant(database, "acme").await;
    data.write(build::history([recorded("u1", activity("s1", 500))])).await.unwrap();
    data.write(UpsertProducts(vec![upsert(build::product("mug"))])).await.unwrap();
    data.write(ReplaceCategories::with(&build::tree(vec![category("cups", vec![])]))).await.unwrap();
    data.write(PlaceOrder::without_end(order("o1", "u1", "mug"))).await.unwrap();
    data.write(StoreToken(build::token(1, Some("u1")))).await.unwrap();
    data
}

/// The results of all reads, long and short.
async fn everything(database: &Arc<dyn Database>, data: &Arc<dyn TenantData>) -> Vec<String> {
    let (user, mug, first) = (user_id("u1"), build::product_id("mug"), page(1, 15));
    let of_user = OrderFilter { user_id: Some(user.clone()), ..OrderFilter::default() };
    database.ping().await.unwrap();
    vec![
        format!("{:?}", database.tenants().await.unwrap()),
        format!("{:?}", data.history_page(&user, first).await.unwrap()),
        format!("{:?}", data.entries_after(None, 10).await.unwrap()),
        format!("{:?}", data.user(&user).await.unwrap()),
        format!("{:?}", data.users(&UserFilter::default(), first).await.unwrap()),
        format!("{:?}", data.find_token(&TokenHash([1; 32])).await.unwrap().is_some()),
        format!("{:?}", data.catalogue_version().await.unwrap()),
        format!("{:?}", data.product_changes(CatalogueVersion(0), None, 10).await.unwrap()),
        format!("{:?}", data.categories().await.unwrap()),
        format!("{:?}", data.product(&mug).await.unwrap()),
        format!("{:?}", data.products(&StoredProductFilter::default(), first).await.unwrap()),
        format!("{:?}", stock_counts(&**data).await.unwrap()),
        format!("{:?}", data.order(&order_id("o1")).await.unwrap()),
        format!("{:?}", data.orders(&of_user, first).await.unwrap()),
        format!("{:?}", data.orders(&OrderFilter::default(), first).await.unwrap()),
        format!("{:?}", data.most_ordered(build::on_day(-90), 10).await.unwrap()),
    ]
}
