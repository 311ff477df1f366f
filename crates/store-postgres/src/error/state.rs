//! What the states mean in which statements fail.

use tokio_postgres::error::SqlState;

use super::PostgresError;

/// Which connections a failure makes useless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// None: the statement failed, not the way to the server.
    None,
    /// The one that it happened on.
    This,
    /// The others too, being connections to the same server, which went, or is no primary any more.
    All,
}

impl Lost {
    /// What an error of the driver tells.
    pub(super) fn with(error: &PostgresError) -> Self {
        let Some(state) = error.code() else {
            return if error.is_broken_connection() { Self::All } else { Self::None };
        };
        if is_going_server(state) {
            Self::All
        } else if state.code().starts_with("08") || *state == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT {
            Self::This
        } else {
            Self::None
        }
    }
}

/// Whether a state that a commit ends in says that the transaction was rolled back.
pub(super) fn is_undone_commit(state: &SqlState) -> bool {
    // Class 40 without 40003, which is "statement completion unknown"; class 23 for constraints.
    let code = state.code();
    (code.starts_with("40") && *state != SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN) || code.starts_with("23")
}

/// Whether a state comes from other transactions, or from a server that goes or comes. A unique key that
/// is taken is such a state: what the work looked for first, and did not find, is there by now. So is a table
/// that others make at the same moment.
pub(super) fn is_passing(state: &SqlState) -> bool {
    [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::UNIQUE_VIOLATION,
        SqlState::DUPLICATE_OBJECT,
        SqlState::DUPLICATE_TABLE,
    ]
    .contains(state)
        || is_going_server(state)
        || state.code().starts_with("08")
}

/// Whether a statement, or a transaction, took longer than the server was told to let it.
pub(super) fn is_too_long(state: &SqlState) -> bool {
    [SqlState::QUERY_CANCELED, SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT].contains(state)
}

/// Whether the server stops, starts, or is a standby by now.
fn is_going_server(state: &SqlState) -> bool {
    [
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
    ]
    .contains(state)
}
