//! Opens the concrete stores. No other module names a concrete store.

use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pointbook_store::ports::Database;
use pointbook_store::postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_store::sqlite::{OpenError, SqliteOptions, SqliteStore};
use pointbook_store::{Clock, SecretSource, Service, ServiceLimits, StoreError};

use crate::secret_file::Warning;
use crate::sources::{OsSecrets, SystemClock};
use crate::{Failure, database_file};

/// The URL of a database. `Display` leaves out the password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// The absolute path of a file.
    Sqlite(PathBuf),
    Postgres(PostgresUrl),
}

impl DatabaseUrl {
    /// Parses `sqlite:PATH` or a PostgreSQL URL.
    ///
    /// # Errors
    /// [`Failure`] says what is wrong. It does not repeat the string, which may contain a password.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        Self::parse_option("--database (or POINTBOOK_DATABASE)", text)
    }

    /// Parses the value of another option, which the failure names.
    pub(crate) fn parse_option(option: &str, text: &str) -> Result<Self, Failure> {
        const RULE: &str = "must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME";
        let refused = |error: &dyn fmt::Display| Failure::input(format!("{option} is invalid: {error}"));
        match text.split_once(':') {
            Some(("sqlite", "")) => Err(Failure::input(format!("{option} {RULE}, but the path is missing"))),
            Some(("sqlite", path)) => {
                std::path::absolute(path).map(Self::Sqlite).map_err(|error| refused(&error))
            }
            Some(("postgres" | "postgresql", _)) => {
                PostgresUrl::parse(text).map(Self::Postgres).map_err(|error| refused(&error))
            }
            _ => Err(Failure::input(format!("{option} {RULE}, such as sqlite:pointbook.db"))),
        }
    }

    pub(crate) fn has_password(&self) -> bool {
        matches!(self, Self::Postgres(url) if url.has_password())
    }

    /// A warning to print when the database is opened.
    pub(crate) fn warning(&self) -> Option<Warning> {
        match self {
            Self::Postgres(url) if url.may_be_in_the_open() => Some(Warning {
                message: format!("passwords and data may go to {url} unencrypted, because sslmode is prefer"),
                advice: "set sslmode=verify-full, or sslmode=disable on a safe network".to_owned(),
            }),
            Self::Postgres(_) | Self::Sqlite(_) => None,
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => url.fmt(f),
        }
    }
}

/// Who opens a database. Decides whether a SQLite file may be created or changed, and how long PostgreSQL may take to
/// respond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseClient {
    /// Requests, whose clients do not wait for long. A file may be new.
    Requests { max_connections: usize },
    /// A command that takes as long as it needs, on a database that may be new.
    NewDatabase,
    /// A command that takes as long as it needs and changes an existing database.
    Command,
    /// A command that takes as long as it needs and only reads. A file stays as it is.
    ReadOnly,
}

fn options(client: DatabaseClient, clock: &dyn Clock) -> PostgresOptions {
    let options = PostgresOptions::new(clock.now());
    match client {
        DatabaseClient::Requests { max_connections } => PostgresOptions { max_connections, ..options },
        DatabaseClient::NewDatabase | DatabaseClient::Command | DatabaseClient::ReadOnly => options.patient(),
    }
}

/// Opens a database. Creates a SQLite file and upgrades its schema when the client may do so. A PostgreSQL database must
/// have the schema of this version already, because other processes may use it.
///
/// # Errors
/// [`Failure`] names the database and says what is wrong with it.
pub async fn open_database(
    url: &DatabaseUrl,
    clock: &dyn Clock,
    client: DatabaseClient,
) -> Result<Arc<dyn Database>, Failure> {
    match url {
        DatabaseUrl::Sqlite(path) => Ok(Arc::new(open_file(path, clock, client)?)),
        DatabaseUrl::Postgres(server) => Ok(Arc::new(connect(server, &options(client, clock)).await?)),
    }
}

