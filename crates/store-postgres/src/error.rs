//! What can go wrong, and what the callers of the ports learn of it.

mod connect;
mod no_connection;
mod postgres;
mod state;

use pointbook_app::StoreError;
use pointbook_app::commands::CommandError;
use pointbook_schema::Corrupt;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

pub use self::connect::ConnectError;
pub(crate) use self::no_connection::{HostRefusal, NoConnection, NoHost};
pub(crate) use self::postgres::PostgresError;
pub(crate) use self::state::Lost;

/// Why work on the database failed, before it leaves this crate.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreFailure {
    #[error("PostgreSQL failed")]
    Postgres(#[from] PostgresError),
    #[error("no connection to PostgreSQL")]
    NoConnection(#[from] NoConnection),
    #[error("PostgreSQL did not answer in time")]
    TimedOut,
    #[error("{0}")]
    Corrupt(String),
    #[error("a statement for one row gave several")]
    SeveralRows,
    /// A row changed between reading it and writing it: what was read no longer holds.
    #[error("another transaction was faster")]
    Overtaken,
    /// The row of another key has what only one row may have.
    #[error("table {table}: another row has what only one may have, by {constraint}")]
    KeyTaken { table: &'static str, constraint: String },
    /// The write was done, and what it came to cannot be told: it must be undone.
    #[error("the answer to the write cannot be made")]
    NoAnswer,
    #[error("whether the write was committed is not known")]
    CommitUnknown(#[source] Box<StoreFailure>),
    #[error("a statement of the transaction failed before its end")]
    FailedUnnoticed,
    /// Something was handed out before the failure, so that the work cannot begin again.
    #[error("reading was interrupted")]
    Interrupted(#[source] Box<StoreFailure>),
    /// The database is not as a command needs it.
    #[error(transparent)]
    Unusable(#[from] ConnectError),
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
            CommandError::NoResponse => Self::NoAnswer,
        }
    }
}

pub(crate) type Outcome<T> = Result<T, StoreFailure>;

impl StoreFailure {
    /// What a failed commit means: either the server says that it undid the transaction, or nobody knows.
    pub(crate) fn of_commit(failure: Self) -> Self {
        match failure {
            Self::Postgres(error) if error.code().is_some_and(state::is_undone_commit) => {
                Self::Postgres(error)
            }
            failure => Self::CommitUnknown(Box::new(failure)),
        }
    }

    /// What a failed statement means where a unique key that is taken is no race with another transaction.
    pub(crate) fn of_taken_key(self, table: &'static str) -> Self {
        match self {
            Self::Postgres(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
                let constraint = error.constraint().unwrap_or("a key");
                Self::KeyTaken { table, constraint: constraint.to_owned() }
            }
            failure => failure,
        }
    }

    /// Whether nothing was done and the same work may succeed at once.
    pub(crate) fn is_worth_a_replay(&self) -> bool {
        match self {
            Self::Postgres(error) => {
                error.is_broken_connection() || error.code().is_some_and(state::is_passing)
            }
            Self::Overtaken => true,
            Self::NoConnection(_)
            | Self::TimedOut
            | Self::Corrupt(_)
            | Self::SeveralRows
            | Self::KeyTaken { .. }
            | Self::NoAnswer
            | Self::CommitUnknown(_)
            | Self::FailedUnnoticed
            | Self::Interrupted(_)
            | Self::Unusable(_) => false,
        }
    }

    /// Whether a unique key was taken: by whoever was faster, or, where the next attempts fail as well, for good.
    pub(crate) fn is_of_taken_key(&self) -> bool {
        matches!(self, Self::Postgres(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION))
    }

    /// Whether a read on a shared connection may have failed for what others did there: it waited for too long, was
    /// ended with what others had waited for, or prepared its statement while a unit of somebody else failed.
    pub(crate) fn is_of_others(&self) -> bool {
        let of_others = [SqlState::QUERY_CANCELED, SqlState::IN_FAILED_SQL_TRANSACTION];
        match self {
            Self::TimedOut => true,
            Self::Postgres(error) => error.code().is_some_and(|state| of_others.contains(state)),
            _ => false,
        }
    }

    /// Which connections are of no use any more, as far as this failure of a statement tells.
    pub(crate) fn lost(&self) -> Lost {
        match self {
            Self::Postgres(error) => Lost::with(error),
            // Whether the server is there at all is found out when the statement is cancelled.
            Self::TimedOut => Lost::This,
            _ => Lost::None,
        }
    }
}

/// Whether the database refused a statement because the role of the URL lacks a right.
pub fn lacks_right(error: &StoreError) -> bool {
    let StoreError::Failed(cause) = error else { return false };
    match cause.downcast_ref() {
        Some(StoreFailure::Postgres(error)) => error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE),
        _ => false,
    }
}

impl From<Error> for StoreFailure {
    fn from(error: Error) -> Self {
        Self::Postgres(error.into())
    }
}

impl From<StoreFailure> for StoreError {
    fn from(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Corrupt(what) => Self::Corrupt(what),
            StoreFailure::Interrupted(failure) => Self::from(*failure),
            StoreFailure::NoConnection(_) | StoreFailure::TimedOut | StoreFailure::CommitUnknown(_) => {
                Self::Unavailable(Box::new(failure))
            }
            StoreFailure::Postgres(error) if error.code().is_some_and(state::is_too_long) => {
                Self::Unavailable(Box::new(StoreFailure::Postgres(error)))
            }
            failure if failure.is_of_taken_key() => Self::Failed(Box::new(failure)),
            failure if failure.is_worth_a_replay() => Self::Unavailable(Box::new(failure)),
            failure => Self::Failed(Box::new(failure)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_without_an_answer_may_have_happened() {
        let unknown = StoreFailure::of_commit(StoreFailure::TimedOut);
        assert!(!unknown.is_worth_a_replay());
        assert!(matches!(unknown, StoreFailure::CommitUnknown(_)), "{unknown:?}");
        assert!(matches!(StoreError::from(unknown), StoreError::Unavailable(_)));
    }
}
