//! The whole service: a database, a clock, and everything in memory.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::database_health::DatabaseHealth;
use crate::directory::{Directory, SharedByTenants, TenantSources};
use crate::ports::{Database, StoreError, StoreResult, TenantsVersion};
use crate::sources::{Clock, SecretSource};

/// After this time, the process asks a silent database again. Stores give up sooner.
const MAX_PING_TIME: Duration = Duration::from_mins(1);

/// Bounds of what the process keeps in memory.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// How long a token is valid without another database read, in seconds.
    pub principal_max_age_seconds: u32,
    /// The same while the database is away, counted from the last read, in seconds.
    pub principal_max_age_when_away_seconds: u32,
    /// The age of the last look for changes of other instances at which the process looks again, in milliseconds; at most a
    /// second.
    pub refresh_interval_ms: u64,
    /// The memory of the snapshots of all tenants together, in bytes. One snapshot in use is always kept.
    pub catalogue_bytes: usize,
}

/// The source of all results of requests and commands.
pub struct Service {
    pub database: Arc<dyn Database>,
    pub clock: Arc<dyn Clock>,
    /// The source of secrets for tenants that have none yet.
    secrets: Arc<dyn SecretSource>,
    /// Whether the database responds, as [`Self::check_database`] found.
    pub health: Arc<DatabaseHealth>,
    /// What all tenants share.
    pub shared: Arc<SharedByTenants>,
    directory: ArcSwap<Directory>,
    /// Held while the process reads the tenants and replaces the directory, so that an older list never wins. It has the version
    /// of the last list.
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
        let shared = Arc::new(SharedByTenants::new(limits));
        let service = Self {
            database,
            clock,
            secrets,
            health: shared.health.clone(),
            shared,
            directory: ArcSwap::default(),
            reloading: Mutex::default(),
        };
        service.reload_tenants().await?;
        Ok(service)
    }

    pub fn directory(&self) -> arc_swap::Guard<Arc<Directory>> {
        self.directory.load()
    }

    /// Reads the tenants again after a tenant was added or changed.
    ///
    /// # Errors
    /// When the store fails. Then the directory does not change.
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
            let (database, secrets, shared) = (&*self.database, &self.secrets, &self.shared);
            let sources = TenantSources { database, secrets, shared };
            self.directory.store(Arc::new(Directory::new(tenants, &sources, &before)));
        }
        Ok(())
    }

    /// [`Self::reload_tenants`] after a write. The write counts even if this read fails: the next refresh reads them.
    pub async fn take_in_tenants(&self) {
        if let Err(error) = self.reload_tenants().await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, "tenants not read after a change");
        }
    }

    /// Asks the database whether it responds, and notes the result in [`Self::health`]. One caller calls it again and again. A
    /// database that is silent for longer than `patience` counts as away.
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

    /// Reads which tenants other instances added, changed or removed. Call it more than once a second, since changes appear that
    /// fast. It costs one statement for any number of tenants, and none while the database is away.
    ///
    /// # Errors
    /// When the tenants cannot be read.
    pub async fn refresh(&self) -> StoreResult<()> {
        if self.health.is_away() {
            return Ok(());
        }
        self.follow_tenants().await
    }
}
