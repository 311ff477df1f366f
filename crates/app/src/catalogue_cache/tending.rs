//! What makes a snapshot fast again, off the road of every request: laying it out anew when much has
//! changed, and the index of its titles.

use std::sync::Arc;

use pointbook_catalogue::Snapshot;
use tokio::runtime::Handle;

use super::load::off_the_runtime;
use super::{CatalogueCache, Loaded};
use crate::StoreResult;

fn is_to_be_tended(snapshot: &Snapshot) -> bool {
    snapshot.is_worth_compacting() || snapshot.lacks_title_index()
}

impl CatalogueCache {
    /// Begins to compact the snapshot and to index its titles, where that is worth it and nobody does. It
    /// takes about as long as there are products; meanwhile the snapshot goes on to answer, and to be
    /// changed.
    pub(super) fn begin_to_tend(self: &Arc<Self>) {
        let Some(loaded) = self.loaded.load_full().filter(|loaded| is_to_be_tended(&loaded.snapshot)) else {
            return;
        };
        let Ok(runtime) = Handle::try_current() else { return };
        let Ok(tending) = self.tending.clone().try_lock_owned() else { return };
        let cache = self.clone();
        runtime.spawn(async move {
            let _tending = tending;
            if let Err(error) = cache.tend(loaded).await {
                // The next change tries again.
                let error: &dyn std::error::Error = &error;
                tracing::warn!(tenant = cache.label, error, "catalogue not compacted");
            }
        });
    }

    async fn tend(&self, loaded: Arc<Loaded>) -> StoreResult<()> {
        let snapshot = loaded.snapshot.clone();
        let turn = self.processor.tending_turn().await;
        if !snapshot.is_worth_compacting() {
            let index = move || {
                snapshot.index_titles();
                drop(turn);
            };
            return off_the_runtime(index).await;
        }
        let compact = move || {
            let compacted = snapshot.compacted();
            compacted.index_titles();
            drop(turn);
            Arc::new(compacted)
        };
        let snapshot = off_the_runtime(compact).await?;
        self.put_compacted(Loaded { snapshot, ..loaded.share() }, &loaded).await
    }

    /// Brings a compacted snapshot up to the one that is in its place by now: what changed meanwhile is
    /// read from the store again, on top of it. So no change waits for a compaction.
    async fn put_compacted(&self, compacted: Loaded, from: &Arc<Loaded>) -> StoreResult<()> {
        let _loading = self.loading.lock().await;
        let Some(current) = self.loaded.load_full() else { return Ok(()) };
        if Arc::ptr_eq(&current, from) {
            self.replace(Some(Arc::new(compacted)));
        } else if current.snapshot.is_worth_compacting()
            && compacted.leads_to(&current.options, current.version)
        {
            self.load(Some(Arc::new(compacted)), current.most_ordered.clone(), current.built_at).await?;
        }
        Ok(())
    }
}
