//! Why no connection could be had.

use deadpool::managed::{PoolError, TimeoutType};

use super::PostgresError;

/// Why no connection could be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoConnection {
    #[error("all of this process are in use")]
    AllInUse,
    #[error("no host answered in time")]
    NoAnswer,
    /// What the last host said, or the way to it.
    #[error(transparent)]
    Refused(PostgresError),
    #[error("the pool is closed")]
    Closed,
}

impl From<PoolError<tokio_postgres::Error>> for NoConnection {
    fn from(error: PoolError<tokio_postgres::Error>) -> Self {
        match error {
            PoolError::Timeout(TimeoutType::Wait) => Self::AllInUse,
            PoolError::Timeout(TimeoutType::Create | TimeoutType::Recycle) => Self::NoAnswer,
            PoolError::Backend(error) => Self::Refused(error.into()),
            // There are no hooks.
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => Self::Closed,
        }
    }
}
