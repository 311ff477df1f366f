//! One tenant's snapshot in memory: built at first use, replaced whole, never changed.

mod most_ordered;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use arc_swap::{ArcSwap, ArcSwapOption};
use pointbook_catalogue::{Snapshot, SnapshotBuilder, SnapshotOptions};
use pointbook_domain::{CategoryTree, ProductId, TenantSettings, Timestamp};
use tokio::sync::Mutex;

use self::most_ordered::MostOrdered;
use crate::ports::{CatalogueVersion, ProductChange, TenantData};
use crate::{StoreError, StoreResult};

/// How many products are read at a time, so that memory and read transactions stay short.
const PRODUCTS_PER_READ: u32 = 2_000;

/// How often a load starts over from the changes made meanwhile before it settles for what it has;
/// the next refresh brings the rest.
const MAX_ROUNDS: usize = 5;

/// What a tenant's settings say of its catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueOptions {
    /// What snapshots are built with.
    pub snapshot: SnapshotOptions,
    /// How many products are popular because they were ordered most.
    pub popular_most_ordered: u32,
}

impl CatalogueOptions {
    /// The options that these settings come to.
    pub fn of(settings: &TenantSettings) -> Self {
        let snapshot = SnapshotOptions {
            low_stock_threshold: settings.low_stock_threshold,
            hide_sold_out: settings.hide_sold_out,
        };
        Self { snapshot, popular_most_ordered: settings.popular_most_ordered }
    }
}

/// The snapshot of one tenant, while it is in memory.
pub struct CatalogueCache {
    data: Arc<dyn TenantData>,
    /// What holds from the next refresh on.
    options: ArcSwap<CatalogueOptions>,
    label: String,
    loaded: ArcSwapOption<Loaded>,
    /// Held while loading, so that many first requests make one load.
    loading: Arc<Mutex<MostOrdered>>,
    last_used_at: AtomicI64,
}

/// A snapshot and what it was made from.
struct Loaded {
    snapshot: Arc<Snapshot>,
    options: Arc<CatalogueOptions>,
    version: CatalogueVersion,
    most_ordered: Arc<[ProductId]>,
    built_at: Timestamp,
}

impl CatalogueCache {
    /// Nothing is loaded yet. The label names the tenant in metrics.
    pub fn new(data: Arc<dyn TenantData>, options: CatalogueOptions, label: String) -> Self {
        Self {
            data,
            options: ArcSwap::from_pointee(options),
            label,
            loaded: ArcSwapOption::empty(),
            loading: Arc::default(),
            last_used_at: AtomicI64::new(i64::MIN),
        }
    }

    /// Builds with these options from the next refresh on; until then the old snapshot answers.
    pub fn set_options(&self, options: CatalogueOptions) {
        if **self.options.load() != options {
            self.options.store(Arc::new(options));
        }
    }

    /// The snapshot; loaded now when there is none yet. A load goes on when the request that began
    /// it is given up, so that the next one finds it done.
    ///
    /// # Errors
    /// When the store fails during the load.
    pub async fn snapshot(self: &Arc<Self>, now: Timestamp) -> StoreResult<Arc<Snapshot>> {
        self.last_used_at.store(now.as_micros(), Ordering::Relaxed);
        if let Some(loaded) = &*self.loaded.load() {
            return Ok(loaded.snapshot.clone());
        }
        let mut loading = self.loading.clone().lock_owned().await;
        if let Some(loaded) = &*self.loaded.load() {
            return Ok(loaded.snapshot.clone());
        }
        let cache = self.clone();
        let load = tokio::spawn(async move {
            let most_ordered = loading.at(&*cache.data, &cache.options.load_full(), now).await?;
            cache.load(None, most_ordered, now).await
        });
        load.await.map_err(|error| StoreError::Failed(Box::new(error)))?
    }

