//! Orders beside writes of the catalogue.

use pointbook_app::ports::{Execution, OrderStepOutcome, WrittenOrder};
use pointbook_app::{PlaceOrder, StepOrder, StoreError, UpsertProducts};
use pointbook_domain::Product;
use pointbook_testkit::build::{self, activity, cancel, order, pieces, product, recorded};

use crate::fixture::WaitingFixture;

/// What a write of the catalogue does first: the version's row is its own until it ends.
const RAISE: &str = "BEGIN; UPDATE catalogue_versions SET version = version + 1 WHERE tenant_id = 'acme'";

fn mug(stock: u32) -> Product {
    Product { stock: Some(stock), ..product("mug") }
}

/// Places an order while somebody else makes this change of the product, and is done with it first.
async fn placed_while(change: &str) -> Option<(WaitingFixture, WrittenOrder)> {
    let fixture = WaitingFixture::with(mug(9)).await?;
    fixture.meanwhile(RAISE).await;
    fixture.meanwhile(change).await;
    let placing = fixture.placing(order("o1", "u1", "mug"));
    fixture.until_waiting(&placing).await;
    assert!(!placing.is_finished(), "it takes no pieces of a product that is about to change");
    fixture.meanwhile("COMMIT").await;
    let written = placing.await.unwrap();
    Some((fixture, written))
}

#[tokio::test]
async fn an_order_that_no_client_sees_waits_for_no_write_of_the_catalogue() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture.meanwhile(RAISE).await;
    assert!(!fixture.placing(order("o1", "u1", "mug")).await.unwrap().changes_catalogue);
    let seen = fixture.placing(pieces(3, order("o2", "u1", "mug")));
    fixture.until_waiting(&seen).await;
    assert!(!seen.is_finished());
    fixture.meanwhile("COMMIT").await;
    assert!(seen.await.unwrap().changes_catalogue);
    assert_eq!(fixture.data.catalogue_version().await.unwrap().0, 3);
}

#[tokio::test]
async fn an_order_costs_what_the_product_costs_when_it_is_taken() {
    let change = "UPDATE products SET regular_price = 300, version = 2 WHERE tenant_id = 'acme'";
    let Some((_bed, written)) = placed_while(change).await else { return };
    assert_eq!((written.order.points.get(), written.user_points.get()), (300, 9_700));
}

#[tokio::test]
async fn an_order_takes_nothing_of_a_stock_that_became_unlimited() {
    let change =
        "UPDATE products SET stock = NULL, stock_supplied = NULL, version = 2 WHERE tenant_id = 'acme'";
    let Some((fixture, written)) = placed_while(change).await else { return };
    assert!(!written.order.takes_stock);
    let count = &fixture.data.stock_counts(None, 1).await.unwrap()[0];
    assert_eq!((count.stock, count.reserved, count.taken_pieces), (None, 1, 0));
}

#[tokio::test]
async fn an_order_is_shown_by_the_threshold_that_holds_when_it_is_taken() {
    let change = "UPDATE catalogue_versions SET low_stock_threshold = 8 WHERE tenant_id = 'acme';
                  UPDATE products SET version = 2 WHERE tenant_id = 'acme'";
    let Some((fixture, written)) = placed_while(change).await else { return };
    assert!(written.changes_catalogue, "9 pieces were plenty, and 8 are low");
    assert_eq!(fixture.data.catalogue_version().await.unwrap().0, 3);
}

#[tokio::test]
async fn an_order_that_other_orders_made_the_last_of_plenty_is_shown() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture
        .meanwhile("BEGIN; UPDATE products SET stock = 6, stock_supplied = 6 WHERE tenant_id = 'acme'")
        .await;
    let placing = fixture.placing(order("o1", "u1", "mug"));
    fixture.until_waiting(&placing).await;
    fixture.meanwhile("COMMIT").await;
    assert!(placing.await.unwrap().changes_catalogue, "6 pieces are plenty, and 5 are low");
    assert_eq!(fixture.data.catalogue_version().await.unwrap().0, 2);
}

#[tokio::test]
async fn pieces_come_back_to_a_stock_that_became_limited_again() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture.placing(order("o1", "u1", "mug")).await.unwrap();
    fixture.data.write(UpsertProducts(vec![build::upsert(product("mug"))])).await.unwrap();
    fixture.meanwhile(RAISE).await;
    fixture
        .meanwhile("UPDATE products SET stock = 7, stock_supplied = 8, version = 3 WHERE tenant_id = 'acme'")
        .await;
    let data = fixture.data.clone();
    let cancelling = tokio::spawn(async move {
        data.execute(StepOrder { id: build::order_id("o1"), step: cancel("o1"), at: build::noon() }, None)
            .await
            .unwrap()
    });
    fixture.until_waiting(&cancelling).await;
    fixture.meanwhile("COMMIT").await;
    let outcome = cancelling.await.unwrap();
    assert!(matches!(outcome, Execution::Executed(OrderStepOutcome::Done(_))), "{outcome:?}");
    let count = &fixture.data.stock_counts(None, 1).await.unwrap()[0];
    assert_eq!((count.stock, count.supplied, count.taken_pieces), (Some(8), Some(8), 0));
}

/// It is no race, however often it is tried: the service made the id twice.
#[tokio::test]
async fn an_id_that_another_order_has_for_good_is_a_failure_and_takes_nothing() {
    let Some(fixture) = WaitingFixture::with(mug(9)).await else { return };
    fixture.data.write(build::history([recorded("u2", activity("first", 500))])).await.unwrap();
    fixture.placing(order("o1", "u1", "mug")).await.unwrap();
    let refused = fixture.data.execute(PlaceOrder(order("o1", "u2", "mug")), None).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(fixture.data.user(&build::user_id("u2")).await.unwrap().unwrap().balance.get(), 500);
    assert_eq!(fixture.data.stock_counts(None, 1).await.unwrap()[0].taken_pieces, 1);
}
