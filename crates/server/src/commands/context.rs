use std::sync::Arc;

use pointbook_app::{Actor, ServedTenant, Service, ServiceLimits};
use pointbook_domain::TenantName;

use super::{Failure, say};
use crate::config::{Config, DatabaseConfig};
use crate::sources::UuidIds;
use crate::wiring::{self, DatabaseClient, DatabaseUrl};

/// For a command that ends by itself.
pub(super) const NOTHING_KEPT: ServiceLimits = ServiceLimits {
    principal_max_age_seconds: 0,
    principal_max_age_when_away_seconds: 0,
    refresh_interval_ms: 500,
    catalogue_bytes: 0,
};

/// What every command is given.
#[derive(Debug, Clone)]
pub struct Context {
    /// What is set. A refusal is kept for the command that needs it: some
    /// commands use no database.
    database: Result<DatabaseUrl, Failure>,
    /// What is to be told of it, once it is used.
    warnings: Vec<String>,
}

impl Context {
    /// Reads where the database is: as the option says, or as is set elsewhere.
    pub fn new(option: Option<&str>, otherwise: impl FnOnce() -> Result<DatabaseConfig, Failure>) -> Self {
        let chosen = match option {
            Some(text) => DatabaseUrl::parse(text).map(|url| (url, None)),
            None => otherwise().and_then(|database| database.chosen()),
        };
        let mut warnings = Vec::new();
        let database = chosen.map(|(url, warning)| {
            warnings.extend(warning);
            warnings.extend(url.warning());
            url
        });
        Self { database, warnings }
    }

    /// The database that the command works on.
    ///
    /// # Errors
    /// [`Failure`] when it is set to none that there could be.
    pub fn database(&self) -> Result<&DatabaseUrl, Failure> {
        self.database.as_ref().map_err(Failure::clone)
    }

    /// Opens the database for requests, and reads the tenants. A file is created or migrated where needed.
    ///
    /// # Errors
    /// [`Failure`] names the database and says what is wrong with it.
    pub async fn open(&self, config: &Config) -> Result<Arc<Service>, Failure> {
        self.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        let service =
            wiring::open_service(self.database()?, config.service_limits(), config.database_client()).await?;
        Ok(Arc::new(service))
    }

    /// Opens an existing database for a command that changes it, takes its time and keeps nothing in memory.
    ///
    /// # Errors
    /// [`Failure`] names the database and says what is wrong with it.
    pub async fn open_once(&self) -> Result<Arc<Service>, Failure> {
        self.open_as(DatabaseClient::Command).await
    }

    /// The same for a command that only reads.
    ///
    /// # Errors
    /// As [`Self::open_once`].
    pub async fn open_read_only(&self) -> Result<Arc<Service>, Failure> {
        self.open_as(DatabaseClient::ReadOnly).await
    }

    /// The same for a command that may come before the database is there; says when it created a file.
    ///
    /// # Errors
    /// As [`Self::open_once`].
    pub async fn open_or_create(&self) -> Result<Arc<Service>, Failure> {
        self.say_created()?;
        self.open_as(DatabaseClient::NewDatabase).await
    }

    /// Creates the file of the database when it is missing, and says so.
    ///
    /// # Errors
    /// [`Failure`] names the file.
    pub fn say_created(&self) -> Result<(), Failure> {
        wiring::create_file(self.database()?)?.iter().for_each(say);
        Ok(())
    }

    async fn open_as(&self, client: DatabaseClient) -> Result<Arc<Service>, Failure> {
        self.warnings.iter().for_each(say);
        Ok(Arc::new(wiring::open_service(self.database()?, NOTHING_KEPT, client).await?))
    }
}

/// What a use case is given that the command line calls now.
pub fn acting<T>(service: &Service, tenant: &Arc<ServedTenant>) -> pointbook_app::Context<T> {
    let (tenant, ids) = (tenant.clone(), Arc::new(UuidIds));
    pointbook_app::Context::new(tenant, Actor::CommandLine, service.clock.now(), ids)
}

/// The tenant that `--tenant` or a positional argument names, as `SLUG` or `SLUG/ENVIRONMENT`.
///
/// # Errors
/// [`Failure`] with the rule of the name, or with the tenants there are.
pub fn find_tenant(service: &Service, text: &str) -> Result<Arc<ServedTenant>, Failure> {
    let name = TenantName::parse(text)
        .map_err(|rule| Failure::input(format!("{text:?} names no tenant: {rule}")))?;
    let directory = service.directory();
    directory.find(&name).cloned().ok_or_else(|| {
        let known: Vec<String> = directory.tenants().iter().map(|served| served.name().to_string()).collect();
        Failure::input(match known.as_slice() {
            [] => format!("there is no tenant {name}: add one with `pointbook tenant add`"),
            _ => format!("there is no tenant {name}: the tenants are {}", known.join(", ")),
        })
    })
}