    /// Brings a loaded snapshot up to date. Does nothing when none is loaded, when nothing changed,
    /// or while a load is running, which the next refresh looks after.
    ///
    /// # Errors
    /// When the store fails; the snapshot stays as it was.
    pub async fn refresh(&self, now: Timestamp) -> StoreResult<()> {
        let Ok(mut loading) = self.loading.try_lock() else { return Ok(()) };
        self.refresh_locked(&mut loading, now).await
    }

    /// [`Self::refresh`] for whom holds the lock.
    async fn refresh_locked(&self, loading: &mut MostOrdered, now: Timestamp) -> StoreResult<()> {
        let Some(previous) = self.loaded.load_full() else { return Ok(()) };
        let age_seconds = (now.as_micros() - previous.built_at.as_micros()) / 1_000_000;
        self.gauge("pointbook_catalogue_age_seconds", usize::try_from(age_seconds).unwrap_or_default());
        let is_due = previous.snapshot.next_change_at().is_some_and(|at| at <= now);
        let options = self.options.load_full();
        let most_ordered = loading.at(&*self.data, &options, now).await?;
        let is_other = previous.options.snapshot != options.snapshot || previous.most_ordered != most_ordered;
        if is_due || is_other || self.data.catalogue_version().await? != previous.version {
            self.load(Some(previous), most_ordered, now).await?;
        }
        Ok(())
    }

    /// Brings a loaded snapshot up to what stands in the store by now, because this process changed it:
    /// the next request sees the change. A load that runs already is waited for, and of many that
    /// wait, the first one loads for all. It goes on when the caller gives up.
    ///
    /// # Errors
    /// When the store fails; the snapshot stays as it was, and the next refresh tries again.
    pub async fn catch_up(self: &Arc<Self>, now: Timestamp) -> StoreResult<()> {
        let mut loading = self.loading.clone().lock_owned().await;
        let cache = self.clone();
        let load = tokio::spawn(async move { cache.refresh_locked(&mut loading, now).await });
        load.await.map_err(|error| StoreError::Failed(Box::new(error)))?
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
        self.replace(None);
        self.gauge("pointbook_catalogue_bytes", 0);
    }

    async fn load(
        &self,
        previous: Option<Arc<Loaded>>,
        most_ordered: Arc<[ProductId]>,
        now: Timestamp,
    ) -> StoreResult<Arc<Snapshot>> {
        let started = Instant::now();
        let options = self.options.load_full();
        let empty = || SnapshotBuilder::new(options.snapshot.clone());
        let (mut builder, mut since) = match previous {
            Some(loaded) if loaded.options.snapshot == options.snapshot => {
                (SnapshotBuilder::from_snapshot(&loaded.snapshot), loaded.version)
            }
            // Orders take pieces without a new version while clients see no difference. Other options
            // may make one, so they ask for the stock of now.
            Some(_) | None => (empty(), CatalogueVersion::default()),
        };
        let mut version = self.data.catalogue_version().await?;
        let mut tree = CategoryTree::default();
        for _ in 0..MAX_ROUNDS {
            if since == CatalogueVersion::default() {
                // Reading from the beginning does not tell of what was retired: nothing may be left over.
                builder = empty();
            }
            builder = self.apply_changes(builder, since).await?;
            tree = self.data.categories().await?;
            since = version;
            version = self.data.catalogue_version().await?;
            if version == since {
                break;
            }
        }
        let popular = most_ordered.clone();
        let snapshot = Arc::new(off_the_runtime(move || builder.build(&tree, &popular, now)).await?);
        self.announce(&snapshot, since, started);
        let loaded =
            Loaded { snapshot: snapshot.clone(), options, version: since, most_ordered, built_at: now };
        self.replace(Some(Arc::new(loaded)));
        Ok(snapshot)
    }

    /// Puts a snapshot in place of the old one, which takes its time to be freed.
    #[expect(clippy::disallowed_methods, reason = "a million products are not freed on a runtime thread")]
    fn replace(&self, loaded: Option<Arc<Loaded>>) {
        let old = self.loaded.swap(loaded);
        tokio::task::spawn_blocking(move || drop(old));
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

    fn announce(&self, snapshot: &Snapshot, version: CatalogueVersion, started: Instant) {
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
