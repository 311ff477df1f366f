//! One tenant's snapshot in memory: built at first use, replaced whole, never changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use arc_swap::ArcSwapOption;
use pointbook_catalogue::{Snapshot, SnapshotBuilder, SnapshotOptions};
use pointbook_domain::{CategoryTree, Timestamp};
use tokio::sync::Mutex;

use crate::ports::{CatalogueVersion, ProductChange, TenantData};
use crate::{StoreError, StoreResult};

/// How many products are read at a time, so that memory and read transactions stay short.
const PRODUCTS_PER_READ: u32 = 2_000;

/// How often a load starts over from the changes made meanwhile before it settles for what it has;
/// the next refresh brings the rest.
const MAX_ROUNDS: usize = 5;

/// The snapshot of one tenant, while it is in memory.
pub struct CatalogueCache {
    data: Arc<dyn TenantData>,
    options: SnapshotOptions,
    label: String,
    loaded: ArcSwapOption<Loaded>,
    /// Held while loading, so that many first requests make one load.
    loading: Mutex<()>,
    last_used_at: AtomicI64,
}

/// A snapshot and what it was made from.
struct Loaded {
    snapshot: Arc<Snapshot>,
    version: CatalogueVersion,
    built_at: Timestamp,
}

impl CatalogueCache {
    /// Nothing is loaded yet. The label names the tenant in metrics.
    pub fn new(data: Arc<dyn TenantData>, options: SnapshotOptions, label: String) -> Self {
        let (loaded, loading) = (ArcSwapOption::empty(), Mutex::new(()));
        Self { data, options, label, loaded, loading, last_used_at: AtomicI64::new(i64::MIN) }
    }

    /// The options its snapshots are built with.
    pub fn options(&self) -> &SnapshotOptions {
        &self.options
    }

    /// The snapshot; loaded now when there is none yet.
    ///
    /// # Errors
    /// When the store fails during the load.
    pub async fn snapshot(&self, now: Timestamp) -> StoreResult<Arc<Snapshot>> {
        self.last_used_at.store(now.as_micros(), Ordering::Relaxed);
        if let Some(loaded) = &*self.loaded.load() {
            return Ok(loaded.snapshot.clone());
        }
        let _loading = self.loading.lock().await;
        match &*self.loaded.load() {
            Some(loaded) => Ok(loaded.snapshot.clone()),
            None => self.load(None, now).await,
        }
    }

    /// Brings a loaded snapshot up to date; does nothing when none is loaded or nothing changed.
    ///
    /// # Errors
    /// When the store fails; the snapshot stays as it was.
    pub async fn refresh(&self, now: Timestamp) -> StoreResult<()> {
        let _loading = self.loading.lock().await;
        let Some(previous) = self.loaded.load_full() else {
            return Ok(());
        };
        let age_seconds = (now.as_micros() - previous.built_at.as_micros()) / 1_000_000;
        self.gauge("pointbook_catalogue_age_seconds", usize::try_from(age_seconds).unwrap_or_default());
        let is_due = previous.snapshot.next_change_at().is_some_and(|at| at <= now);
        if is_due || self.data.catalogue_version().await? != previous.version {
            self.load(Some(previous), now).await?;
        }
        Ok(())
    }

    /// What it holds, in bytes; 0 when nothing is loaded.
    pub fn memory_bytes(&self) -> usize {
        self.loaded.load().as_ref().map_or(0, |loaded| loaded.snapshot.memory_bytes())
    }

    /// When a request last asked for it, in microseconds since the epoch.
    pub fn last_used_at(&self) -> i64 {
        self.last_used_at.load(Ordering::Relaxed)
    }

    /// Lets go of the snapshot; requests that hold it keep it.
    pub fn unload(&self) {
        self.loaded.store(None);
        self.gauge("pointbook_catalogue_bytes", 0);
    }

    async fn load(&self, previous: Option<Arc<Loaded>>, now: Timestamp) -> StoreResult<Arc<Snapshot>> {
        let started = Instant::now();
        let (mut builder, mut since) = match previous {
            Some(loaded) => (SnapshotBuilder::from_snapshot(&loaded.snapshot), loaded.version),
            None => (SnapshotBuilder::new(self.options.clone()), CatalogueVersion::default()),
        };
        let mut version = self.data.catalogue_version().await?;
        let mut tree = CategoryTree::default();
        for _ in 0..MAX_ROUNDS {
            builder = self.apply_changes(builder, since).await?;
            tree = self.data.categories().await?;
            since = version;
            version = self.data.catalogue_version().await?;
            if version == since {
                break;
            }
        }
        let snapshot = Arc::new(off_the_runtime(move || builder.build(&tree, now)).await?);
        self.install(snapshot.clone(), since, now, started);
        Ok(snapshot)
    }

    async fn apply_changes(
        &self,
        mut builder: SnapshotBuilder,
        since: CatalogueVersion,
    ) -> StoreResult<SnapshotBuilder> {
        let mut after = None;
        loop {
            let changes = self.data.product_changes(since, after.as_ref(), PRODUCTS_PER_READ).await?;
            let Some(last) = changes.last() else {
                return Ok(builder);
            };
            after = Some(last.id().clone());
            builder = off_the_runtime(move || changes.iter().fold(builder, apply)).await?;
        }
    }

    fn install(
        &self,
        snapshot: Arc<Snapshot>,
        version: CatalogueVersion,
        built_at: Timestamp,
        started: Instant,
    ) {
        self.gauge("pointbook_catalogue_bytes", snapshot.memory_bytes());
        self.gauge("pointbook_catalogue_products", snapshot.product_count());
        self.gauge("pointbook_catalogue_age_seconds", 0);
        let label = self.label.clone();
        metrics::histogram!("pointbook_catalogue_build_seconds", "tenant" => label).record(started.elapsed());
        tracing::info!(
            tenant = self.label,
            catalogue.version = version.0,
            catalogue.products = snapshot.product_count(),
            duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            "catalogue loaded"
        );
        self.loaded.store(Some(Arc::new(Loaded { snapshot, version, built_at })));
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge is a double by definition; bytes fit 53 bits")]
    fn gauge(&self, name: &'static str, value: usize) {
        metrics::gauge!(name, "tenant" => self.label.clone()).set(value as f64);
    }
}

fn apply(mut builder: SnapshotBuilder, change: &ProductChange) -> SnapshotBuilder {
    match change {
        ProductChange::Upserted(product) => builder.upsert(product),
        ProductChange::Retired(id) => builder.remove(id),
    }
    builder
}

/// Rendering, folding and sorting take longer than a runtime thread may be held.
#[expect(clippy::disallowed_methods, reason = "a snapshot is built by processor time, not by waiting")]
async fn off_the_runtime<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> StoreResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(error)))
}
