//! What the server or the driver says of a failure, without what is stored.

use std::error::Error as StdError;
use std::fmt;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, SqlState};

/// An error of the driver that may be logged. PostgreSQL tells the row that it refuses, and so tokens and names
/// of people: those details are shown nowhere, neither here nor as the source.
pub(crate) struct PostgresError(Error);

impl PostgresError {
    pub(crate) fn code(&self) -> Option<&SqlState> {
        self.0.code()
    }

    pub(crate) fn constraint(&self) -> Option<&str> {
        self.0.as_db_error().and_then(DbError::constraint)
    }

    /// Why a connection could not be opened. Of what the system said, only that.
    pub(crate) fn reason(&self) -> String {
        match self.0.source().filter(|_| self.code().is_none()) {
            Some(source) if source.is::<std::io::Error>() => source.to_string(),
            Some(source) => format!("{self}: {source}"),
            None => self.to_string(),
        }
    }

    /// Whether the connection is gone. What the driver itself refuses, such as a value of another type, is an
    /// error without a state too.
    pub(super) fn is_broken_connection(&self) -> bool {
        let source = self.0.source();
        self.0.is_closed() || source.is_some_and(<dyn StdError>::is::<std::io::Error>)
    }
}

impl From<Error> for PostgresError {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl fmt::Display for PostgresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_db_error() {
            Some(error) => show(error, f),
            None => self.0.fmt(f),
        }
    }
}

/// The state, the message and what the error is about, by its names in the schema.
fn show(error: &DbError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{} (SQLSTATE {}", error.message(), error.code().code())?;
    let names = [("table", error.table()), ("column", error.column()), ("constraint", error.constraint())];
    for (kind, name) in names {
        if let Some(name) = name {
            write!(f, ", {kind} {name}")?;
        }
    }
    f.write_str(")")?;
    if *error.code() == SqlState::INSUFFICIENT_PRIVILEGE {
        f.write_str(FORBIDDEN)?;
    }
    Ok(())
}

/// What to do where the role of the URL lacks a right. The service's role lacks those over tenants on purpose.
const FORBIDDEN: &str = ": the role of this URL may not do that; use the URL of the owner of the tables, who ran `pointbook migrate`";

impl fmt::Debug for PostgresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresError({self})")
    }
}

impl StdError for PostgresError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        if self.0.as_db_error().is_some() { None } else { self.0.source() }
    }
}
