use std::sync::Arc;

use clap::Args;
use pointbook_domain::TenantName;
use pointbook_store::{Actor, SecretSource, ServedTenant, Service};

use super::say;
use crate::config::{Config, DatabaseConfig};
use crate::secret_file::Warning;
use crate::sources::{OsSecrets, UuidIds, command_line};
use crate::wiring::{DatabaseClient, DatabaseUrl, NO_CACHES};
use crate::{Failure, wiring};

/// The `--database` option of commands that use no database. It is hidden and ignored, so that scripts can pass the
/// same options to every command.
#[derive(Debug, Args)]
pub(crate) struct NoDatabase {
    /// Has no effect.
    #[arg(long, hide = true, value_name = "URL")]
    database: Option<String>,
}

/// The database that a command works on.
pub(crate) struct Context {
    /// An invalid URL fails only when the command asks for the database: some commands use none.
    database: Result<DatabaseUrl, Failure>,
    /// Printed when the database is opened.
    warnings: Vec<Warning>,
}

impl Context {
    /// Takes the database from the option; without it, from the configuration.
    pub(crate) fn new(
        option: Option<&str>,
        configured: impl FnOnce() -> Result<DatabaseConfig, Failure>,
    ) -> Self {
        let chosen = match option {
            Some(text) => DatabaseUrl::parse(text).map(|url| (url, None)),
            None => configured().and_then(|database| database.chosen()),
        };
        match chosen {
            Ok((url, warning)) => {
                let warnings = warning.into_iter().chain(url.warning()).collect();
                Self { database: Ok(url), warnings }
            }
            Err(refusal) => Self { database: Err(refusal), warnings: Vec::new() },
        }
    }

    /// Warnings about how the database is reached, such as a password file that all users can read.
    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    pub(crate) fn database(&self) -> Result<&DatabaseUrl, Failure> {
        self.database.as_ref().map_err(Failure::clone)
    }

    /// Opens the database for requests. Creates or migrates a SQLite file where needed.
    pub(super) async fn open(&self, config: &Config) -> Result<Arc<Service>, Failure> {
        self.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        let client = DatabaseClient::Requests { max_connections: config.database.max_connections };
        let secrets = config.secrets()?;
        Ok(Arc::new(wiring::open_service_with(self.database()?, config.cache, client, secrets).await?))
    }

    /// Opens the database for a command. Prints a message when it creates a file.
    pub(super) async fn open_as(&self, client: DatabaseClient) -> Result<Arc<Service>, Failure> {
        if client == DatabaseClient::NewDatabase {
            self.say_created()?;
        }
        self.open_with(client, Arc::new(OsSecrets)).await
    }

    /// Opens the existing database for a command, with the master keys of this source.
    pub(super) async fn open_with(
        &self,
        client: DatabaseClient,
        secrets: Arc<dyn SecretSource>,
    ) -> Result<Arc<Service>, Failure> {
        self.warnings.iter().for_each(say);
        Ok(Arc::new(wiring::open_service_with(self.database()?, NO_CACHES, client, secrets).await?))
    }

    /// Opens the database as [`Self::open_as`] does, without messages. Returns its URL, too.
    pub(crate) async fn open_quietly(
        &self,
        client: DatabaseClient,
    ) -> Result<(&DatabaseUrl, Arc<Service>), Failure> {
        let url = self.database()?;
        Ok((url, Arc::new(wiring::open_quiet_service(url, client).await?)))
    }

    /// Creates the file of the database when it is missing, and prints a message.
    pub(crate) fn say_created(&self) -> Result<(), Failure> {
        wiring::create_file(self.database()?)?.iter().for_each(say);
        Ok(())
    }
}

/// The context of a use case that the command line runs now.
pub(crate) fn acting<T>(
    service: &Service,
    tenant: &Arc<ServedTenant>,
) -> pointbook_store::context::Context<T> {
    let (now, ids) = (service.now_of(tenant), Arc::new(UuidIds));
    let bare = pointbook_store::context::Context::new(tenant.clone(), Actor::CommandLine, now, ids);
    pointbook_store::context::Context { origin: command_line(), clock: Some(service.clock.clone()), ..bare }
}

/// The tenant with this name, `SLUG` or `SLUG/ENVIRONMENT`. The failure lists all tenants.
pub(crate) fn find_tenant(service: &Service, text: &str) -> Result<Arc<ServedTenant>, Failure> {
    let name = TenantName::parse(text)
        .map_err(|rule| Failure::input(format!("{text:?} is not a tenant name: {rule}")))?;
    let directory = service.directory();
    directory.find(&name).cloned().ok_or_else(|| {
        let known: Vec<String> = directory.tenants().iter().map(|served| served.name().to_string()).collect();
        Failure::input(match known.as_slice() {
            [] => format!("there is no tenant {name}: add one with `pointbook tenant add`"),
            _ => format!("there is no tenant {name}: the tenants are {}", known.join(", ")),
        })
    })
}

/// The tenant with this name, or all tenants.
pub(crate) fn find_tenants(service: &Service, name: Option<&str>) -> Result<Vec<Arc<ServedTenant>>, Failure> {
    match name {
        Some(name) => Ok(vec![find_tenant(service, name)?]),
        None => Ok(service.directory().tenants().to_vec()),
    }
}
