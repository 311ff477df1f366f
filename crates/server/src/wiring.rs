//! The one place that names a concrete store.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use pointbook_app::ports::Database;
use pointbook_app::{Clock, Service, ServiceLimits};
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};

use crate::commands::Failure;
use crate::sources::SystemClock;

/// Where the data is. Displays as it is given on the command line; never holds a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A file, read and written by this process.
    Sqlite(PathBuf),
}

impl DatabaseUrl {
    /// Reads `sqlite:PATH`.
    ///
    /// # Errors
    /// [`Failure`] says what is wrong without repeating the text, which may hold a password.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        const RULE: &str = "--database (or POINTBOOK_DATABASE) must be sqlite:PATH";
        let message = match text.split_once(':') {
            Some(("sqlite", "")) => format!("{RULE}, but the path is missing"),
            Some(("sqlite", path)) => return Ok(Self::Sqlite(PathBuf::from(path))),
            Some(("postgres" | "postgresql", _)) => {
                format!("{RULE}: PostgreSQL comes with a later version of pointbook")
            }
            _ => format!("{RULE}, such as sqlite:pointbook.db"),
        };
        Err(Failure::input(message))
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
        }
    }
}

/// Opens a database, creates it where there is none, and brings its schema up to date.
///
/// # Errors
/// [`Failure`] names the database and says what is wrong with it.
pub fn open_database(url: &DatabaseUrl, clock: &dyn Clock) -> Result<Arc<dyn Database>, Failure> {
    match url {
        DatabaseUrl::Sqlite(path) => {
            let store = SqliteStore::open(path, &SqliteOptions::new(clock.now()))
                .map_err(|error| Failure::failed(error.to_string()))?;
            Ok(Arc::new(store))
        }
    }
}

/// Opens a database and reads its tenants.
///
/// # Errors
/// As [`open_database`], or when the tenants cannot be read.
pub async fn open_service(url: &DatabaseUrl, limits: ServiceLimits) -> Result<Service, Failure> {
    let clock = Arc::new(SystemClock);
    let database = open_database(url, &*clock)?;
    Ok(Service::open(database, clock, limits).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_sqlite_file() {
        let url = DatabaseUrl::parse("sqlite:data/points.db").unwrap();
        assert_eq!(url, DatabaseUrl::Sqlite(PathBuf::from("data/points.db")));
        assert_eq!(url.to_string(), "sqlite:data/points.db");
    }

    #[test]
    fn a_refused_database_is_not_repeated() {
        for (bad, part) in [
            ("postgres://me:hush@db/points", "comes with a later version"),
            ("postgresql://me:hush@db/points", "comes with a later version"),
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
