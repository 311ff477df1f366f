//! What can go wrong, and what the callers of the ports learn of it.

use deadpool_postgres::PoolError;
use pointbook_app::StoreError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The URL is none of PostgreSQL's, or has an option that the driver does not know.
    #[error("it must be postgres://USER:PASSWORD@HOST:PORT/NAME, with an @ or / of a password as %40 or %2F")]
    Url,
    /// The database belongs to another program.
    #[error("the database holds tables of another program")]
    Foreign,
    /// The schema lacks migrations.
    #[error(
        "the database has schema {found}, and this pointbook needs schema {known}: run `pointbook migrate`"
    )]
    OlderSchema {
        /// The newest migration in the database; 0 for an empty one.
        found: u32,
        /// The newest migration of this program.
        known: u32,
    },
    /// The database was migrated by a newer pointbook.
    #[error(
        "the database has schema {found}, but this pointbook knows schemas up to {known}: use a newer pointbook"
    )]
    NewerSchema {
        /// The newest migration in the database.
        found: u32,
        /// The newest migration of this program.
        known: u32,
    },
    /// Anything else.
    #[error("the database cannot be used: {0}")]
    Failed(String),
}

impl From<StoreFailure> for ConnectError {
    fn from(failure: StoreFailure) -> Self {
        Self::Failed(described(&failure))
    }
}

/// An error with what led to it: those of the driver say little themselves.
fn described(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// Why work on the database failed, before it leaves this crate.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreFailure {
    #[error("PostgreSQL failed")]
    Postgres(#[source] Error),
    #[error("no connection to PostgreSQL")]
    NoConnection(#[source] PoolError),
    #[error("{0}")]
    Corrupt(String),
    /// A row changed between reading it and writing it: what was read no longer holds.
    #[error("another transaction was faster")]
    Overtaken,
    /// The write was done, and what it came to cannot be told: it must be undone.
    #[error("the answer to the write cannot be made")]
    NoAnswer,
    /// The connection was lost while the commit was under way.
    #[error("whether the write was committed is not known")]
    CommitUnknown(#[source] Error),
    /// The work went on after a statement of its transaction had failed.
    #[error("a statement of the transaction failed before its end")]
    FailedUnnoticed,
    /// Something was handed out before the failure, so that the work cannot begin again.
    #[error("reading was interrupted")]
    Interrupted(#[source] Box<StoreFailure>),
    #[error("the value cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

/// The result of work on a connection.
pub(crate) type Outcome<T> = Result<T, StoreFailure>;

impl StoreFailure {
    /// What a failed commit means: either the server says that it undid the transaction, or nobody knows.
    pub(crate) fn of_commit(error: Error) -> Self {
        if error.code().is_some_and(is_undone_commit) {
            Self::Postgres(error)
        } else {
            Self::CommitUnknown(error)
        }
    }

    /// Whether nothing was done and the same work may succeed at once.
    pub(crate) fn is_worth_a_replay(&self) -> bool {
        match self {
            Self::Postgres(error) => is_lost_connection(error) || error.code().is_some_and(is_passing),
            Self::Overtaken => true,
            Self::NoConnection(_)
            | Self::Corrupt(_)
            | Self::NoAnswer
            | Self::CommitUnknown(_)
            | Self::FailedUnnoticed
            | Self::Interrupted(_)
            | Self::Json(_) => false,
        }
    }
}

/// Whether the connection is gone. What the driver itself refuses, such as a value of another type, is an
/// error without a state too.
fn is_lost_connection(error: &Error) -> bool {
    let source = std::error::Error::source(error);
    error.is_closed() || source.is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
}

/// Whether a state that a commit ends in says that the transaction was rolled back.
fn is_undone_commit(state: &SqlState) -> bool {
    // Class 40 without 40003, which is "statement completion unknown"; class 23 for constraints.
    let code = state.code();
    (code.starts_with("40") && *state != SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN) || code.starts_with("23")
}

/// Whether a state comes from other transactions, or from a server that goes or comes. A unique key that
/// is taken is such a state: what the work looked for first, and did not find, is there by now.
fn is_passing(state: &SqlState) -> bool {
    [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::UNIQUE_VIOLATION,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
    ]
    .contains(state)
        || state.code().starts_with("08")
}

impl From<StoreFailure> for StoreError {
    fn from(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Corrupt(what) => Self::Corrupt(what),
            StoreFailure::Interrupted(failure) => Self::from(*failure),
            StoreFailure::NoConnection(_) | StoreFailure::CommitUnknown(_) => {
                Self::Unavailable(Box::new(failure))
            }
            failure if failure.is_worth_a_replay() => Self::Unavailable(Box::new(failure)),
            failure => Self::Failed(Box::new(failure)),
        }
    }
}
