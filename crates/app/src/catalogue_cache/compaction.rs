//! Laying out anew, off the road of every request, a snapshot over which much has changed.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::load::off_the_runtime;
use super::{CatalogueCache, Loaded};
use crate::StoreResult;

impl CatalogueCache {
    /// Begins to compact the snapshot when that is worth it and nobody does. It takes about as long as
    /// there are products; meanwhile the snapshot goes on to answer, and to be changed.
    pub(super) fn begin_to_compact(self: &Arc<Self>) {
        let Some(large) = self.loaded.load_full().filter(|loaded| loaded.snapshot.is_worth_compacting())
        else {
            return;
        };
        let (Ok(runtime), Ok(compacting)) = (Handle::try_current(), self.compacting.clone().try_lock_owned())
        else {
            return;
        };
        let cache = self.clone();
        runtime.spawn(async move {
            let _compacting = compacting;
            if let Err(error) = cache.compact(large).await {
                // The next change tries again.
                let error: &dyn std::error::Error = &error;
                tracing::warn!(tenant = cache.label, error, "catalogue not compacted");
            }
        });
    }

    /// Compacts a snapshot, then brings it up to the one that is in its place by then: what changed
    /// meanwhile is read from the store again, on top of the compacted one.
    async fn compact(&self, large: Arc<Loaded>) -> StoreResult<()> {
        let snapshot = large.snapshot.clone();
        let snapshot = Arc::new(off_the_runtime(move || snapshot.compacted()).await?);
        let compacted = Arc::new(Loaded { snapshot, ..large.share() });
        let _loading = self.loading.lock().await;
        let Some(current) = self.loaded.load_full() else { return Ok(()) };
        if Arc::ptr_eq(&current, &large) {
            self.replace(Some(compacted));
        } else if compacted.leads_to(&current.options, current.version)
            && current.snapshot.is_worth_compacting()
        {
            self.load(Some(compacted), current.most_ordered.clone(), current.built_at).await?;
        }
        Ok(())
    }
}
