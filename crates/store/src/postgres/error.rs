//! The errors of the store on PostgreSQL, and their conversion to the errors of the ports.

mod connect;
mod postgres;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

pub use self::connect::ConnectError;
pub(crate) use self::connect::{HostRefusal, NoConnection, NoHost};
pub(crate) use self::postgres::PostgresError;
use crate::commands::CommandError;
use crate::ports::StoreError;
use crate::schema::Corrupt;

/// Why work on the database failed. Callers of the ports get a [`StoreError`] instead.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreFailure {
    #[error("PostgreSQL failed")]
    Postgres(#[from] PostgresError),
    #[error("no connection to PostgreSQL")]
    NoConnection(#[from] NoConnection),
    #[error("PostgreSQL did not respond in time")]
    TimedOut,
    #[error("{0}")]
    Corrupt(String),
    #[error("a statement for one row returned several rows")]
    SeveralRows,
    /// Another transaction changed a row between the read and the write of this one.
    #[error("another transaction changed the row first")]
    Overtaken,
    /// Another row has the value of a unique key.
    #[error("table {table}: another row already has this value of the unique key {constraint}")]
    KeyTaken { table: &'static str, constraint: String },
    /// The write succeeded but its response cannot be built, so the write is rolled back.
    #[error("the response to the write cannot be built")]
    NoResponse,
    #[error("it is unknown whether the write was committed")]
    CommitUnknown(#[source] Box<StoreFailure>),
    #[error("an earlier statement of the transaction failed")]
    FailedUnnoticed,
    /// The work returned results before the failure, so it cannot be retried.
    #[error("the read was interrupted")]
    Interrupted(#[source] Box<StoreFailure>),
    /// The database does not have the state that a command needs.
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
            CommandError::NoResponse => Self::NoResponse,
        }
    }
}

pub(crate) type Outcome<T> = Result<T, StoreFailure>;

/// The connections that a failure makes unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The statement failed, but the connection works.
    None,
    This,
    /// All open connections: the server is gone, or is no longer the primary.
    All,
}

/// The server is stopping or starting, or has become a standby.
const SERVER_UNAVAILABLE: [SqlState; 4] = [
    SqlState::READ_ONLY_SQL_TRANSACTION,
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
];

/// A conflict with another transaction. A unique violation is one: the work did not find the row, and another transaction
/// has inserted it since. So is a table that another process creates at the same time.
const CONFLICTS: [SqlState; 6] = [
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

    /// Interprets a failed commit. Unless the server says that it rolled back, the outcome is unknown.
    pub(crate) fn of_commit(self) -> Self {
        let is_unknown = self.is_in(&[SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN]);
        // Class 40 is rollbacks, class 23 is violated constraints.
        let is_undone = (self.is_of_class("40") && !is_unknown) || self.is_of_class("23");
        if is_undone { self } else { Self::CommitUnknown(Box::new(self)) }
    }

    /// Interprets a failed statement when a unique violation is not a race with another transaction.
    pub(crate) fn of_taken_key(self, table: &'static str) -> Self {
        match &self {
            Self::Postgres(error) if self.is_of_taken_key() => {
                let constraint = error.constraint().unwrap_or("a key").to_owned();
                Self::KeyTaken { table, constraint }
            }
            _ => self,
        }
    }

    /// Whether the work had no effect and an immediate retry may succeed.
    pub(crate) fn is_worth_a_replay(&self) -> bool {
        matches!(self, Self::Overtaken)
            || self.is_broken_connection()
            || self.is_in(&CONFLICTS)
            || self.is_in(&SERVER_UNAVAILABLE)
            || self.is_of_class(CONNECTION)
    }

    /// Whether a unique key was taken: by a faster writer, or, where the next attempts fail as well, for good.
    pub(crate) fn is_of_taken_key(&self) -> bool {
        self.is_in(&[SqlState::UNIQUE_VIOLATION])
    }

    /// Whether other reads may have caused the failure of a read on a shared connection. It waited too long behind them, was
    /// cancelled together with them, or prepared its statement while a unit of another read failed.
    pub(crate) fn may_be_caused_by_others(&self) -> bool {
        let of_others = [SqlState::QUERY_CANCELED, SqlState::IN_FAILED_SQL_TRANSACTION];
        matches!(self, Self::TimedOut) || self.is_in(&of_others)
    }

    /// The connections that this failure of a statement makes unusable.
    pub(crate) fn lost(&self) -> Lost {
        let idle_for_too_long = SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT;
        if self.is_broken_connection() || self.is_in(&SERVER_UNAVAILABLE) {
            Lost::All
        // The cancelling of the statement shows later whether a silent server is gone.
        } else if matches!(self, Self::TimedOut)
            || self.is_of_class(CONNECTION)
            || self.is_in(&[idle_for_too_long])
        {
            Lost::This
        } else {
            Lost::None
        }
    }

    /// Whether a later attempt may succeed.
    fn is_outage(&self) -> bool {
        // The server cancelled a statement or transaction that exceeded its timeout.
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
    fn commit_without_response_has_unknown_outcome() {
        let unknown = StoreFailure::TimedOut.of_commit();
        assert!(!unknown.is_worth_a_replay());
        assert!(matches!(unknown, StoreFailure::CommitUnknown(_)), "{unknown:?}");
        assert!(matches!(StoreError::from(unknown), StoreError::Unavailable(_)));
    }
}
