//! Errors of the server or the driver, without stored data.

use std::error::Error as StdError;
use std::fmt;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, SqlState};

/// An error of the driver that is safe to log. The details of PostgreSQL's errors contain the refused row, and so tokens and
/// personal data. This type shows them neither in its message nor as its source.
pub(crate) struct PostgresError(Error);

impl PostgresError {
    pub(crate) fn code(&self) -> Option<&SqlState> {
        self.0.code()
    }

    pub(crate) fn constraint(&self) -> Option<&str> {
        self.0.as_db_error().and_then(DbError::constraint)
    }

    /// Why a connection could not be opened. For an I/O error, only the message of the operating system.
    pub(crate) fn reason(&self) -> String {
        match self.0.source().filter(|_| self.code().is_none()) {
            Some(source) if source.is::<std::io::Error>() => source.to_string(),
            Some(source) => format!("{self}: {source}"),
            None => self.to_string(),
        }
    }

    /// Whether the connection is lost. An error without a state is not enough: the driver also returns one when it refuses
    /// a value of the wrong type.
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

/// Writes the message, the state, and the names of the table, column and constraint.
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

/// The advice when the role of the URL lacks a right. The service role cannot write tenants on purpose.
const FORBIDDEN: &str = ": the role of this URL lacks this right: use the URL of the owner of the tables, who ran `pointbook migrate`";

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
