//! What can go wrong, and what the callers of the ports learn of it.

mod connect;
mod postgres;

use pointbook_app::StoreError;
use pointbook_app::commands::CommandError;
use pointbook_schema::Corrupt;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

pub use self::connect::ConnectError;
pub(crate) use self::connect::{HostRefusal, NoConnection, NoHost};
pub(crate) use self::postgres::PostgresError;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The statement failed, not the way to the server.
    None,
    This,
    /// The others too: the server went, or is no primary any more.
    All,
}

/// The server stops, starts, or is a standby by now.
const GOING_SERVER: [SqlState; 4] = [
    SqlState::READ_ONLY_SQL_TRANSACTION,
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
];

/// Other transactions were in the way. A unique key that is taken is such a state: what the work looked for first, and
/// did not find, is there by now. So is a table that others make at the same moment.
const IN_THE_WAY: [SqlState; 6] = [
    SqlState::T_R_SERIALIZATION_FAILURE,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::LOCK_NOT_AVAILABLE,
    SqlState::UNIQUE_VIOLATION,
    SqlState::DUPLICATE_OBJECT,
    SqlState::DUPLICATE_TABLE,
];

/// The class of states of a lost connection.
const CONNECTION: &str = "08";

impl StoreFailure {
    pub(crate) fn is_in(&self, states: &[SqlState]) -> bool {
        self.state().is_some_and(|state| states.contains(state))
    }

    fn is_of_class(&self, class: &str) -> bool {
        self.state().is_some_and(|state| state.code().starts_with(class))
    }

    fn state(&self) -> Option<&SqlState> {
        if let Self::Postgres(error) = self { error.code() } else { None }
    }

    fn is_broken_connection(&self) -> bool {
        matches!(self, Self::Postgres(error) if error.is_broken_connection())
    }

    /// What a failed commit means: either the server says that it undid the transaction, or the outcome is unknown.
    pub(crate) fn of_commit(self) -> Self {
        let is_unknown = self.is_in(&[SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN]);
        // Rollbacks and constraints.
        let is_undone = (self.is_of_class("40") && !is_unknown) || self.is_of_class("23");
        if is_undone { self } else { Self::CommitUnknown(Box::new(self)) }
    }

    /// What a failed statement means where a unique key that is taken is no race with another transaction.
    pub(crate) fn of_taken_key(self, table: &'static str) -> Self {
        match &self {
            Self::Postgres(error) if self.is_of_taken_key() => {
                let constraint = error.constraint().unwrap_or("a key").to_owned();
                Self::KeyTaken { table, constraint }
            }
            _ => self,
        }
    }

    /// Whether nothing was done and the same work may succeed at once.
    pub(crate) fn is_worth_a_replay(&self) -> bool {
        matches!(self, Self::Overtaken)
            || self.is_broken_connection()
            || self.is_in(&IN_THE_WAY)
            || self.is_in(&GOING_SERVER)
            || self.is_of_class(CONNECTION)
    }

    /// Whether a unique key was taken: by a faster writer, or, where the next attempts fail as well, for good.
    pub(crate) fn is_of_taken_key(&self) -> bool {
        self.is_in(&[SqlState::UNIQUE_VIOLATION])
    }

    /// Whether a read on a shared connection may have failed for what others did there: it waited for too long, was
    /// ended with what others had waited for, or prepared its statement while a unit of another read failed.
    pub(crate) fn is_of_others(&self) -> bool {
        let of_others = [SqlState::QUERY_CANCELED, SqlState::IN_FAILED_SQL_TRANSACTION];
        matches!(self, Self::TimedOut) || self.is_in(&of_others)
    }

    /// Which connections are of no use any more, as far as this failure of a statement tells.
    pub(crate) fn lost(&self) -> Lost {
        let idle_for_too_long = SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT;
        if self.is_broken_connection() || self.is_in(&GOING_SERVER) {
            Lost::All
        // Whether a silent server is there at all is found out when the statement is cancelled.
        } else if matches!(self, Self::TimedOut)
            || self.is_of_class(CONNECTION)
            || self.is_in(&[idle_for_too_long])
        {
            Lost::This
        } else {
            Lost::None
        }
    }

    /// Whether another attempt may succeed later.
    fn is_outage(&self) -> bool {
        // The server ended what took longer than it was told to let it.
        let too_long = [SqlState::QUERY_CANCELED, SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT];
        matches!(self, Self::NoConnection(_) | Self::TimedOut | Self::CommitUnknown(_))
            || self.is_in(&too_long)
            || (self.is_worth_a_replay() && !self.is_of_taken_key())
    }
}

/// Whether the database refused a statement because the role of the URL lacks a right.
pub fn lacks_right(error: &StoreError) -> bool {
    let StoreError::Failed(cause) = error else { return false };
    cause
        .downcast_ref()
        .is_some_and(|failure: &StoreFailure| failure.is_in(&[SqlState::INSUFFICIENT_PRIVILEGE]))
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
            failure if failure.is_outage() => Self::Unavailable(Box::new(failure)),
            failure => Self::Failed(Box::new(failure)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_without_an_answer_may_have_happened() {
        let unknown = StoreFailure::TimedOut.of_commit();
        assert!(!unknown.is_worth_a_replay());
        assert!(matches!(unknown, StoreFailure::CommitUnknown(_)), "{unknown:?}");
        assert!(matches!(StoreError::from(unknown), StoreError::Unavailable(_)));
    }
}
