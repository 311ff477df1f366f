//! The reasons why a database cannot be used.

use deadpool::managed::PoolError;
use tokio_postgres::error::SqlState;

use super::{PostgresError, StoreFailure};

/// Why a database cannot be used. The messages never contain a password.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error(
        "it must be postgres://USER:PASSWORD@HOST:PORT/NAME, with an @ or / in the password as %40 or %2F"
    )]
    Url,
    /// An option of the URL is unknown, has an invalid value, or conflicts with another one.
    #[error("{0}")]
    Option(String),
    #[error("the database has tables of another program")]
    Foreign,
    #[error(
        "the database has schema {found}, and this pointbook needs schema {known}: run `pointbook migrate`"
    )]
    OlderSchema {
        /// 0 for an empty database.
        found: u32,
        known: u32,
    },
    #[error(
        "the database has schema {found}, but this pointbook knows schemas up to {known}: use a newer pointbook"
    )]
    NewerSchema { found: u32, known: u32 },
    /// A program from before the first schema wrote the database.
    #[error(
        "the database was made by a development version that is older than the first schema of pointbook, and nothing migrates it: use a new database, and import \
         what the older pointbook exports"
    )]
    BeforeTheFirst,
    #[error("the service cannot use the role {role}: {why}")]
    Role { role: String, why: &'static str },
    /// A policy of another program shows rows of a table to other tenants.
    #[error(
        "the policy {policy} of the table {table} allows rows that pointbook's own policy hides: drop it"
    )]
    Policy { table: &'static str, policy: String },
    #[error(
        "the database has no extension citus: run `CREATE EXTENSION citus` in it and on every server for tenants, and \
         add these servers with citus_set_coordinator_host and citus_add_node"
    )]
    NoCitus,
    #[error(
        "the database is split by tenant with Citus, where a role that is limited to one tenant sees no rows: \
         connect as the owner of the tables"
    )]
    RoleOnCitus,
    #[error("the database does not exist: {0}; create it with `createdb`")]
    NoDatabase(String),
    #[error("the database cannot be used: {0}")]
    Failed(String),
}

impl From<StoreFailure> for ConnectError {
    fn from(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Unusable(why) => why,
            StoreFailure::NoConnection(NoConnection::NoHost(hosts)) if hosts.lacks_database() => {
                Self::NoDatabase(hosts.to_string())
            }
            failure => Self::Failed(described(&failure)),
        }
    }
}

/// An error with all its causes, because the top message of a driver error says little.
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

/// Why an operation got no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoConnection {
    #[error("all connections of this process are in use")]
    AllInUse,
    /// The pool made no attempt, because the server did not respond to the last ping.
    #[error("the server did not respond to the last ping")]
    Away,
    #[error(transparent)]
    NoHost(NoHost),
    #[error("the pool is closed")]
    Closed,
}

impl From<PoolError<NoHost>> for NoConnection {
    fn from(error: PoolError<NoHost>) -> Self {
        match error {
            // The pool times only the wait for a connection. Each host has a separate timeout.
            PoolError::Timeout(_) => Self::AllInUse,
            PoolError::Backend(error) => Self::NoHost(error),
            // The pool has no hooks.
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => Self::Closed,
        }
    }
}

/// Why each host of a URL cannot be used, in the order of the URL. The message never contains a password.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(|refusal| refusal.why.as_str()).collect::<Vec<_>>().join("; "))]
pub(crate) struct NoHost(pub(crate) Vec<HostRefusal>);

impl NoHost {
    /// Whether every host accepted the connection but has no database of this name.
    fn lacks_database(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|refusal| refusal.lacks_database)
    }
}

#[derive(Debug)]
pub(crate) struct HostRefusal {
    pub(crate) why: String,
    pub(crate) lacks_database: bool,
}

impl From<String> for HostRefusal {
    fn from(why: String) -> Self {
        Self { why, lacks_database: false }
    }
}

impl From<PostgresError> for HostRefusal {
    fn from(error: PostgresError) -> Self {
        Self { why: error.reason(), lacks_database: error.code() == Some(&SqlState::UNDEFINED_DATABASE) }
    }
}
