//! What can go wrong, and what the callers of the ports learn of it.

use std::path::{Path, PathBuf};

use pointbook_app::StoreError;
use rusqlite::ErrorCode;

use crate::retry::{Failure, is_lock};

/// Why a file cannot be opened as a database of pointbook.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file is something else.
    #[error("{} is not a SQLite database", .0.display())]
    NotADatabase(PathBuf),
    /// The file is a database of another program.
    #[error("{} is a SQLite database of another program", .0.display())]
    Foreign(PathBuf),
    /// The database was written by a newer pointbook.
    #[error("{} has schema {found}, but this pointbook knows schemas up to {known}: use a newer pointbook", path.display())]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// The newest migration in the file.
        found: u32,
        /// The newest migration of this program.
        known: u32,
    },
    /// The file system cannot hold a write-ahead log.
    #[error("{} lies on a file system that cannot hold a write-ahead log", .0.display())]
    NoWal(PathBuf),
    /// Anything else.
    #[error("cannot open {}: {message}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        message: String,
    },
}

/// An [`OpenError`] before the file is named.
#[derive(Debug)]
pub(crate) enum OpenFailure {
    Foreign,
    NewerSchema { found: u32, known: u32 },
    NoWal,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for OpenFailure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Failure for OpenFailure {
    fn is_busy(&self) -> bool {
        match self {
            Self::Sqlite(error) => is_lock(error),
            Self::Foreign | Self::NewerSchema { .. } | Self::NoWal => false,
        }
    }
}

impl OpenFailure {
    pub(crate) fn in_file(self, path: &Path) -> OpenError {
        let path = path.to_owned();
        match self {
            Self::Foreign => OpenError::Foreign(path),
            Self::NewerSchema { found, known } => OpenError::NewerSchema { path, found, known },
            Self::NoWal => OpenError::NoWal(path),
            Self::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
                OpenError::NotADatabase(path)
            }
            Self::Sqlite(error) => OpenError::Failed { path, message: error.to_string() },
        }
    }
}

/// Why work on the database failed, before it leaves this crate.
#[derive(Debug)]
pub(crate) enum StoreFailure {
    Sqlite(rusqlite::Error),
    Corrupt(String),
}

/// The result of work on a connection.
pub(crate) type Outcome<T> = Result<T, StoreFailure>;

impl From<rusqlite::Error> for StoreFailure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Failure for StoreFailure {
    fn is_busy(&self) -> bool {
        match self {
            Self::Sqlite(error) => is_lock(error),
            Self::Corrupt(_) => false,
        }
    }
}

impl From<StoreFailure> for StoreError {
    fn from(failure: StoreFailure) -> Self {
        let busy = failure.is_busy();
        match failure {
            StoreFailure::Corrupt(what) => Self::Corrupt(what),
            StoreFailure::Sqlite(error) if busy => Self::Unavailable(Box::new(error)),
            StoreFailure::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    Self::Corrupt(error.to_string())
                }
                _ => Self::Failed(Box::new(error)),
            },
        }
    }
}