fn open_file(path: &Path, clock: &dyn Clock, client: DatabaseClient) -> Result<SqliteStore, Failure> {
    let options = SqliteOptions::new(clock.now());
    let opened = match client {
        DatabaseClient::Requests { .. } | DatabaseClient::NewDatabase => {
            database_file::create(path)?;
            SqliteStore::open(path, &options)
        }
        DatabaseClient::Command => {
            database_file::expect(path)?;
            SqliteStore::open_existing(path, &options)
        }
        DatabaseClient::ReadOnly => {
            database_file::expect(path)?;
            SqliteStore::open_read_only(path, &options)
        }
    };
    opened.map_err(|error| match error {
        OpenError::Empty(_) => database_file::empty(path),
        OpenError::Foreign(_) | OpenError::NotADatabase(_) => Failure::input(error.to_string()),
        _ => Failure::failed(error.to_string()),
    })
}

/// Copies a SQLite database into a missing or empty file. Other processes may write meanwhile. Blocks the thread.
pub(crate) fn copy_file(source: &Path, target: &Path) -> Result<(), Failure> {
    let copied = pointbook_store::sqlite::back_up(source, target, &SqliteOptions::new(SystemClock.now()));
    copied.map_err(|error| Failure::input(format!("nothing was copied: {error}")))
}

/// Moves the write-ahead log of a SQLite database into its file, so that the file alone is the database.
pub(crate) fn empty_log(file: &Path) -> Result<(), Failure> {
    let emptied = pointbook_store::sqlite::empty_log(file, &SqliteOptions::new(SystemClock.now()));
    emptied.map_err(|error| Failure::failed(error.to_string()))
}

/// Creates the file of a SQLite database. Returns a message for people when the file was missing or empty.
pub(crate) fn create_file(url: &DatabaseUrl) -> Result<Option<String>, Failure> {
    let DatabaseUrl::Sqlite(path) = url else { return Ok(None) };
    let is_new = database_file::create(path)?;
    Ok(is_new.then(|| format!("created new database {}", path.display())))
}

/// Creates or upgrades the schema.
pub(crate) async fn migrate_database(url: &DatabaseUrl) -> Result<(), Failure> {
    match url {
        DatabaseUrl::Sqlite(path) => open_file(path, &SystemClock, DatabaseClient::NewDatabase).map(drop),
        DatabaseUrl::Postgres(server) => {
            let migrated =
                PostgresStore::migrate(server, &options(DatabaseClient::Command, &SystemClock)).await;
            migrated.map(drop).map_err(|error| connect_failure(url, &error))
        }
    }
}

/// Distributes the tables of a PostgreSQL database by tenant. Returns the names of the tables that were not distributed
/// before.
pub(crate) async fn split_database(url: &DatabaseUrl) -> Result<Vec<&'static str>, Failure> {
    let DatabaseUrl::Postgres(server) = url else {
        return Err(Failure::input(format!("--citus needs PostgreSQL, and {url} is a SQLite database")));
    };
    let split = PostgresStore::split(server, &options(DatabaseClient::Command, &SystemClock)).await;
    split.map_err(|error| connect_failure(url, &error))
}

/// Gives a PostgreSQL role the rights that `serve` needs.
pub(crate) async fn set_up_service_role(url: &DatabaseUrl, role: &str) -> Result<(), Failure> {
    let DatabaseUrl::Postgres(server) = url else {
        return Err(Failure::input(format!(
            "--service-role needs PostgreSQL, and {url} is a SQLite database"
        )));
    };
    let options = options(DatabaseClient::Command, &SystemClock);
    let set_up = PostgresStore::set_up_service_role(server, &options, role).await;
    set_up.map_err(|error| connect_failure(url, &error))
}

async fn connect(server: &PostgresUrl, options: &PostgresOptions) -> Result<PostgresStore, Failure> {
    PostgresStore::connect(server, options).await.map_err(|error| connect_failure(server, &error))
}

/// Errors that another URL or role would avoid are invalid input. All others are trouble.
fn connect_failure(url: &dyn fmt::Display, error: &ConnectError) -> Failure {
    let message = format!("{url}: {error}");
    match error {
        ConnectError::Url
        | ConnectError::Option(_)
        | ConnectError::Foreign
        | ConnectError::Role { .. }
        | ConnectError::RoleOnCitus
        | ConnectError::NoCitus
        | ConnectError::NoDatabase(_) => Failure::input(message),
        ConnectError::OlderSchema { .. }
        | ConnectError::NewerSchema { .. }
        | ConnectError::BeforeTheFirst
        | ConnectError::Policy { .. }
        | ConnectError::Failed(_) => Failure::failed(message),
    }
}

