use std::sync::Arc;

use pointbook_app::{ServedTenant, Service, ServiceLimits};
use pointbook_domain::TenantName;

use super::Failure;
use crate::config::Config;
use crate::wiring::{self, DatabaseClient, DatabaseUrl};

/// For a command that ends by itself.
pub(super) const NOTHING_KEPT: ServiceLimits =
    ServiceLimits { principal_max_age_seconds: 0, catalogue_bytes: 0 };

/// What every command is given.
#[derive(Debug, Clone)]
pub struct Context {
    /// What the command line says of it. A refusal is kept for the command that needs it: some
    /// commands use no database.
    database: Result<DatabaseUrl, Failure>,
}

impl Context {
    /// Reads where the database is.
    pub fn new(database: &str) -> Self {
        Self { database: DatabaseUrl::parse(database) }
    }

    /// The database that the command works on.
    ///
    /// # Errors
    /// [`Failure`] when the command line names none that there could be.
    pub fn database(&self) -> Result<&DatabaseUrl, Failure> {
        self.database.as_ref().map_err(Failure::clone)
    }

    /// Opens the database for requests, and reads the tenants. A file is created or migrated where needed.
    ///
    /// # Errors
    /// [`Failure`] names the database and says what is wrong with it.
    pub async fn open(&self, config: &Config) -> Result<Arc<Service>, Failure> {
        let service =
            wiring::open_service(self.database()?, config.service_limits(), config.database_client()).await?;
        Ok(Arc::new(service))
    }

    /// The same for a command that ends by itself, takes its time and keeps nothing in memory.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_once(&self) -> Result<Arc<Service>, Failure> {
        let service = wiring::open_service(self.database()?, NOTHING_KEPT, DatabaseClient::Command).await?;
        Ok(Arc::new(service))
    }
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
