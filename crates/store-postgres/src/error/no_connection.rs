//! Why no connection could be had.

use std::fmt;

use deadpool::managed::PoolError;
use tokio_postgres::error::SqlState;

use super::PostgresError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum NoConnection {
    #[error("all of this process are in use")]
    AllInUse,
    /// No attempt was made: a moment ago, the server did not respond.
    #[error("the server did not respond when it was last asked")]
    Away,
    /// No host of the URL took a connection.
    #[error(transparent)]
    NoHost(NoHost),
    #[error("the pool is closed")]
    Closed,
}

impl From<PoolError<NoHost>> for NoConnection {
    fn from(error: PoolError<NoHost>) -> Self {
        match error {
            // Hosts have their own times: only the wait for a connection is timed by the pool.
            PoolError::Timeout(_) => Self::AllInUse,
            PoolError::Backend(error) => Self::NoHost(error),
            // There are no hooks.
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => Self::Closed,
        }
    }
}

/// Why each host of a URL cannot be used, in its order. Never tells a password.
#[derive(Debug, thiserror::Error)]
pub(crate) struct NoHost(pub(crate) Vec<HostRefusal>);

impl NoHost {
    /// Whether every host took the connection and has no database of this name.
    pub(super) fn lacks_database(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|refusal| refusal.lacks_database)
    }
}

impl fmt::Display for NoHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<&str> = self.0.iter().map(|refusal| refusal.why.as_str()).collect();
        f.write_str(&reasons.join("; "))
    }
}

/// What a host said, or the system.
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