/// Whether the database refused because the role in the URL lacks a right.
pub(crate) fn lacks_right(error: &StoreError) -> bool {
    pointbook_store::postgres::lacks_right(error)
}

/// Whether both URLs lead to the same database, even when they are written differently.
pub(crate) async fn is_one_database(one: &DatabaseUrl, other: &DatabaseUrl) -> Result<bool, Failure> {
    match (one, other) {
        (DatabaseUrl::Sqlite(one), DatabaseUrl::Sqlite(other)) => {
            let file = |path: &PathBuf| path.metadata().ok().map(|file| (file.dev(), file.ino()));
            Ok(file(one).is_some_and(|known| file(other) == Some(known)))
        }
        (DatabaseUrl::Postgres(one), DatabaseUrl::Postgres(other)) => {
            let options = options(DatabaseClient::Command, &SystemClock);
            let (one, other) = (connect(one, &options).await?, connect(other, &options).await?);
            Ok(one.is_one_with(&other).await?)
        }
        (DatabaseUrl::Sqlite(_), DatabaseUrl::Postgres(_))
        | (DatabaseUrl::Postgres(_), DatabaseUrl::Sqlite(_)) => Ok(false),
    }
}

/// Opens a database and reads its tenants.
pub(crate) async fn open_service(
    url: &DatabaseUrl,
    limits: ServiceLimits,
    client: DatabaseClient,
) -> Result<Service, Failure> {
    open_service_with(url, limits, client, Arc::new(OsSecrets)).await
}

/// As [`open_service`], with the master keys of this source.
pub(crate) async fn open_service_with(
    url: &DatabaseUrl,
    limits: ServiceLimits,
    client: DatabaseClient,
    secrets: Arc<dyn SecretSource>,
) -> Result<Service, Failure> {
    let clock = Arc::new(SystemClock);
    let database = open_database(url, &*clock, client).await?;
    Ok(Service::open(database, clock, secrets, limits).await?)
}

/// Opens a database for a command, without caches.
pub(crate) async fn open_quiet_service(
    url: &DatabaseUrl,
    client: DatabaseClient,
) -> Result<Service, Failure> {
    open_service(url, NO_CACHES, client).await
}

/// Limits without caches, for a command, which reads everything once.
pub(crate) const NO_CACHES: ServiceLimits = ServiceLimits {
    principal_max_age_seconds: 0,
    principal_max_age_when_away_seconds: 0,
    refresh_interval_ms: 500,
    catalogue_bytes: 0,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_a_timeout_and_commands_have_none() {
        let requests = options(DatabaseClient::Requests { max_connections: 7 }, &SystemClock);
        assert_eq!((requests.max_connections, requests.operation_timeout_ms), (7, Some(10_000)));
        assert_eq!(options(DatabaseClient::Command, &SystemClock).operation_timeout_ms, None);
    }

    #[test]
    fn sqlite_path_becomes_absolute() {
        let url = DatabaseUrl::parse("sqlite:data/points.db").unwrap();
        let path = std::env::current_dir().unwrap().join("data/points.db");
        assert_eq!(url, DatabaseUrl::Sqlite(path.clone()));
        assert_eq!(url.to_string(), format!("sqlite:{}", path.display()));
    }

    #[test]
    fn postgres_url_is_shown_without_its_password() {
        for scheme in ["postgres", "postgresql"] {
            let url = DatabaseUrl::parse(&format!("{scheme}://me:hush@db/points")).unwrap();
            assert_eq!(url.to_string(), format!("{scheme}://me@db/points"));
            assert!(!format!("{url:?}").contains("hush"));
        }
    }

    #[test]
    fn failure_does_not_repeat_the_url() {
        for (bad, part) in [
            ("postgres:hush", "postgres://USER:PASSWORD@HOST:PORT/NAME"),
            ("postgres://me:hu@sh:hush@db/points", "an @ or / in the password as %40"),
            ("mysql://me:hush@db/points", "such as sqlite:pointbook.db"),
            ("hush.db", "such as sqlite:pointbook.db"),
            ("sqlite:", "the path is missing"),
        ] {
            let messages = DatabaseUrl::parse(bad).unwrap_err().messages;
            assert_eq!(messages.len(), 1);
            assert!(messages[0].contains(part) && !messages[0].contains("hush"), "{messages:?}");
        }
    }
}
