//! Reads a catalogue, or its changes, into a new snapshot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pointbook_domain::{CategoryTree, ProductId, TenantSettings, Timestamp};
use pointbook_store::background::in_background;
use pointbook_store::ports::{CatalogueVersion, ProductChange};
use pointbook_store::{StoreError, StoreResult};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time;

use super::{CatalogueCache, Loaded};
use crate::index::{Snapshot, SnapshotBuilder, SnapshotOptions};

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
pub async fn off_the_runtime<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> StoreResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(error)))
}

/// The settings of a tenant that concern its catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueOptions {
    /// The options of a snapshot.
    pub snapshot: SnapshotOptions,
    /// How many products are popular because of their orders.
    pub popular_most_ordered: u32,
}

impl CatalogueOptions {
    /// The options for these settings.
    pub fn of(settings: &TenantSettings) -> Self {
        let snapshot = SnapshotOptions {
            low_stock_threshold: settings.low_stock_threshold,
            hide_sold_out: settings.hide_sold_out,
        };
        Self { snapshot, popular_most_ordered: settings.popular_most_ordered }
    }
}

/// The pause after a failure, since a try takes much CPU time and the snapshot works without it.
const AGAIN_AFTER: Duration = Duration::from_secs(30);

/// How often a compacted snapshot takes in the changes made meanwhile before new changes wait for it.
const MAX_TENDING_ROUNDS: usize = 3;

/// Held while a task compacts a snapshot or indexes its titles.
#[derive(Debug, Default)]
pub(super) struct Tending {
    /// No task begins before this time, after a failure.
    resting: Arc<Mutex<Option<time::Instant>>>,
}

impl Tending {
    /// The right to begin now.
    fn begin(&self, now: time::Instant) -> Option<OwnedMutexGuard<Option<time::Instant>>> {
        let resting = self.resting.clone().try_lock_owned().ok()?;
        if resting.is_some_and(|until| now < until) { None } else { Some(resting) }
    }
}

impl CatalogueCache {
    /// Compacts the snapshot and indexes its titles, if that is worth it and no other task does it. The time grows with the
    /// number of products. Meanwhile requests use the snapshot, and changes reach it.
    pub(super) fn begin_to_tend(self: &Arc<Self>) {
        if self.to_be_tended().is_none() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        let Some(mut resting) = self.tending.begin(time::Instant::now()) else { return };
        // For the case that the work stops in the middle.
        *resting = Some(time::Instant::now() + AGAIN_AFTER);
        let cache = self.clone();
        runtime.spawn(async move {
            match cache.tend().await {
                Ok(()) => *resting = None,
                Err(error) => {
                    *resting = Some(time::Instant::now() + AGAIN_AFTER);
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(tenant = cache.label, error, "catalogue not compacted");
                }
            }
        });
    }

    fn to_be_tended(&self) -> Option<Arc<Loaded>> {
        let is_due = |loaded: &Arc<Loaded>| {
            loaded.snapshot.is_worth_compacting() || loaded.snapshot.lacks_title_index()
        };
        self.loaded.load_full().filter(is_due)
    }

    async fn tend(&self) -> StoreResult<()> {
        let permit = self.processor.tending_permit().await;
        // Another snapshot may have replaced it meanwhile.
        let Some(loaded) = self.to_be_tended() else { return Ok(()) };
        let snapshot = loaded.snapshot.clone();
        if !snapshot.is_worth_compacting() {
            let index = move || {
                snapshot.index_titles();
                drop(permit);
            };
            in_background(index).await?;
            self.note_bytes();
            return Ok(());
        }
        let compact = move || {
            let compacted = snapshot.compacted();
            compacted.index_titles();
            drop(permit);
            Arc::new(compacted)
        };
        let snapshot = in_background(compact).await?;
        let compacted = Arc::new(Loaded { snapshot, ..loaded.share() });
        free_aside(loaded);
        self.put_compacted(compacted).await
    }

    /// Replaces the present snapshot by a compacted one. Changes do not wait while it takes in earlier ones. Only when changes
    /// come all the time, they wait for the last step.
    async fn put_compacted(&self, mut compacted: Arc<Loaded>) -> StoreResult<()> {
        for _ in 0..MAX_TENDING_ROUNDS {
            let Some([_, caught_up]) = self.caught_up(compacted).await? else { return Ok(()) };
            compacted = caught_up;
            let _loading = self.loading.lock().await;
            if let Some(current) = self.loaded.load_full().filter(|current| current.is_shown_by(&compacted)) {
                self.put(compacted, Some(current));
                return Ok(());
            }
        }
        let _loading = self.loading.lock().await;
        let Some([current, compacted]) = self.caught_up(compacted).await? else { return Ok(()) };
        self.put(compacted, Some(current));
        Ok(())
    }

    /// Returns the present snapshot, and a compacted one that shows the same. A store read adds what it lacks. Returns `None`
    /// when a compacted one has no use any more.
    async fn caught_up(&self, compacted: Arc<Loaded>) -> StoreResult<Option<[Arc<Loaded>; 2]>> {
        let is_crowded = |loaded: &Arc<Loaded>| loaded.snapshot.is_worth_compacting();
        let current = self.loaded.load_full().filter(is_crowded);
        // With other options, the catalogue is about to be read anew.
        let current = current.filter(|_| compacted.options.snapshot == self.options.load().snapshot);
        let Some(current) = current else {
            free_aside(compacted);
            return Ok(None);
        };
        if current.is_shown_by(&compacted) {
            return Ok(Some([current, compacted]));
        }
        let (most_ordered, built_at) = (current.most_ordered.clone(), current.built_at);
        let caught_up = self.read(Some(compacted), most_ordered, built_at).await?;
        Ok(Some([current, Arc::new(caught_up)]))
    }
}

impl Loaded {
    /// Whether another snapshot shows all products of this one, and no more products that wait for their time.
    fn is_shown_by(&self, other: &Self) -> bool {
        self.leads_to(&other.options, other.version)
            && self.most_ordered == other.most_ordered
            && self.built_at == other.built_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_failure_nobody_begins_for_a_while() {
        let (tending, now) = (Tending::default(), time::Instant::now());
        let mut first = tending.begin(now).unwrap();
        assert!(tending.begin(now).is_none(), "another caller tends it");
        *first = Some(now + AGAIN_AFTER);
        drop(first);
        assert!(tending.begin(now + AGAIN_AFTER - Duration::from_millis(1)).is_none());
        assert!(tending.begin(now + AGAIN_AFTER).is_some());
    }
}
