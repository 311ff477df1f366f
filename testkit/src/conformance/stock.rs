//! Facts of the counts of stock. The ledger model checks the counts after each order, step and change of a product.

use std::sync::Arc;

use pointbook_catalogue::commands::RetireProducts;
use pointbook_points::audit::stock::stock_counts;
use pointbook_store::ports::Database;

use super::orders::put_product;
use crate::build;
use crate::build::{product, product_id};

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
