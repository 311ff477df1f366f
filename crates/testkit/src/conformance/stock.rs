//! Facts of stock and orders: the stock is the supply minus the pieces that orders took.

use std::sync::Arc;

use pointbook_app::ports::UpsertOutcome::{Created, Replaced, Unchanged};
use pointbook_app::ports::{Database, OrderStep, ProductUpsert, StockCount, TenantData};
use pointbook_app::{RetireProducts, UpsertProducts};
use pointbook_domain::Product;

use super::order_steps::done;
use super::orders::{placed, put_product, shop};
use crate::build::{self, cancel, order, pieces, product, product_id};

/// Stock, supply and reserved pieces of the only product. Panics unless they agree with the orders.
async fn counts(data: &Arc<dyn TenantData>) -> (Option<i64>, Option<i64>, i64) {
    let counts = data.stock_counts(None, 10).await.unwrap();
    assert_eq!(counts.len(), 1);
    let StockCount { stock, supplied, reserved, placed_pieces, taken_pieces, .. } = counts[0];
    assert_eq!(reserved, placed_pieces);
    assert_eq!(supplied, stock.map(|stock| stock + taken_pieces));
    (stock, supplied, reserved)
}

fn mug(stock: Option<u32>) -> Product {
    Product { stock, ..product("mug") }
}

/// A shop with one limited product. 3 of its 10 pieces are ordered.
async fn with_an_order(database: &Arc<dyn Database>) -> Arc<dyn TenantData> {
    let data = shop(database, mug(Some(10)), 10_000).await;
    placed(&data, &pieces(3, order("o1", "u1", "mug"))).await;
    data
}

/// Fulfilled pieces stay taken.
pub async fn stock_is_the_supply_minus_taken_pieces(database: Arc<dyn Database>) {
    let data = with_an_order(&database).await;
    assert_eq!(counts(&data).await, (Some(7), Some(10), 3));
    placed(&data, &pieces(2, order("o2", "u1", "mug"))).await;
    assert_eq!(counts(&data).await, (Some(5), Some(10), 5));
    done(&data, "o1", &OrderStep::Fulfil).await;
    assert_eq!(counts(&data).await, (Some(5), Some(10), 2));
    done(&data, "o2", &cancel("o2")).await;
    assert_eq!(counts(&data).await, (Some(7), Some(10), 0));
}

/// The stock may rise or fall.
pub async fn new_stock_moves_the_supply(database: Arc<dyn Database>) {
    let data = with_an_order(&database).await;
    put_product(&data, mug(Some(20))).await;
    assert_eq!(counts(&data).await, (Some(20), Some(23), 3));
    put_product(&data, mug(Some(0))).await;
    assert_eq!(counts(&data).await, (Some(0), Some(3), 3));
    done(&data, "o1", &cancel("o1")).await;
    assert_eq!(counts(&data).await, (Some(3), Some(3), 0));
}

/// The counts agree with orders from before and after each change.
pub async fn a_stock_may_become_unlimited_and_limited_again(database: Arc<dyn Database>) {
    let data = with_an_order(&database).await;
    placed(&data, &pieces(2, order("gone", "u1", "mug"))).await;
    done(&data, "gone", &OrderStep::Fulfil).await;
    put_product(&data, mug(None)).await;
    assert_eq!(counts(&data).await, (None, None, 3));
    placed(&data, &pieces(4, order("o2", "u1", "mug"))).await;
    put_product(&data, mug(Some(5))).await;
    assert_eq!(counts(&data).await, (Some(5), Some(10), 7));
    done(&data, "o1", &cancel("o1")).await;
    assert_eq!(counts(&data).await, (Some(8), Some(10), 4));
    done(&data, "o2", &cancel("o2")).await;
    assert_eq!(counts(&data).await, (Some(8), Some(10), 0));
}

/// Therefore a new title brings back no sold pieces. A new product gets the default.
pub async fn a_product_may_keep_its_stock(database: Arc<dyn Database>) {
    let data = with_an_order(&database).await;
    let keep = |product| vec![ProductUpsert { product, keep_published_at: false, keep_stock: true }];
    assert_eq!(data.write(UpsertProducts(keep(mug(Some(10))))).await.unwrap(), [Unchanged]);
    let titled = Product { title: "New".into(), ..mug(None) };
    assert_eq!(data.write(UpsertProducts(keep(titled))).await.unwrap(), [Replaced]);
    assert_eq!(counts(&data).await, (Some(7), Some(10), 3));
    let new = Product { stock: Some(4), ..product("a new one") };
    assert_eq!(data.write(UpsertProducts(keep(new))).await.unwrap(), [Created]);
    let stored = data.product(&product_id("a new one")).await.unwrap().unwrap();
    assert_eq!((stored.product.stock, stored.reserved), (Some(4), 0));
}

/// Cancelled pieces return to the current stock.
pub async fn orders_outlive_a_retirement(database: Arc<dyn Database>) {
    let data = with_an_order(&database).await;
    data.write(RetireProducts { ids: vec![product_id("mug")], at: build::noon() }).await.unwrap();
    assert_eq!(counts(&data).await, (Some(7), Some(10), 3));
    let keep = ProductUpsert { product: mug(None), keep_published_at: false, keep_stock: true };
    assert_eq!(data.write(UpsertProducts(vec![keep])).await.unwrap(), [Created]);
    assert_eq!(counts(&data).await, (Some(7), Some(10), 3));
    data.write(RetireProducts { ids: vec![product_id("mug")], at: build::noon() }).await.unwrap();
    put_product(&data, mug(Some(1))).await;
    assert_eq!(counts(&data).await, (Some(1), Some(4), 3));
    assert_eq!(data.product(&product_id("mug")).await.unwrap().unwrap().reserved, 3);
    done(&data, "o1", &cancel("o1")).await;
    assert_eq!(counts(&data).await, (Some(4), Some(4), 0));
}

/// The order is by code point. Each product comes once, including retired ones.
pub async fn stock_counts_are_paged_by_id(database: Arc<dyn Database>) {
    let data = super::add_tenant(&database, "acme").await;
    let sorted = ["1", "10", "2", "Z", "a", "é", "か", "\u{ff21}", "\u{1f600}"];
    for id in sorted.iter().rev() {
        put_product(&data, product(id)).await;
    }
    data.write(RetireProducts { ids: vec![product_id("Z")], at: build::noon() }).await.unwrap();
    let mut seen: Vec<StockCount> = Vec::new();
    loop {
        let page = data.stock_counts(seen.last().map(|count| &count.product_id), 4).await.unwrap();
        assert!(page.len() <= 4);
        if page.is_empty() {
            break;
        }
        seen.extend(page);
    }
    assert!(seen.iter().map(|count| count.product_id.as_str()).eq(sorted));
}
