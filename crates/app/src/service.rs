//! The service as a whole: a database, a clock, and what is kept in memory.

use std::sync::Arc;

use arc_swap::ArcSwap;
use pointbook_domain::Timestamp;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::ports::Database;
use crate::{Clock, Directory, ServedTenant, StoreResult};

/// Bounds on what is kept in memory.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// For how long a token is taken as good without asking the database, in seconds.
    pub principal_max_age_seconds: u32,
    /// How much memory the snapshots of all tenants may take together, in bytes. One snapshot in
    /// use is always kept.
    pub catalogue_bytes: usize,
}

/// What requests and commands are answered from.
pub struct Service {
    /// The database.
    pub database: Arc<dyn Database>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    limits: ServiceLimits,
    directory: ArcSwap<Directory>,
    /// Held while the tenants are read and put in place, so that an older list never wins.
    reloading: Mutex<()>,
}

impl Service {
    /// Reads the tenants.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn open(
        database: Arc<dyn Database>,
        clock: Arc<dyn Clock>,
        limits: ServiceLimits,
    ) -> StoreResult<Self> {
        let service =
            Self { database, clock, limits, directory: ArcSwap::default(), reloading: Mutex::default() };
        service.reload_tenants().await?;
        Ok(service)
    }

    /// The tenants as last read.
    pub fn directory(&self) -> arc_swap::Guard<Arc<Directory>> {
        self.directory.load()
    }

    /// Reads the tenants again, because one was added or changed.
    ///
    /// # Errors
    /// When the store fails; the directory stays as it was.
    pub async fn reload_tenants(&self) -> StoreResult<()> {
        let _reloading = self.reloading.lock().await;
        let tenants = self.database.tenants().await?;
        let before = self.directory.load_full();
        let same = before.tenants().iter().map(|served| &served.tenant).eq(&tenants);
        if !same {
            let max_age = self.limits.principal_max_age_seconds;
            self.directory.store(Arc::new(Directory::new(tenants, &*self.database, max_age, &before)));
        }
        Ok(())
    }

    /// [`Self::reload_tenants`] after a write, which is done even if its result cannot be read now:
    /// the next refresh brings it.
    pub(crate) async fn take_in_tenants(&self) {
        if let Err(error) = self.reload_tenants().await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, "tenants not read after a change");
        }
    }

    /// Takes in what other processes changed, and keeps the snapshots within their memory. To be
    /// called more than once a second: that is how soon a change is seen. Calls may overlap: a tenant
    /// that one of them is busy with is left out by the next, so that it holds up no other.
    ///
    /// # Errors
    /// When the tenants cannot be read. A tenant whose catalogue cannot be read keeps the snapshot
    /// that it has, and the log says why.
    pub async fn refresh(&self) -> StoreResult<()> {
        self.reload_tenants().await?;
        let mut refreshes = JoinSet::new();
        for served in self.directory.load_full().tenants() {
            refreshes.spawn(refresh_catalogue(served.clone(), self.clock.now()));
        }
        refreshes.join_all().await;
        self.evict();
        Ok(())
    }

    /// Lets snapshots go, the least recently used first, until the rest fits the budget.
    fn evict(&self) {
        let directory = self.directory.load();
        let mut loaded: Vec<&Arc<ServedTenant>> =
            directory.tenants().iter().filter(|served| served.catalogue.memory_bytes() > 0).collect();
        loaded.sort_by_key(|served| std::cmp::Reverse(served.catalogue.last_used_at()));
        let mut held = 0_usize;
        for (place, served) in loaded.into_iter().enumerate() {
            held = held.saturating_add(served.catalogue.memory_bytes());
            if place > 0 && held > self.limits.catalogue_bytes {
                tracing::info!(tenant = %served.name(), "catalogue evicted");
                served.catalogue.unload();
            }
        }
    }
}

async fn refresh_catalogue(served: Arc<ServedTenant>, now: Timestamp) {
    if let Err(error) = served.catalogue.refresh(now).await {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(tenant = %served.name(), error, "catalogue refresh failed");
    }
}
