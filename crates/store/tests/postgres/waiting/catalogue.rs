//! Writes of the catalogue with concurrent readers and orders.

use std::collections::BTreeSet;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::Product;
use pointbook_store::ports::{CatalogueVersion, StoredProductFilter, TenantData};
use pointbook_testkit::build;
use pointbook_testkit::build::product;

use super::fixture::WaitingFixture;

const WRITERS: u32 = 6;
const ROUNDS: u32 = 15;

/// The version, and the ids of all products that were read after it.
async fn ids_after(data: &dyn TenantData) -> (CatalogueVersion, BTreeSet<String>) {
    let version = data.catalogue_version().await.unwrap();
    let changes = data.product_changes(CatalogueVersion(0), None, 1_000).await.unwrap();
    (version, changes.iter().map(|change| change.id().to_string()).collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reader_of_version_sees_all_products_up_to_it() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let data = fixture.data.clone();
            tokio::spawn(async move {
                for round in 0..ROUNDS {
                    let product = product(&format!("{writer}-{round}"));
                    data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
                }
            })
        })
        .collect();
    let mut reads = Vec::new();
    while writers.iter().any(|writer| !writer.is_finished()) {
        reads.push(ids_after(&*fixture.data).await);
    }
    let all = fixture.data.products(&StoredProductFilter::default(), build::page(1, 1_000)).await.unwrap();
    assert_eq!(all.total, u64::from(WRITERS * ROUNDS) + 1);
    for (version, ids) in reads {
        for stored in all.items.iter().filter(|stored| stored.version <= version) {
            let id = stored.product.id.as_str();
            assert!(ids.contains(id), "{id} of {:?} is missing at {version:?}", stored.version);
        }
    }
}

#[tokio::test]
async fn product_write_that_keeps_stock_does_not_undo_order() {
    let Some(fixture) = WaitingFixture::with(Product { stock: Some(9), ..product("mug") }).await else {
        return;
    };
    fixture
        .meanwhile("BEGIN; UPDATE products SET stock = 8, stock_supplied = 8 WHERE tenant_id = 'acme'")
        .await;
    let data = fixture.data.clone();
    let upserting = tokio::spawn(async move {
        let renamed = Product { title: "Cup".to_owned(), ..product("mug") };
        let upsert = pointbook_store::ports::ProductUpsert { keep_stock: true, ..build::upsert(renamed) };
        data.write(UpsertProducts(vec![upsert])).await.unwrap();
    });
    fixture.until_waiting(&upserting).await;
    fixture.meanwhile("COMMIT").await;
    upserting.await.unwrap();
    let stored = fixture.data.product(&build::product_id("mug")).await.unwrap().unwrap();
    assert_eq!((stored.product.stock, stored.product.title.as_str()), (Some(8), "Cup"));
}
