//! The service as a whole: a database, a clock, and what is kept in memory.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use pointbook_domain::Timestamp;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::directory::TenantSources;
use crate::ports::Database;
use crate::{
    Clock, DatabaseHealth, Directory, SecretSource, ServedTenant, StoreError, StoreResult, with_causes,
};

/// After so long a question to the database is asked anew. Stores give up sooner.
const MAX_PING_TIME: Duration = Duration::from_mins(1);

/// Bounds on what is kept in memory.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// For how long a token is taken as good without asking the database, in seconds.
    pub principal_max_age_seconds: u32,
    /// The same while the database is away, counted from when it last said so, in seconds.
    pub principal_max_age_when_away_seconds: u32,
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
    /// Where the secrets of tenants come from that have none yet.
    secrets: Arc<dyn SecretSource>,
    /// Whether the database responds, as [`Self::check_database`] found out.
    pub health: Arc<DatabaseHealth>,
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
        secrets: Arc<dyn SecretSource>,
        limits: ServiceLimits,
    ) -> StoreResult<Self> {
        let service = Self {
            database,
            clock,
            secrets,
            health: Arc::default(),
            limits,
            directory: ArcSwap::default(),
            reloading: Mutex::default(),
        };
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
            let sources = TenantSources {
                database: &*self.database,
                secrets: &self.secrets,
                health: &self.health,
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

    /// Takes in what other processes changed, and keeps the snapshots within their memory. To be
    /// called more than once a second: that is how soon a change is seen. Calls may overlap: a tenant
    /// that one of them is busy with is left out by the next, so that it holds up no other. Does nothing while the
    /// database is away.
    ///
    /// # Errors
    /// When the tenants cannot be read. A tenant whose catalogue cannot be read keeps the snapshot
    /// that it has, and the log says why.
    pub async fn refresh(&self) -> StoreResult<()> {
        if self.health.is_away() {
            return Ok(());
        }
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
    match served.catalogue.refresh(now).await {
        Ok(()) => {}
        Err(error @ StoreError::Unavailable(_)) => served.health.note_failure(&error),
        Err(error) => {
            let error = with_causes(&error);
            tracing::warn!(tenant = %served.name(), error, "catalogue refresh failed");
        }
    }
}
