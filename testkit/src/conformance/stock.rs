//! Facts of the counts of stock. The ledger model checks the counts after each order, step and change of a product.

use std::sync::Arc;

use pointbook_catalogue::commands::RetireProducts;
use pointbook_store::ports::{Database, StockCount};

use super::orders::put_product;
use crate::build;
use crate::build::{product, product_id};

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
