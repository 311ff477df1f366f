//! Orders with concurrent writes of the catalogue.

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::Product;
use pointbook_points::audit::stock::stock_counts;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::StoreError;
use pointbook_store::ports::{Execution, OrderStepOutcome, WrittenOrder};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, cancel, order, pieces, product, recorded};

use super::fixture::WaitingFixture;

/// The first statement of a write of the catalogue, which locks the version's row.
const RAISE: &str = "BEGIN; UPDATE catalogue_versions SET version = version + 1 WHERE tenant_id = 'acme'";

fn mug(stock: u32) -> Product {
    Product { stock: Some(stock), ..product("mug") }
}

/// Places an order while the second connection changes the product. The change is committed first.
async fn placed_while(change: &str) -> Option<(WaitingFixture, WrittenOrder)> {
    let fixture = WaitingFixture::with(mug(9)).await?;
    fixture.meanwhile(RAISE).await;
    fixture.meanwhile(change).await;
    let placing = fixture.placing(order("o1", "u1", "mug"));
    fixture.until_waiting(&placing).await;
    assert!(!placing.is_finished(), "the order must wait for the change of the product");
    fixture.meanwhile("COMMIT").await;
    let written = placing.await.unwrap();
    Some((fixture, written))
}

#[tokio::test]
async fn order_without_visible_change_does_not_wait_for_catalogue() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture.meanwhile(RAISE).await;
    assert!(!fixture.placing(order("o1", "u1", "mug")).await.unwrap().changes_catalogue);
    let visible = fixture.placing(pieces(3, order("o2", "u1", "mug")));
    fixture.until_waiting(&visible).await;
    assert!(!visible.is_finished());
    fixture.meanwhile("COMMIT").await;
    assert!(visible.await.unwrap().changes_catalogue);
    assert_eq!(fixture.data.catalogue_version().await.unwrap().0, 3);
}

#[tokio::test]
async fn order_uses_price_at_its_commit() {
    let change = "UPDATE products SET regular_price = 300, version = 2 WHERE tenant_id = 'acme'";
    let Some((_fixture, written)) = placed_while(change).await else { return };
    assert_eq!((written.order.points.get(), written.user_points.get()), (300, 9_700));
}

#[tokio::test]
async fn order_takes_nothing_from_stock_that_became_unlimited() {
    let change = "UPDATE products SET stock = NULL, stock_supplied = 0, version = 2 WHERE tenant_id = 'acme'";
    let Some((fixture, written)) = placed_while(change).await else { return };
    assert!(!written.order.takes_stock);
    let count = &stock_counts(&*fixture.data).await.unwrap()[0];
    assert_eq!((count.stock, count.reserved, count.taken), (None, 1, 0));
}

#[tokio::test]
async fn order_uses_low_stock_threshold_at_its_commit() {
    let change = "UPDATE catalogue_versions SET low_stock_threshold = 8 WHERE tenant_id = 'acme';
                  UPDATE products SET version = 2 WHERE tenant_id = 'acme'";
    let Some((fixture, written)) = placed_while(change).await else { return };
    assert!(written.changes_catalogue, "9 pieces are above the threshold, and 8 are low");
    assert_eq!(fixture.data.catalogue_version().await.unwrap().0, 3);
}

#[tokio::test]
async fn order_that_crosses_threshold_after_concurrent_orders_is_visible() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture
        .meanwhile("BEGIN; UPDATE products SET stock = 6, stock_supplied = 6 WHERE tenant_id = 'acme'")
        .await;
    let placing = fixture.placing(order("o1", "u1", "mug"));
    fixture.until_waiting(&placing).await;
    fixture.meanwhile("COMMIT").await;
    assert!(placing.await.unwrap().changes_catalogue, "6 pieces are above the threshold, and 5 are low");
    assert_eq!(fixture.data.catalogue_version().await.unwrap().0, 2);
}

#[tokio::test]
async fn cancelled_pieces_return_to_stock_that_became_limited_again() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture.placing(order("o1", "u1", "mug")).await.unwrap();
    fixture.data.write(UpsertProducts(vec![build::upsert(product("mug"))])).await.unwrap();
    fixture.meanwhile(RAISE).await;
    fixture
        .meanwhile("UPDATE products SET stock = 7, stock_supplied = 8, version = 3 WHERE tenant_id = 'acme'")
        .await;
    let data = fixture.data.clone();
    let cancelling = tokio::spawn(async move {
        data.execute(StepOrder::without_end(build::order_id("o1"), cancel("o1"), build::noon()), None)
            .await
            .unwrap()
    });
    fixture.until_waiting(&cancelling).await;
    fixture.meanwhile("COMMIT").await;
    let outcome = cancelling.await.unwrap();
    assert!(matches!(outcome, Execution::Executed(OrderStepOutcome::Done(_))), "{outcome:?}");
    let count = &stock_counts(&*fixture.data).await.unwrap()[0];
    assert_eq!((count.stock, count.supplied, count.taken), (Some(8), 8, 0));
}

/// This is not a race, so retries do not help: the service generated the same id twice.
#[tokio::test]
async fn existing_order_id_fails_and_changes_nothing() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture.data.write(build::history([recorded("u2", activity("first", 500))])).await.unwrap();
    fixture.placing(order("o1", "u1", "mug")).await.unwrap();
    let refused = fixture.data.execute(PlaceOrder::without_end(order("o1", "u2", "mug")), None).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(fixture.data.user(&build::user_id("u2")).await.unwrap().unwrap().balance.get(), 500);
    assert_eq!(stock_counts(&*fixture.data).await.unwrap()[0].taken, 1);
}
