//! The one place that names a concrete store.

use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;

use pointbook_app::ports::Database;
use pointbook_app::{Clock, Service, ServiceLimits};
use pointbook_store_postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};

use crate::commands::Failure;
use crate::sources::SystemClock;

/// Where the data is. Displays without a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A file, read and written by this process.
    Sqlite(PathBuf),
    /// A server, for as many processes as there are.
    Postgres(PostgresUrl),
}

impl DatabaseUrl {
    /// Reads `sqlite:PATH` or a URL of PostgreSQL.
    ///
    /// # Errors
    /// [`Failure`] says what is wrong without repeating the text, which may hold a password.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        Self::parse_option("--database (or POINTBOOK_DATABASE)", text)
    }

    /// The same for another option, which the failure names.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_option(option: &str, text: &str) -> Result<Self, Failure> {
        const RULE: &str = "must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME";
        let message = match text.split_once(':') {
            Some(("sqlite", "")) => format!("{option} {RULE}, but the path is missing"),
            Some(("sqlite", path)) => return Ok(Self::Sqlite(PathBuf::from(path))),
            Some(("postgres" | "postgresql", _)) => match PostgresUrl::parse(text) {
                Ok(url) => return Ok(Self::Postgres(url)),
                Err(error) => format!("{option} is refused: {error}"),
            },
            _ => format!("{option} {RULE}, such as sqlite:pointbook.db"),
        };
        Err(Failure::input(message))
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

/// Who works on a database, which decides how long a server's answers are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseClient {
    /// Requests, whose clients do not wait for long, on so many connections at most.
    Requests {
        /// See `database.max_connections`.
        max_connections: usize,
    },
    /// A command that somebody waits for as long as it takes: an import, an audit, a copy.
    Command,
}

impl DatabaseClient {
    fn options(self, clock: &dyn Clock) -> PostgresOptions {
        let options = PostgresOptions::new(clock.now());
        match self {
            Self::Requests { max_connections } => PostgresOptions { max_connections, ..options },
            Self::Command => options.patient(),
        }
    }
}

/// Opens a database. A file is created where there is none, and its schema is brought up to date; the
/// schema of a server, which other processes may be using, has to be this program's already.
///
/// # Errors
/// [`Failure`] names the database and says what is wrong with it.
pub async fn open_database(
    url: &DatabaseUrl,
    clock: &dyn Clock,
    client: DatabaseClient,
) -> Result<Arc<dyn Database>, Failure> {
    match url {
        DatabaseUrl::Sqlite(path) => {
            let store = SqliteStore::open(path, &SqliteOptions::new(clock.now()))
                .map_err(|error| Failure::failed(error.to_string()))?;
            Ok(Arc::new(store))
        }
        DatabaseUrl::Postgres(server) => Ok(Arc::new(connect(server, &client.options(clock)).await?)),
    }
}

/// Creates a file where there is none, and brings the schema of a file or a server up to date.
///
/// # Errors
/// As [`open_database`].
pub async fn migrate_database(url: &DatabaseUrl, clock: &dyn Clock) -> Result<(), Failure> {
    match url {
        DatabaseUrl::Sqlite(_) => open_database(url, clock, DatabaseClient::Command).await.map(drop),
        DatabaseUrl::Postgres(server) => {
            let migrated = PostgresStore::migrate(server, &DatabaseClient::Command.options(clock)).await;
            migrated.map(drop).map_err(|error| unusable(url, &error))
        }
    }
}

/// Gives a role of a server what serving takes.
///
/// # Errors
/// As [`open_database`], or when the role or the database is none for that.
pub async fn set_up_service_role(url: &DatabaseUrl, clock: &dyn Clock, role: &str) -> Result<(), Failure> {
    let DatabaseUrl::Postgres(server) = url else {
        return Err(Failure::input(format!("--service-role is for PostgreSQL, and {url} has no roles")));
    };
    let options = DatabaseClient::Command.options(clock);
    let set_up = PostgresStore::set_up_service_role(server, &options, role).await;
    set_up.map_err(|error| unusable(url, &error))
}

fn unusable(url: &dyn fmt::Display, error: &ConnectError) -> Failure {
    Failure::failed(format!("{url}: {error}"))
}

/// Whether both are one database, however each is written.
///
/// # Errors
/// As [`open_database`].
pub async fn is_one_database(
    one: &DatabaseUrl,
    other: &DatabaseUrl,
    clock: &dyn Clock,
) -> Result<bool, Failure> {
    match (one, other) {
        (DatabaseUrl::Sqlite(one), DatabaseUrl::Sqlite(other)) => {
            let file = |path: &PathBuf| path.metadata().ok().map(|file| (file.dev(), file.ino()));
            Ok(file(one).is_some_and(|known| file(other) == Some(known)))
        }
        (DatabaseUrl::Postgres(one), DatabaseUrl::Postgres(other)) => {
            let options = DatabaseClient::Command.options(clock);
            let (one, other) = (connect(one, &options).await?, connect(other, &options).await?);
            Ok(one.is_one_with(&other).await?)
        }
        (DatabaseUrl::Sqlite(_), DatabaseUrl::Postgres(_))
        | (DatabaseUrl::Postgres(_), DatabaseUrl::Sqlite(_)) => Ok(false),
    }
}

async fn connect(server: &PostgresUrl, options: &PostgresOptions) -> Result<PostgresStore, Failure> {
    let opened = PostgresStore::connect(server, options).await;
    opened.map_err(|error| unusable(server, &error))
}

/// Opens a database and reads its tenants.
///
/// # Errors
/// As [`open_database`], or when the tenants cannot be read.
pub async fn open_service(
    url: &DatabaseUrl,
    limits: ServiceLimits,
    client: DatabaseClient,
) -> Result<Service, Failure> {
    let clock = Arc::new(SystemClock);
    let database = open_database(url, &*clock, client).await?;
    Ok(Service::open(database, clock, limits).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_wait_for_a_server_and_commands_wait_longer() {
        let requests = DatabaseClient::Requests { max_connections: 7 }.options(&SystemClock);
        assert_eq!((requests.max_connections, requests.operation_timeout_ms), (7, Some(10_000)));
        assert_eq!(DatabaseClient::Command.options(&SystemClock).operation_timeout_ms, None);
    }

    #[test]
    fn a_database_is_a_sqlite_file() {
        let url = DatabaseUrl::parse("sqlite:data/points.db").unwrap();
        assert_eq!(url, DatabaseUrl::Sqlite(PathBuf::from("data/points.db")));
        assert_eq!(url.to_string(), "sqlite:data/points.db");
    }

    #[test]
    fn a_database_on_a_server_is_shown_without_its_password() {
        for scheme in ["postgres", "postgresql"] {
            let url = DatabaseUrl::parse(&format!("{scheme}://me:hush@db/points")).unwrap();
            assert_eq!(url.to_string(), format!("{scheme}://me@db/points"));
            assert!(!format!("{url:?}").contains("hush"));
        }
    }

    #[test]
    fn a_refused_database_is_not_repeated() {
        for (bad, part) in [
            ("postgres:hush", "postgres://USER:PASSWORD@HOST:PORT/NAME"),
            ("postgres://me:hu@sh:hush@db/points", "an @ or / of a password as %40"),
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
