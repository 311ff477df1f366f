//! Facts of following a catalogue.

use std::sync::Arc;

use pointbook_catalogue::commands::{RetireProducts, UpsertProducts};
use pointbook_domain::{Product, ProductId};
use pointbook_store::ports::ProductChange::{Retired, Upserted};
use pointbook_store::ports::{CatalogueVersion, Database, ProductChange, TenantData};

use super::add_tenant;
use crate::build;
use crate::build::{product, product_id};

async fn upsert(data: &Arc<dyn TenantData>, products: Vec<Product>) {
    let upserts: Vec<_> = products.into_iter().map(build::upsert).collect();
    data.write(UpsertProducts(upserts.clone())).await.unwrap();
}

async fn changes(data: &Arc<dyn TenantData>, since: u64) -> Vec<ProductChange> {
    data.product_changes(CatalogueVersion(since), None, 1_000).await.unwrap()
}

fn upserted(product: Product) -> ProductChange {
    Upserted(Box::new(product))
}

/// A new tenant has this version.
pub async fn an_empty_catalogue_has_version_zero(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(data.catalogue_version().await.unwrap(), CatalogueVersion(0));
    assert_eq!(changes(&data, 0).await, []);
    assert_eq!(data.categories().await.unwrap(), build::tree(vec![]));
}

/// A first snapshot needs these products.
pub async fn changes_since_zero_are_the_unretired_products(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    upsert(&data, vec![product("c"), product("a"), product("b")]).await;
    data.write(RetireProducts { ids: vec![product_id("b")], at: build::noon() }).await.unwrap();
    assert_eq!(changes(&data, 0).await, [upserted(product("a")), upserted(product("c"))]);
}

/// A snapshot of an older version needs these changes.
pub async fn later_changes_hold_tombstones_and_nothing_unchanged(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let changed = Product { popular: true, ..product("c") };
    upsert(&data, vec![product("a"), product("b"), product("c"), product("d")]).await;
    upsert(&data, vec![product("a"), changed.clone()]).await;
    data.write(RetireProducts { ids: ["b", "d"].map(product_id).to_vec(), at: build::noon() }).await.unwrap();
    upsert(&data, vec![product("d"), product("e")]).await;
    let (b, c, d, e) =
        (Retired(product_id("b")), upserted(changed), upserted(product("d")), upserted(product("e")));
    assert_eq!(changes(&data, 1).await, [b.clone(), c, d.clone(), e.clone()]);
    assert_eq!(changes(&data, 2).await, [b, d.clone(), e.clone()]);
    assert_eq!(changes(&data, 3).await, [d, e]);
    assert_eq!(changes(&data, 4).await, []);
}

/// The order is by code point, from version 0 and from a later one. Each change comes exactly once.
pub async fn changes_are_paged_by_id(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let listed = ["1", "10", "2", "Z", "a", "é", "か", "\u{ff21}", "\u{1f600}"];
    let with_tombstone = ["1", "10", "2", "Z", "a", "retired", "é", "か", "\u{ff21}", "\u{1f600}"];
    upsert(&data, vec![product("retired")]).await;
    upsert(&data, listed.iter().rev().map(|id| product(id)).collect()).await;
    data.write(RetireProducts { ids: vec![product_id("retired")], at: build::noon() }).await.unwrap();
    for (since, expected) in [(0, &listed[..]), (1, &with_tombstone)] {
        let mut seen: Vec<ProductId> = Vec::new();
        loop {
            let page = data.product_changes(CatalogueVersion(since), seen.last(), 4).await.unwrap();
            assert!(page.len() <= 4);
            if page.is_empty() {
                break;
            }
            seen.extend(page.iter().map(|change| change.id().clone()));
        }
        assert!(seen.iter().map(ProductId::as_str).eq(expected.iter().copied()), "{since}: {seen:?}");
    }
}
