//! Reads a catalogue, or its changes, into a new snapshot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pointbook_domain::{CategoryTree, ProductId, Timestamp};
use pointbook_store::ports::{CatalogueVersion, ProductChange, StoreError, StoreResult};

use super::{CatalogueCache, CatalogueOptions, Loaded};
use crate::index::{Snapshot, SnapshotBuilder};

/// How many products one read returns, so that memory and read transactions stay small.
const PRODUCTS_PER_READ: u32 = 2_000;

/// How often a load repeats because of changes made meanwhile. After that, the next refresh reads the rest.
const MAX_ROUNDS: usize = 5;

impl Loaded {
    /// Whether the changes are enough for a new snapshot. Orders take pieces without a new version while customers see no
    /// difference. Other options may show that difference, so they need the present stock.
    pub(super) fn leads_to(&self, options: &CatalogueOptions, version: CatalogueVersion) -> bool {
        self.options.snapshot == options.snapshot && self.version.leads_to(version)
    }

    /// The same once more.
    pub(super) fn share(&self) -> Self {
        let Self { snapshot, options, version, most_ordered, built_at } = self;
        Self {
            snapshot: snapshot.clone(),
            options: options.clone(),
            version: *version,
            most_ordered: most_ordered.clone(),
            built_at: *built_at,
        }
    }
}

impl CatalogueCache {
    /// Loads the present state of the store on top of the present snapshot, if its options still hold, and replaces the
    /// snapshot. The caller holds the lock.
    pub(super) async fn load(
        &self,
        previous: Option<Arc<Loaded>>,
        most_ordered: Arc<[ProductId]>,
        now: Timestamp,
    ) -> StoreResult<Arc<Snapshot>> {
        let started = Instant::now();
        let loaded = Arc::new(self.read(previous.clone(), most_ordered, now).await?);
        let snapshot = loaded.snapshot.clone();
        self.announce(&snapshot, loaded.version, started);
        self.put(loaded, previous);
        Ok(snapshot)
    }

    /// Reads the present state of the store on top of a snapshot, if its options still hold.
    pub(super) async fn read(
        &self,
        previous: Option<Arc<Loaded>>,
        most_ordered: Arc<[ProductId]>,
        now: Timestamp,
    ) -> StoreResult<Loaded> {
        let options = self.options.load_full();
        let mut version = self.data.catalogue_version().await?;
        let previous = previous.filter(|loaded| loaded.leads_to(&options, version));
        let (mut builder, mut since) = match previous {
            Some(loaded) => (SnapshotBuilder::from_snapshot(&loaded.snapshot), loaded.version),
            None => (self.empty(&options, now).await?, CatalogueVersion::default()),
        };
        let mut is_first = true;
        let mut tree = CategoryTree::default();
        for _ in 0..MAX_ROUNDS {
            if since == CatalogueVersion::default() && !is_first {
                // A read from the beginning does not return retired products, so it starts without a snapshot.
                builder = self.empty(&options, now).await?;
            }
            is_first = false;
            builder = self.apply_changes(builder, since).await?;
            tree = self.data.categories().await?;
            since = version;
            version = self.data.catalogue_version().await?;
            if version == since {
                break;
            }
            if !since.leads_to(version) {
                since = CatalogueVersion::default();
            }
        }
        let popular = most_ordered.clone();
        let snapshot = Arc::new(off_the_runtime(move || builder.build(&tree, &popular, now)).await?);
        Ok(Loaded { snapshot, options, version: since, most_ordered, built_at: now })
    }

    /// Without products. It reads the secret again, because a copy replaces it with the catalogue.
    async fn empty(&self, options: &CatalogueOptions, now: Timestamp) -> StoreResult<SnapshotBuilder> {
        let secret = self.secrets.reload(now).await?;
        Ok(SnapshotBuilder::new(options.snapshot.clone(), secret.content_key().clone()))
    }

    /// Replaces the snapshot, unless it was dropped meanwhile.
    pub(super) fn put(&self, loaded: Arc<Loaded>, before: Option<Arc<Loaded>>) {
        self.loaded.compare_and_swap(&before, Some(loaded.clone()));
        self.note_bytes();
        free_aside((before, loaded));
    }

    /// Reads the next products while it adds the last ones, so a load takes as long as the longer of the two.
    async fn apply_changes(
        &self,
        mut builder: SnapshotBuilder,
        since: CatalogueVersion,
    ) -> StoreResult<SnapshotBuilder> {
        let read = |after: Option<ProductId>| async move {
            self.data.product_changes(since, after.as_ref(), PRODUCTS_PER_READ).await
        };
        let mut changes = read(None).await?;
        while let Some(last) = changes.last().filter(|_| changes.len() == PRODUCTS_PER_READ as usize) {
            let after = last.id().clone();
            let apply = off_the_runtime(move || changes.iter().fold(builder, apply));
            (builder, changes) = tokio::try_join!(apply, read(Some(after)))?;
        }
        off_the_runtime(move || changes.iter().fold(builder, apply)).await
    }

    fn announce(&self, snapshot: &Snapshot, version: CatalogueVersion, started: Instant) {
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

    /// Records the memory. It grows when the titles are indexed, and when a customer searches.
    pub(super) fn note_bytes(&self) {
        self.shared.memory_changed.store(true, Ordering::Relaxed);
        self.gauge("pointbook_catalogue_bytes", self.memory_bytes());
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge is a double by definition; bytes fit 53 bits")]
    pub(super) fn gauge(&self, name: &'static str, value: usize) {
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

/// Frees a large value on a thread for which no request waits.
#[expect(clippy::disallowed_methods, reason = "a million products are not freed on a runtime thread")]
pub(super) fn free_aside<T: Send + 'static>(what: T) {
    tokio::task::spawn_blocking(move || drop(what));
}

/// Rendering, folding and sorting take longer than a task may hold a thread of the runtime.
#[expect(clippy::disallowed_methods, reason = "a snapshot is built by processor time, not by waiting")]
pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> StoreResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(error)))
}
