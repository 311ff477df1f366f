//! Keeps a snapshot fast: rebuilds its layout after many changes, and indexes its titles. No request waits for it.

use std::sync::Arc;
use std::time::Duration;

use pointbook_store::background::in_background;
use pointbook_store::ports::StoreResult;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

use super::load::free_aside;
use super::{CatalogueCache, Loaded};

/// The pause after a failure, since a try takes much CPU time and the snapshot works without it.
const AGAIN_AFTER: Duration = Duration::from_secs(30);

/// How often a compacted snapshot takes in the changes made meanwhile before new changes wait for it.
const MAX_ROUNDS: usize = 3;

/// Held while a task compacts a snapshot or indexes its titles.
#[derive(Debug, Default)]
pub(super) struct Tending {
    /// No task begins before this time, after a failure.
    resting: Arc<Mutex<Option<Instant>>>,
}

impl Tending {
    /// The right to begin now.
    fn begin(&self, now: Instant) -> Option<OwnedMutexGuard<Option<Instant>>> {
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
        let Some(mut resting) = self.tending.begin(Instant::now()) else { return };
        // For the case that the work stops in the middle.
        *resting = Some(Instant::now() + AGAIN_AFTER);
        let cache = self.clone();
        runtime.spawn(async move {
            match cache.tend().await {
                Ok(()) => *resting = None,
                Err(error) => {
                    *resting = Some(Instant::now() + AGAIN_AFTER);
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
        for _ in 0..MAX_ROUNDS {
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
        let (tending, now) = (Tending::default(), Instant::now());
        let mut first = tending.begin(now).unwrap();
        assert!(tending.begin(now).is_none(), "another caller tends it");
        *first = Some(now + AGAIN_AFTER);
        drop(first);
        assert!(tending.begin(now + AGAIN_AFTER - Duration::from_millis(1)).is_none());
        assert!(tending.begin(now + AGAIN_AFTER).is_some());
    }
}
