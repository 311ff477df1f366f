//! The service as a whole: a database, a clock, and what is kept in memory.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::catalogue_cache::SharedByCatalogues;
use crate::directory::TenantSources;
use crate::ports::{Database, TenantsVersion};
use crate::{Clock, DatabaseHealth, Directory, SecretSource, ServedTenant, StoreError, StoreResult};

/// After so long a question to the database is asked anew. Stores give up sooner.
const MAX_PING_TIME: Duration = Duration::from_mins(1);

/// Bounds on what is kept in memory.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// For how long a token is taken as good without asking the database, in seconds.
    pub principal_max_age_seconds: u32,
    /// The same while the database is away, counted from when it last said so, in seconds.
    pub principal_max_age_when_away_seconds: u32,
    /// How old the last look for changes through other instances gets before there is another one, in milliseconds;
    /// at most a second.
    pub refresh_interval_ms: u64,
    /// How much memory the snapshots of all tenants may take together, in bytes. One snapshot in
    /// use is always kept.
    pub catalogue_bytes: usize,
}

/// What requests and commands are answered from.
pub struct Service {
    pub database: Arc<dyn Database>,
    pub clock: Arc<dyn Clock>,
    /// Where the secrets of tenants come from that have none yet.
    secrets: Arc<dyn SecretSource>,
    /// Whether the database responds, as [`Self::check_database`] found out.
    pub health: Arc<DatabaseHealth>,
    limits: ServiceLimits,
    catalogues: SharedByCatalogues,
    directory: ArcSwap<Directory>,
    /// Held while the tenants are read and put in place, so that an older list never wins. The version of the list
    /// that was put in place last.
    reloading: Mutex<Option<TenantsVersion>>,
}

impl Service {
    /// Reads the tenants.
    pub async fn open(
        database: Arc<dyn Database>,
        clock: Arc<dyn Clock>,
        secrets: Arc<dyn SecretSource>,
        limits: ServiceLimits,
    ) -> StoreResult<Self> {
        let catalogues = SharedByCatalogues {
            check_after: Duration::from_millis(limits.refresh_interval_ms),
            ..SharedByCatalogues::default()
        };
        let service = Self {
            database,
            clock,
            secrets,
            health: catalogues.health.clone(),
            limits,
            catalogues,
            directory: ArcSwap::default(),
            reloading: Mutex::default(),
        };
        service.reload_tenants().await?;
        Ok(service)
    }

    pub fn directory(&self) -> arc_swap::Guard<Arc<Directory>> {
        self.directory.load()
    }

    /// Reads the tenants again, because one was added or changed.
    ///
    /// # Errors
    /// When the store fails; the directory stays as it was.
    pub async fn reload_tenants(&self) -> StoreResult<()> {
        let mut known = self.reloading.lock().await;
        let version = self.database.tenants_version().await?;
        self.read_tenants().await?;
        *known = Some(version);
        Ok(())
    }

    /// Reads the tenants again when one was added, changed or removed, also by another instance.
    async fn follow_tenants(&self) -> StoreResult<()> {
        let mut known = self.reloading.lock().await;
        let version = Some(self.database.tenants_version().await?);
        if *known != version {
            self.read_tenants().await?;
            *known = version;
        }
        Ok(())
    }

    async fn read_tenants(&self) -> StoreResult<()> {
        let tenants = self.database.tenants().await?;
        let before = self.directory.load_full();
        let same = before.tenants().iter().map(|served| &served.tenant).eq(&tenants);
        if !same {
            let sources = TenantSources {
                database: &*self.database,
                secrets: &self.secrets,
                catalogues: &self.catalogues,
                limits: &self.limits,
            };
            self.directory.store(Arc::new(Directory::new(tenants, &sources, &before)));
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

    /// Asks the database whether it responds, and notes that in [`Self::health`]. To be called again and again, by one
    /// caller. A database that is silent for longer than `patience` counts as away.
    pub async fn check_database(&self, patience: Duration) {
        let asked_at = self.clock.now();
        let mut ping = pin!(self.database.ping());
        let outcome = match timeout(patience, &mut ping).await {
            Ok(outcome) => outcome,
            Err(_elapsed) => {
                self.health.is_silent();
                let silent = |_| Err(StoreError::Unavailable("no response in time".into()));
                timeout(MAX_PING_TIME, ping).await.unwrap_or_else(silent)
            }
        };
        match outcome {
            Ok(ping) => self.health.responded(ping, self.clock.now()),
            Err(error) => self.health.failed(&error, asked_at, self.clock.now()),
        }
    }

    /// Whether a catalogue is in memory, from which requests can be answered while the database is away.
    pub fn has_catalogue(&self) -> bool {
        self.directory.load().tenants().iter().any(|served| served.catalogue.is_loaded())
    }

    /// Takes in which tenants other instances added, changed or removed, and keeps the snapshots within their memory. To
    /// be called more than once a second: that is how soon a change is seen. Costs one statement, however many tenants
    /// there are, and none while the database is away. Catalogues are not looked at: requests have them checked.
    ///
    /// # Errors
    /// When the tenants cannot be read.
    pub async fn refresh(&self) -> StoreResult<()> {
        if self.health.is_away() {
            return Ok(());
        }
        self.follow_tenants().await?;
        if self.catalogues.memory_changed.swap(false, Ordering::Relaxed) {
            self.evict();
        }
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
