//! One tenant's snapshot in memory. The first use builds it. Later changes replace it as a whole. `index` has the snapshot.

mod changes;
mod freshness;
mod load;
mod most_ordered;
mod tending;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use pointbook_domain::{ProductId, TenantSettings, Timestamp};
use pointbook_store::database_health::{DatabaseHealth, with_causes};
use pointbook_store::directory::SharedByTenants;
use pointbook_store::ports::{CatalogueVersion, TenantData};
use pointbook_store::processor::Processor;
use pointbook_store::tenant_secret::TenantSecrets;
use pointbook_store::{Context, ServedTenant, Service, StoreError, StoreResult, TenantState};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::timeout_at;

use self::changes::Changes;
use self::freshness::{Age, Checks};
use self::load::free_aside;
pub(crate) use self::load::off_the_runtime;
use self::most_ordered::MostOrdered;
use self::tending::Tending;
use crate::index::{Snapshot, SnapshotOptions};

/// How long readers wait for changes of this process before they use the present snapshot. It is longer than the build of a
/// large catalogue, and shorter than the time limit of a request.
const MAX_WAIT_FOR_CHANGES: Duration = Duration::from_secs(5);

/// Requests may come to build a snapshot this much later than requests that began after them. An older time means that the clock
/// was set back.
const MAX_REQUEST_AGE_SECONDS: u32 = 60;

/// The age of a version check at which a request starts a new one, in milliseconds.
const CHECK_AFTER_MS: u64 = 500;

/// What the catalogues of one service share.
#[derive(Debug, Clone)]
pub struct SharedByCatalogues {
    pub health: Arc<DatabaseHealth>,
    /// The age of a version check at which a request starts a new one in the background.
    pub check_after: Duration,
    /// Set when a catalogue may have taken or released memory.
    pub memory_changed: Arc<AtomicBool>,
}

impl Default for SharedByCatalogues {
    fn default() -> Self {
        let check_after = Duration::from_millis(CHECK_AFTER_MS);
        Self { health: Arc::default(), check_after, memory_changed: Arc::default() }
    }
}

impl SharedByCatalogues {
    fn of(SharedByTenants { health, limits, memory_changed, .. }: &SharedByTenants) -> Self {
        let check_after = Duration::from_millis(limits.refresh_interval_ms);
        Self { health: health.clone(), check_after, memory_changed: memory_changed.clone() }
    }
}

impl TenantState for CatalogueCache {
    fn new(served: &ServedTenant, settings: &TenantSettings) -> Self {
        let ServedTenant { data, secrets, shared, .. } = served;
        let (options, processor) = (CatalogueOptions::of(settings), shared.processor.clone());
        let cache = Self::new(data.clone(), secrets.clone(), options, served.label(), processor);
        cache.sharing(SharedByCatalogues::of(shared))
    }

    fn settings_changed(&self, settings: &TenantSettings) {
        self.set_options(CatalogueOptions::of(settings));
    }

    /// Products may have been published meanwhile.
    fn clock_set(self: &Arc<Self>, now: Timestamp) {
        self.note_change(now);
    }
}

/// The snapshot of a tenant. Loads it when it is not in memory.
///
/// # Errors
/// When the store fails during the load.
pub async fn snapshot(served: &ServedTenant, now: Timestamp) -> StoreResult<Arc<Snapshot>> {
    served.state::<CatalogueCache>().snapshot(now).await
}

/// Whether a catalogue is in memory, so that requests can use it while the database is away.
pub fn has_catalogue(service: &Service) -> bool {
    service.directory().tenants().iter().any(|served| served.state::<CatalogueCache>().is_loaded())
}

