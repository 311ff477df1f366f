//! Tests of the background work on a tenant's snapshot: compaction, the index of titles, unloading.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use pointbook_catalogue::cache::{CatalogueCache, CatalogueOptions};
use pointbook_catalogue::commands::{RetireProducts, UpsertProducts};
use pointbook_catalogue::index::Snapshot;
use pointbook_domain::{Product, TenantSettings};
use pointbook_store::ports::{Database, TenantData};
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_store::tenant_secret::TenantSecrets;
use pointbook_testkit::build::{noon, product, tenant, upsert};
use pointbook_testkit::conformance::add_tenant;
use pointbook_testkit::{FaultyDatabase, OneSecret};
use tokio::time::timeout;

/// So many products that 600 changes are less than a quarter.
const PRODUCTS: usize = 4_000;

struct Shop {
    faulty: Arc<FaultyDatabase>,
    data: Arc<dyn TenantData>,
    cache: Arc<CatalogueCache>,
    _folder: tempfile::TempDir,
}

impl Shop {
    /// Opens a store with a catalogue in memory.
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("test.db"), &SqliteOptions::new(noon())).unwrap();
        let faulty = Arc::new(FaultyDatabase::healthy(Arc::new(store)));
        let database: Arc<dyn Database> = faulty.clone();
        let data = add_tenant(&database, "acme").await;
        let options = CatalogueOptions::of(&TenantSettings::default());
        let secrets = Arc::new(TenantSecrets::new(data.clone(), Arc::new(OneSecret)));
        let cache = CatalogueCache::new(data.clone(), secrets, options, "acme".to_owned(), Arc::default());
        let shop = Self { faulty, data, cache: Arc::new(cache), _folder: folder };
        shop.put(0..PRODUCTS, "Cup").await;
        shop.until_at_rest().await;
        shop
    }

    /// Writes these products and returns a snapshot with them.
    async fn put(&self, numbers: Range<usize>, title: &str) -> Arc<Snapshot> {
        let product = |number| Product { title: title.to_owned(), ..product(&format!("p{number}")) };
        self.data.write(UpsertProducts(numbers.map(product).map(upsert).collect::<Vec<_>>())).await.unwrap();
        self.cache.note_change(noon());
        self.cache.snapshot(noon()).await.unwrap()
    }

    fn hold_loads(&self, is_held: bool) {
        self.faulty.hold_loads_of(is_held.then_some(&tenant("acme").id));
    }

    /// Waits until all background work on the catalogue has ended.
    async fn until_at_rest(&self) {
        while Arc::strong_count(&self.cache) > 1 {
            tokio::task::yield_now().await;
        }
    }

    /// Blocks a compaction while it reads the changes since its start.
    async fn hold_compaction(&self) {
        for attempt in 0..10 {
            self.put(0..600, &format!("Mug {attempt}")).await;
            let snapshot = self.put(600..601, &format!("Mug {attempt}")).await;
            let before = self.faulty.loads();
            self.hold_loads(true);
            let is_under_way = snapshot.is_worth_compacting();
            if is_under_way && timeout(Duration::from_secs(5), self.faulty.next_load(before)).await.is_ok() {
                return;
            }
            // The compaction ended before the change.
            self.hold_loads(false);
            self.until_at_rest().await;
        }
        panic!("every compaction ended before the change");
    }
}

#[tokio::test]
async fn change_does_not_wait_for_compaction() {
    let shop = Shop::open().await;
    shop.hold_compaction().await;
    shop.cache.note_change(noon());
    let seen = timeout(Duration::from_secs(2), shop.cache.snapshot(noon())).await;
    assert!(seen.unwrap().unwrap().is_worth_compacting());
    shop.hold_loads(false);
    shop.until_at_rest().await;
    let compacted = shop.cache.snapshot(noon()).await.unwrap();
    assert!(!compacted.is_worth_compacting() && !compacted.lacks_title_index());
    let json = compacted.product("p600").unwrap().json;
    assert!(json.windows(3).any(|part| part == b"Mug"), "a change during the compaction must not be lost");
}

#[tokio::test]
async fn compaction_does_not_reload_unloaded_catalogue() {
    let shop = Shop::open().await;
    shop.hold_compaction().await;
    shop.cache.unload();
    shop.hold_loads(false);
    shop.until_at_rest().await;
    assert_eq!(shop.cache.memory_bytes(), 0);
    assert_eq!(shop.cache.snapshot(noon()).await.unwrap().product_count(), PRODUCTS);
}

#[tokio::test]
async fn change_does_not_reload_unloaded_catalogue() {
    let shop = Shop::open().await;
    shop.hold_loads(true);
    let before = shop.faulty.loads();
    shop.data.write(RetireProducts { ids: vec![product("p1").id], at: noon() }).await.unwrap();
    shop.cache.note_change(noon());
    shop.faulty.next_load(before).await;
    shop.cache.unload();
    shop.hold_loads(false);
    shop.until_at_rest().await;
    assert_eq!(shop.cache.memory_bytes(), 0);
}

/// Records the gauge `pointbook_catalogue_bytes`.
#[derive(Default)]
struct CatalogueBytes(Arc<AtomicU64>);

impl Recorder for CatalogueBytes {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }
    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        let is_it = key.name() == "pointbook_catalogue_bytes";
        if is_it { Gauge::from_arc(self.0.clone()) } else { Gauge::noop() }
    }
    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[tokio::test]
async fn title_index_counts_as_catalogue_memory() {
    let bytes = CatalogueBytes::default();
    let _recorded = metrics::set_default_local_recorder(&bytes);
    let shop = Shop::open().await;
    let held = shop.cache.memory_bytes();
    assert!(!shop.cache.snapshot(noon()).await.unwrap().lacks_title_index());
    let expected = Arc::new(AtomicU64::default());
    Gauge::from_arc(expected.clone()).set(u32::try_from(held).unwrap());
    assert_eq!(bytes.0.load(Ordering::Relaxed), expected.load(Ordering::Relaxed));
}
