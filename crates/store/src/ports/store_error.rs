use crate::queue::Overloaded;
use crate::schema::{AppendOnly, Corrupt};

/// The result of every port method.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Busy or out of reach: the same call may succeed soon.
    #[error("the database is busy or out of reach")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A queue is full, so nothing was done. The access log shows each request that got this; the log counts it only for
    /// background work.
    #[error("too much is waiting")]
    Overloaded,
    /// The database refused or failed.
    #[error("the database failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What is stored cannot be read as what it should be.
    #[error("stored data is invalid: {0}")]
    Corrupt(String),
}

impl From<AppendOnly> for StoreError {
    fn from(error: AppendOnly) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl From<Corrupt> for StoreError {
    fn from(Corrupt(what): Corrupt) -> Self {
        Self::Corrupt(what)
    }
}

impl From<Overloaded> for StoreError {
    fn from(_: Overloaded) -> Self {
        Self::Overloaded
    }
}

/// A page of a list, and how long the list is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOf<T> {
    /// The items of the page, in the list's order.
    pub items: Vec<T>,
    /// How many items all pages have.
    pub total: u64,
}
