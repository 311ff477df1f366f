//! The errors of the store on SQLite, and their conversion to the errors of the ports.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::commands::CommandError;
use crate::ports::StoreError;
use crate::queue::Overloaded;
use crate::schema::Corrupt;
use crate::sqlite::retry::{Failure, is_lock};

/// Why a file cannot be opened as a pointbook database.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file is not a SQLite database.
    #[error("{} is not a SQLite database", .0.display())]
    NotADatabase(PathBuf),
    /// The file is a database of another program.
    #[error("{} is a SQLite database of another program", .0.display())]
    Foreign(PathBuf),
    /// The file has no tables yet.
    #[error("{} is empty: it is not a pointbook database", .0.display())]
    Empty(PathBuf),
    /// An older version wrote the database, which was opened read-only and cannot be migrated.
    #[error(
        "{} has schema {found}, but this pointbook needs schema {known}: run `pointbook migrate`",
        path.display()
    )]
    OlderSchema {
        /// The file.
        path: PathBuf,
        /// The newest migration in the file.
        found: u32,
        /// The newest migration of this program.
        known: u32,
    },
    /// A newer version wrote the database.
    #[error("{} has schema {found}, but this pointbook knows schemas up to {known}: use a newer pointbook", path.display())]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// The newest migration in the file.
        found: u32,
        /// The newest migration of this program.
        known: u32,
    },
    /// A program from before the first schema wrote the database.
    #[error(
        "{} was made by a development version that is older than the first schema of pointbook, and nothing migrates it: use a new file, and import what the older \
         pointbook exports",
        .0.display()
    )]
    BeforeTheFirst(PathBuf),
    /// The file system does not support a write-ahead log.
    #[error("{} is on a file system that does not support a write-ahead log: use a local disk", .0.display())]
    NoWal(PathBuf),
    /// Any other failure.
    #[error("cannot open {}: {message}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// The message of SQLite or of the operating system.
        message: String,
    },
}

/// An [`OpenError`] before the file is named.
#[derive(Debug)]
pub(crate) enum OpenFailure {
    Foreign,
    Empty,
    OlderSchema {
        found: u32,
        known: u32,
    },
    NewerSchema {
        found: u32,
        known: u32,
    },
    BeforeTheFirst,
    NoWal,
    Sqlite(rusqlite::Error),
    /// The operating system refused a thread or access to the file.
    System(std::io::Error),
}

impl From<StoreFailure> for OpenFailure {
    fn from(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Sqlite(error) => Self::Sqlite(error),
            other => Self::System(std::io::Error::other(other)),
        }
    }
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
            Self::Foreign
            | Self::Empty
            | Self::OlderSchema { .. }
            | Self::NewerSchema { .. }
            | Self::BeforeTheFirst
            | Self::NoWal
            | Self::System(_) => false,
        }
    }
}

impl OpenFailure {
    pub(crate) fn in_file(self, path: &Path) -> OpenError {
        let path = path.to_owned();
        match self {
            Self::Foreign => OpenError::Foreign(path),
            Self::Empty => OpenError::Empty(path),
            Self::OlderSchema { found, known } => OpenError::OlderSchema { path, found, known },
            Self::NewerSchema { found, known } => OpenError::NewerSchema { path, found, known },
            Self::BeforeTheFirst => OpenError::BeforeTheFirst(path),
            Self::NoWal => OpenError::NoWal(path),
            Self::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
                OpenError::NotADatabase(path)
            }
            Self::Sqlite(error) => OpenError::Failed { path, message: error.to_string() },
            Self::System(error) => OpenError::Failed { path, message: error.to_string() },
        }
    }
}

/// Why work on the database failed. Callers of the ports get a [`StoreError`] instead.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreFailure {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Corrupt(String),
    /// Another process held the write lock for too long.
    #[error("another process holds the write lock")]
    Locked,
    /// The write succeeded but its response cannot be built, so the write is rolled back.
    #[error("the response to the write cannot be built")]
    NoResponse,
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// SQLite rolled back the transaction, and with it the effect of the work.
    #[error("the transaction was rolled back")]
    RolledBack,
    #[error("the write panicked")]
    Panicked,
    #[error("the writing thread has ended")]
    WriterEnded,
    #[error("the database is open read-only")]
    ReadOnly,
    /// The read may mix two states of the file.
    #[error("another process opened the file for writing while it was read: run the command again")]
    Overwritten,
}

impl From<Corrupt> for StoreFailure {
    fn from(Corrupt(what): Corrupt) -> Self {
        Self::Corrupt(what)
    }
}

impl From<CommandError> for StoreFailure {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Corrupt(what) => Self::Corrupt(what),
            CommandError::NoResponse => Self::NoResponse,
        }
    }
}

/// The result of work on a connection.
pub(crate) type Outcome<T> = Result<T, StoreFailure>;

impl Failure for StoreFailure {
    fn is_busy(&self) -> bool {
        match self {
            Self::Sqlite(error) => is_lock(error),
            Self::Locked | Self::Overloaded(_) => true,
            Self::Corrupt(_)
            | Self::NoResponse
            | Self::RolledBack
            | Self::Panicked
            | Self::WriterEnded
            | Self::ReadOnly
            | Self::Overwritten => false,
        }
    }
}

/// A full disk becomes [`StoreError::Failed`]: a retry does not help, the operator must act. The log gets SQLite's message
/// ("database or disk is full").
impl From<StoreFailure> for StoreError {
    fn from(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Corrupt(what) => Self::Corrupt(what),
            StoreFailure::Overloaded(_) => Self::Overloaded,
            StoreFailure::Sqlite(error) if is_unreadable(&error) => Self::Corrupt(error.to_string()),
            failure if failure.is_busy() => Self::Unavailable(Box::new(failure)),
            failure => Self::Failed(Box::new(failure)),
        }
    }
}

fn is_unreadable(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}
