use std::sync::Arc;

use clap::Args;
use pointbook_app::{Actor, ServedTenant, Service};
use pointbook_domain::TenantName;

use super::say;
use crate::Failure;
use crate::config::{Config, DatabaseConfig};
use crate::sources::UuidIds;
use crate::wiring::{self, DatabaseClient, DatabaseUrl};

/// For commands that use no database: `--database` is hidden and ignored, so that one line of options may go before
/// every command.
#[derive(Debug, Args)]
pub(crate) struct NoDatabase {
    /// Has no effect.
    #[arg(long, hide = true, value_name = "URL")]
    database: Option<String>,
}

/// The database that a command works on.
pub(crate) struct Context {
    /// A refusal is kept for the command that needs a database: some use none.
    database: Result<DatabaseUrl, Failure>,
    /// Said when the database is opened.
    warnings: Vec<String>,
}

impl Context {
    /// Takes the database of the option, otherwise that of the configuration.
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

    /// What is risky about the way to the database.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    pub(crate) fn database(&self) -> Result<&DatabaseUrl, Failure> {
        self.database.as_ref().map_err(Failure::clone)
    }

    /// Opens the database for requests. A file is created or migrated where needed.
    pub(super) async fn open(&self, config: &Config) -> Result<Arc<Service>, Failure> {
        self.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        let client = DatabaseClient::Requests { max_connections: config.database.max_connections };
        Ok(Arc::new(wiring::open_service(self.database()?, config.cache, client).await?))
    }

    /// Opens the database for a command. Says so when it creates a file.
    pub(super) async fn open_as(&self, client: DatabaseClient) -> Result<Arc<Service>, Failure> {
        if client == DatabaseClient::NewDatabase {
            self.say_created()?;
        }
        self.warnings.iter().for_each(say);
        Ok(Arc::new(wiring::open_quiet_service(self.database()?, client).await?))
    }

    /// Opens the database as [`Self::open_as`] does, without its warnings, and names it.
    pub(crate) async fn open_quietly(
        &self,
        client: DatabaseClient,
    ) -> Result<(&DatabaseUrl, Arc<Service>), Failure> {
        let url = self.database()?;
        Ok((url, Arc::new(wiring::open_quiet_service(url, client).await?)))
    }

    /// Creates the file of the database when it is missing, and says so.
    pub(crate) fn say_created(&self) -> Result<(), Failure> {
        wiring::create_file(self.database()?)?.iter().for_each(say);
        Ok(())
    }
}

/// The context of a use case that the command line calls now.
pub(crate) fn acting<T>(service: &Service, tenant: &Arc<ServedTenant>) -> pointbook_app::Context<T> {
    let (tenant, ids) = (tenant.clone(), Arc::new(UuidIds));
    pointbook_app::Context::new(tenant, Actor::CommandLine, service.clock.now(), ids)
}

/// The tenant with this name, `SLUG` or `SLUG/ENVIRONMENT`. The failure lists the tenants.
pub(crate) fn find_tenant(service: &Service, text: &str) -> Result<Arc<ServedTenant>, Failure> {
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

/// The tenant with this name, or all tenants.
pub(crate) fn find_tenants(service: &Service, name: Option<&str>) -> Result<Vec<Arc<ServedTenant>>, Failure> {
    match name {
        Some(name) => Ok(vec![find_tenant(service, name)?]),
        None => Ok(service.directory().tenants().to_vec()),
    }
}
