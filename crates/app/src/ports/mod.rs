//! What the use cases need of a database. Every method is atomic by contract; no transaction or driver
//! type crosses a port, and no row but through [`RowStore`]. `pointbook-testkit` holds the conformance suite for all of them.

mod catalogue;
mod jobs;
mod ledger;
mod orders;
mod product_edits;
mod request_keys;
mod rows;
mod secrets;
mod tenants;
mod tokens;
mod users;

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::TenantId;
use pointbook_queue::Overloaded;
use pointbook_schema::AppendOnly;

use crate::commands::CommandStore;

pub use catalogue::{
    CatalogueStore, CatalogueVersion, ProductChange, ProductUpsert, StoredProduct, UpsertOutcome,
};
pub use jobs::{JobCounts, JobStore, RunEnd};
pub use ledger::{
    ActivityToRecord, AuditBatch, HistoryRead, LedgerStore, NewTransaction, RecordActivityOutcome,
    RecordOutcome, RecordedActivity,
};
pub use orders::{
    NewOrder, OrderFilter, OrderStep, OrderStepOutcome, OrderStore, PlaceOrderOutcome, WrittenOrder,
};
pub use pointbook_schema::rows::{JobId, Lease, LedgerEntry, StockCount, StoredJob};
pub use pointbook_schema::{Cell, Row};
pub use product_edits::{
    ProductCondition, ProductEdit, ProductEditOutcome, ProductEditRefusal, ProductEditStep, ProductPatch,
    ProductState,
};
pub use request_keys::{
    Execution, MakeAnswer, NewAnswer, Once, REFUSED_KEY_DAYS, REQUEST_KEY_DAYS, RequestKey, RequestKeyStore,
    StoredAnswer,
};
pub use rows::{RowReader, RowStore};
pub use secrets::SecretStore;
pub use tenants::{InsertTenantError, TenantStore, TenantsVersion};
pub use tokens::{FoundToken, InsertTokenOutcome, TokenFilter, TokenStore};
pub use users::{FieldChange, PutUser, UserChange, UserFilter, UserProfile, UserStore};

/// The result of every port method.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Busy or out of reach: the same call may succeed soon.
    #[error("the database is busy or out of reach")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Nothing is wrong but that more is asked for at once than may wait, and nothing was done. Happens often or not
    /// at all: the access log tells, and no other.
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

/// A whole database: the tenants, their background work, and a handle for each. No other query runs without one.
#[async_trait]
pub trait Database: TenantStore + JobStore + Send + Sync {
    /// The handle through which one tenant's data, and no other's, is read and written.
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData>;

    /// Succeeds when the database responds. Does not wait behind other calls, and ends within seconds.
    async fn ping(&self) -> StoreResult<Ping>;
}

/// What a database that responds says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ping {
    /// Whether it takes writes; a standby does not.
    pub takes_writes: bool,
}

/// Everything stored for one tenant; the handle is bound to it.
pub trait TenantData:
    CommandStore
    + TokenStore
    + UserStore
    + CatalogueStore
    + LedgerStore
    + OrderStore
    + RequestKeyStore
    + SecretStore
    + RowStore
    + Send
    + Sync
{
}

impl<T> TenantData for T where
    T: CommandStore
        + TokenStore
        + UserStore
        + CatalogueStore
        + LedgerStore
        + OrderStore
        + RequestKeyStore
        + SecretStore
        + RowStore
        + Send
        + Sync
{
}
