//! Tests that the most ordered products are popular in a tenant's snapshot.

use std::sync::Arc;

use pointbook_catalogue::cache::{CatalogueCache, CatalogueOptions};
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_catalogue::index::{Fragment, ProductFilter, ProductQuery, Snapshot};
use pointbook_domain::{TenantSettings, Timestamp};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{NewOrder, PlaceOrderOutcome, TenantData};
use pointbook_store::tenant_secret::TenantSecrets;
use pointbook_testkit::build::{activity, noon, on_day, page, product, recorded, upsert};
use pointbook_testkit::conformance::add_tenant;
use pointbook_testkit::sqlite::new_file;
use pointbook_testkit::{OneSecret, build};

struct Shop {
    data: Arc<dyn TenantData>,
    cache: Arc<CatalogueCache>,
    _folder: tempfile::TempDir,
}

fn options(popular_most_ordered: u32) -> CatalogueOptions {
    CatalogueOptions::of(&TenantSettings { popular_most_ordered, ..TenantSettings::default() })
}

impl Shop {
    /// Opens a store with products `a` to `d`, none marked as popular, and a user with many points.
    async fn open(popular_most_ordered: u32) -> Self {
        let (folder, _path, database) = new_file();
        let data = add_tenant(&database, "acme").await;
        data.write(UpsertProducts(["a", "b", "c", "d"].map(product).map(upsert).to_vec())).await.unwrap();
        data.write(RecordHistory::new(vec![recorded("u1", activity("s1", 1_000_000))], noon()))
            .await
            .unwrap();
        let secrets = Arc::new(TenantSecrets::new(data.clone(), Arc::new(OneSecret)));
        let cache = CatalogueCache::new(
            data.clone(),
            secrets,
            options(popular_most_ordered),
            "acme".to_owned(),
            Arc::default(),
        );
        Self { data, cache: Arc::new(cache), _folder: folder }
    }

    async fn order(&self, product: &str, pieces: i64, at: Timestamp) {
        let name = format!("{product}-{pieces}-{}", at.as_micros());
        let order = NewOrder { at, ..build::pieces(pieces, build::order(&name, "u1", product)) };
        let placed = self.data.write(PlaceOrder::without_end(order)).await.unwrap();
        assert!(matches!(placed, PlaceOrderOutcome::Placed(_)), "{placed:?}");
    }

    async fn refreshed(&self, at: Timestamp) -> Arc<Snapshot> {
        self.cache.refresh(at).await.unwrap();
        self.cache.snapshot(at).await.unwrap()
    }
}

/// The ids of popular products. All were published at the same time, so they are ordered by id.
fn popular(snapshot: &Arc<Snapshot>) -> Vec<String> {
    let filter = ProductFilter { popular: true, ..ProductFilter::default() };
    let found = snapshot.list(&ProductQuery { filter, ..ProductQuery::default() }, page(1, 100));
    let id = |item: &Fragment<'_>| {
        serde_json::from_slice::<serde_json::Value>(item.json).unwrap()["id"].to_string()
    };
    found.items.iter().map(id).map(|id| id.trim_matches('"').to_owned()).collect()
}

#[tokio::test]
async fn configured_number_of_most_ordered_products_is_popular() {
    let shop = Shop::open(2).await;
    for (product, pieces) in [("a", 2), ("b", 1), ("c", 3)] {
        shop.order(product, pieces, noon()).await;
    }
    assert_eq!(popular(&shop.cache.snapshot(noon()).await.unwrap()), ["a", "c"]);
}

#[tokio::test]
async fn orders_older_than_90_days_do_not_count() {
    let shop = Shop::open(10).await;
    shop.order("a", 1, noon()).await;
    assert_eq!(popular(&shop.cache.snapshot(on_day(90)).await.unwrap()), ["a"]);
    assert_eq!(popular(&shop.refreshed(on_day(91)).await), [""; 0]);
}

#[tokio::test]
async fn orders_are_counted_again_after_ten_minutes() {
    let shop = Shop::open(10).await;
    assert_eq!(popular(&shop.cache.snapshot(noon()).await.unwrap()), [""; 0]);
    shop.order("b", 1, noon()).await;
    assert_eq!(popular(&shop.refreshed(noon().plus_seconds(599)).await), [""; 0]);
    assert_eq!(popular(&shop.refreshed(noon().plus_seconds(600)).await), ["b"]);
}

/// The ranking of the same products does not matter.
#[tokio::test]
async fn same_popular_products_keep_snapshot() {
    let shop = Shop::open(10).await;
    shop.order("a", 2, noon()).await;
    shop.order("b", 1, noon()).await;
    let before = shop.cache.snapshot(noon()).await.unwrap();
    shop.order("b", 5, noon()).await;
    let after = shop.refreshed(noon().plus_seconds(600)).await;
    assert!(Arc::ptr_eq(&before, &after));
}

#[tokio::test]
async fn new_number_applies_from_next_refresh() {
    let shop = Shop::open(10).await;
    shop.order("a", 2, noon()).await;
    shop.order("b", 1, noon()).await;
    assert_eq!(popular(&shop.cache.snapshot(noon()).await.unwrap()), ["a", "b"]);
    for (number, expected) in [(1, &["a"][..]), (0, &[]), (2, &["a", "b"])] {
        shop.cache.set_options(options(number));
        assert_eq!(popular(&shop.refreshed(noon()).await), expected);
    }
}