/// Keeps the snapshots of all tenants within their memory, when it may have changed: drops the least recently used ones first,
/// until the rest fits. It drops none while the database is away, because nobody could load it again.
pub fn evict(service: &Service) {
    if service.health.is_away() || !service.shared.memory_changed.swap(false, Ordering::Relaxed) {
        return;
    }
    let directory = service.directory();
    let mut loaded: Vec<(&ServedTenant, &CatalogueCache)> = directory
        .tenants()
        .iter()
        .map(|served| (&**served, &**served.state::<CatalogueCache>()))
        .filter(|(_, catalogue)| catalogue.memory_bytes() > 0)
        .collect();
    // Requests use catalogues meanwhile, so each time is read once. The times are those of the tenants, which may have virtual clocks.
    loaded.sort_by_cached_key(|(served, catalogue)| {
        std::cmp::Reverse(catalogue.last_used_at().saturating_sub(served.tenant.clock.as_micros()))
    });
    let mut held = 0_usize;
    for (place, (served, catalogue)) in loaded.into_iter().enumerate() {
        held = held.saturating_add(catalogue.memory_bytes());
        if place > 0 && held > service.shared.limits.catalogue_bytes {
            tracing::info!(tenant = %served.name(), "catalogue evicted");
            catalogue.unload();
        }
    }
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

/// The snapshot of one tenant, while it is in memory.
pub struct CatalogueCache {
    data: Arc<dyn TenantData>,
    secrets: Arc<TenantSecrets>,
    /// Valid from the next refresh on.
    options: ArcSwap<CatalogueOptions>,
    label: String,
    loaded: ArcSwapOption<Loaded>,
    /// Held during a load. So many first requests cause one load, and each load is newer than the one before.
    loading: Arc<Mutex<()>>,
    tending: Tending,
    processor: Arc<Processor>,
    changes: Changes,
    most_ordered: MostOrdered,
    checks: Arc<Checks>,
    last_used_at: AtomicI64,
    shared: SharedByCatalogues,
}

/// A snapshot and its source.
struct Loaded {
    snapshot: Arc<Snapshot>,
    options: Arc<CatalogueOptions>,
    version: CatalogueVersion,
    most_ordered: Arc<[ProductId]>,
    built_at: Timestamp,
}

impl CatalogueCache {
    /// A cache without a snapshot. The label names the tenant in metrics and logs.
    pub fn new(
        data: Arc<dyn TenantData>,
        secrets: Arc<TenantSecrets>,
        options: CatalogueOptions,
        label: String,
        processor: Arc<Processor>,
    ) -> Self {
        let shared = SharedByCatalogues::default();
        Self {
            data,
            secrets,
            options: ArcSwap::from_pointee(options),
            label,
            loaded: ArcSwapOption::empty(),
            loading: Arc::default(),
            tending: Tending::default(),
            processor,
            changes: Changes::default(),
            most_ordered: MostOrdered::default(),
            checks: Arc::new(Checks::new(shared.check_after)),
            last_used_at: AtomicI64::new(i64::MIN),
            shared,
        }
    }

    /// The same cache as a part of a service.
    #[must_use]
    pub fn sharing(self, shared: SharedByCatalogues) -> Self {
        Self { checks: Arc::new(Checks::new(shared.check_after)), shared, ..self }
    }

    pub fn is_loaded(&self) -> bool {
        self.loaded.load().is_some()
    }

    /// Builds with these options from the next refresh on. Until then, requests use the old snapshot.
    pub fn set_options(&self, options: CatalogueOptions) {
        if **self.options.load() != options {
            self.options.store(Arc::new(options));
        }
    }

    /// Returns the snapshot with every change that was noted before, and every change of another instance that is older than a
    /// second. Loads it when there is no snapshot in memory.
    ///
    /// # Errors
    /// When the store fails during the first load. When it fails later, requests use the present snapshot: an old catalogue is
    /// better than an error.
    pub async fn snapshot(self: &Arc<Self>, now: Timestamp) -> StoreResult<Arc<Snapshot>> {
        if self.checks.age_at(now) != Age::Fresh {
            self.check(now).await;
        }
        if !self.changes.are_shown() {
            self.wait_for_changes(now).await;
        }
        if let Some(loaded) = &*self.loaded.load() {
            return Ok(loaded.snapshot.clone());
        }
        self.load_first(now).await
    }

    /// A load continues when its request is cancelled, so the next request finds it done.
    async fn load_first(self: &Arc<Self>, now: Timestamp) -> StoreResult<Arc<Snapshot>> {
        let loading = self.loading.clone().lock_owned().await;
        if let Some(loaded) = &*self.loaded.load() {
            return Ok(loaded.snapshot.clone());
        }
        let cache = self.clone();
        let load = tokio::spawn(async move {
            let _loading = loading;
            let most_ordered = cache.ask_most_ordered(now).await;
            let snapshot = cache.load(None, most_ordered, now).await?;
            cache.note_checked(now);
            cache.begin_to_tend();
            Ok(snapshot)
        });
        load.await.map_err(|error| StoreError::Failed(Box::new(error)))?
    }

    /// Notes that this process changed the catalogue, or may have changed it. Later readers get a snapshot that was read after
    /// this call. The rebuild starts now, and only readers wait for it. Changes that are noted meanwhile share the next rebuild.
    pub fn note_change(self: &Arc<Self>, now: Timestamp) {
        self.changes.note();
        self.begin_to_show_changes(now);
    }

    fn begin_to_show_changes(self: &Arc<Self>, now: Timestamp) {
        // Without a runtime, as at the end of a program, the next reader starts the rebuild.
        let Ok(runtime) = Handle::try_current() else { return };
        if self.changes.take_on() {
            let cache = self.clone();
            runtime.spawn(async move { cache.show_changes(now).await });
        }
    }

    /// Adds the noted changes to a loaded snapshot. It does not count popular products, which takes long.
    async fn show_changes(self: &Arc<Self>, now: Timestamp) {
        let loading = self.loading.lock().await;
        let attempt = self.changes.begin();
        if let Err(error) = self.bring_up(self.most_ordered.last(), now).await {
            // Readers use the present snapshot, and the next check tries again.
            self.report(&error, "catalogue not read after a change");
        }
        // The order matters: a waiting reader must find no running load.
        drop(loading);
        drop(attempt);
        self.begin_to_tend();
    }

    async fn wait_for_changes(self: &Arc<Self>, now: Timestamp) {
        let noted = self.changes.noted();
        // Counted from the change. Readers with less time give up one after another, so one of them must be able to finish.
        let Some(since) = self.changes.behind_since() else { return };
        self.begin_to_show_changes(now);
        let shown = timeout_at(since + MAX_WAIT_FOR_CHANGES, self.changes.wait(noted));
        let shown = tokio::select! {
            shown = shown => shown,
            // The changes appear when the database is back.
            () = self.shared.health.goes_away() => return,
        };
        if shown.is_err() {
            tracing::warn!(tenant = self.label, "catalogue not read in time after a change");
            // For all readers: the next request need not wait as long.
            self.changes.show(noted);
        }
    }

    /// Updates a loaded snapshot, its most ordered products included. Does nothing when no snapshot is loaded, nothing changed,
    /// or a load is running. The next check looks after a running load.
    ///
    /// # Errors
    /// When the store fails. Then the snapshot does not change.
    pub async fn refresh(self: &Arc<Self>, now: Timestamp) -> StoreResult<()> {
        if self.loaded.load().is_none() {
            return Ok(());
        }
        let most_ordered = self.ask_most_ordered(now).await;
        let Ok(_loading) = self.loading.try_lock() else { return Ok(()) };
        let noted = self.changes.noted();
        self.bring_up(most_ordered, now).await?;
        self.changes.show(noted);
        self.begin_to_tend();
        Ok(())
    }

    /// Reports a failure of the store for which no request waits.
    fn report(&self, error: &StoreError, what: &'static str) {
        match error {
            StoreError::Unavailable(_) | StoreError::Overloaded => self.shared.health.note_failure(error),
            StoreError::Failed(_) | StoreError::Corrupt(_) => {
                let error = with_causes(error);
                tracing::warn!(tenant = self.label, error, "{what}");
            }
        }
    }

    async fn ask_most_ordered(&self, now: Timestamp) -> Arc<[ProductId]> {
        self.most_ordered.at(&*self.data, &self.options.load_full(), now, &self.label).await
    }

    /// Loads again when the loaded snapshot differs from a new one. The caller holds the lock.
    async fn bring_up(&self, most_ordered: Arc<[ProductId]>, now: Timestamp) -> StoreResult<()> {
        let Some(previous) = self.loaded.load_full() else { return Ok(()) };
        self.note_bytes();
        let age_seconds = (now.as_micros() - previous.built_at.as_micros()) / 1_000_000;
        self.gauge("pointbook_catalogue_age_seconds", usize::try_from(age_seconds).unwrap_or_default());
        let asked_at = now;
        let now = build_time(previous.built_at, now);
        let is_due =
            now < previous.built_at || previous.snapshot.next_change_at().is_some_and(|at| at <= now);
        let options = self.options.load_full();
        let is_other = previous.options.snapshot != options.snapshot || previous.most_ordered != most_ordered;
        if is_due || is_other || self.data.catalogue_version().await? != previous.version {
            self.load(Some(previous), most_ordered, now).await?;
        }
        self.note_checked(asked_at);
        Ok(())
    }

    fn note_checked(&self, at: Timestamp) {
        self.checks.succeeded(at);
        let seconds = usize::try_from(at.as_micros() / 1_000_000).unwrap_or_default();
        self.gauge("pointbook_catalogue_checked_timestamp_seconds", seconds);
    }

    /// The memory of the snapshot, in bytes. 0 when nothing is loaded.
    pub fn memory_bytes(&self) -> usize {
        self.loaded.load().as_ref().map_or(0, |loaded| loaded.snapshot.memory_bytes())
    }

    /// When a request last used the snapshot, to about half a second, in microseconds since the epoch.
    pub fn last_used_at(&self) -> i64 {
        self.last_used_at.load(Ordering::Relaxed)
    }

    /// Drops the snapshot. Requests that hold it keep it.
    pub fn unload(&self) {
        free_aside(self.loaded.swap(None));
        self.checks.forget();
        self.note_bytes();
    }

    /// The processor, which shares its threads with other tenants.
    pub fn processor(&self) -> &Processor {
        &self.processor
    }
}

/// The time of the next snapshot. Requests build snapshots in another order than they began in, and a published product stays
/// published.
fn build_time(previous: Timestamp, now: Timestamp) -> Timestamp {
    if previous <= now.plus_seconds(MAX_REQUEST_AGE_SECONDS) { now.max(previous) } else { now }
}

/// Notes a change when it is dropped, also after a failed write. A write may have succeeded although its response was
/// lost or its request was cancelled.
pub struct PendingChange<'c> {
    cache: &'c Arc<CatalogueCache>,
    now: Timestamp,
}

impl<'c> PendingChange<'c> {
    /// Hold it while you write the catalogue. When it is dropped, the next request sees the stored catalogue, also after a failed
    /// write.
    pub fn of<T>(context: &'c Context<T>) -> Self {
        Self { cache: context.tenant.state(), now: context.now }
    }

    /// Notes nothing: customers certainly see the same catalogue.
    pub fn dismiss(self) {
        std::mem::forget(self);
    }
}

impl Drop for PendingChange<'_> {
    fn drop(&mut self) {
        self.cache.note_change(self.now);
    }
}
