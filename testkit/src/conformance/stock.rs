//! Facts of the counts of stock. The ledger model checks the counts after each order, step and change of a product.

use std::sync::Arc;

use pointbook_catalogue::commands::RetireProducts;
use pointbook_domain::Product;
use pointbook_points::audit::stock::stock_counts;
use pointbook_store::ports::Database;

use super::order_steps::done;
use super::orders::{placed, put_product, shop};
use crate::build;
use crate::build::{cancel, order, pieces, price, product, product_id};

fn mug(stock: Option<u32>) -> Product {
    Product { stock, regular_price: price(10), ..product("mug") }
}

/// The order is by code point. Each product comes once, including retired ones.
pub async fn stock_counts_are_in_the_order_of_ids(database: Arc<dyn Database>) {
    let data = super::add_tenant(&database, "acme").await;
    let sorted = ["1", "10", "2", "Z", "a", "é", "か", "\u{ff21}", "\u{1f600}"];
    for id in sorted.iter().rev() {
        put_product(&data, product(id)).await;
    }
    data.write(RetireProducts { ids: vec![product_id("Z")], at: build::noon() }).await.unwrap();
    let counts = stock_counts(&*data).await.unwrap();
    assert!(counts.iter().map(|count| count.product_id.as_str()).eq(sorted));
}

/// What orders took stays counted while the stock is unlimited, and what they return then does not count any more.
pub async fn an_unlimited_stock_counts_what_orders_took(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    let counts = async || {
        let count = stock_counts(&*data).await.unwrap().remove(0);
        (count.stock, count.supplied, count.taken)
    };
    placed(&data, &pieces(3, order("o1", "u1", "mug"))).await;
    put_product(&data, mug(None)).await;
    assert_eq!(counts().await, (None, 3, 3));
    put_product(&data, mug(Some(5))).await;
    assert_eq!(counts().await, (Some(5), 8, 3));
    put_product(&data, mug(None)).await;
    done(&data, "o1", &cancel("o1")).await;
    assert_eq!(counts().await, (None, 0, 0));
    put_product(&data, mug(Some(4))).await;
    assert_eq!(counts().await, (Some(4), 4, 0));
}
