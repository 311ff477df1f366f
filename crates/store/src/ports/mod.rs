//! What the use cases need of a database. Every method is atomic. No transaction type and no driver type crosses a port, and
//! rows only cross it through [`RowStore`]. `testkit` has the conformance suite of all ports.

mod catalogue;
mod database;
mod feed;
mod jobs;
mod ledger;
mod orders;
mod product_edits;
mod request_keys;
mod rows;
mod secrets;
mod store_error;
mod tenants;
pub mod tokens;
mod users;

pub use catalogue::{
    CatalogueStore, CatalogueVersion, ProductChange, ProductUpsert, StoredProduct, StoredProductFilter,
    UpsertOutcome,
};
pub use database::{Database, Ping, TenantData};
pub use feed::{EntryAt, FeedStore};
pub use jobs::{JobCounts, JobStore, RunEnd};
pub use ledger::{
    ActivityToRecord, AuditBatch, HistoryRead, LedgerStore, NewTransaction, RecordActivityOutcome,
    RecordOutcome, RecordedActivity,
};
pub use orders::{
    NewOrder, OrderFilter, OrderStep, OrderStepOutcome, OrderStore, PlaceOrderOutcome, WrittenOrder,
};
pub use product_edits::{
    ProductCondition, ProductEdit, ProductEditOutcome, ProductEditRefusal, ProductEditStep, ProductPatch,
    ProductState,
};
pub use request_keys::{
    Execution, MakeAnswer, NewAnswer, Once, REFUSED_KEY_DAYS, REQUEST_KEY_DAYS, RequestKey, RequestKeyStore,
    StoredAnswer,
};
pub use rows::{RowReader, RowStore, read_all, read_one, read_page};
pub use secrets::SecretStore;
pub use store_error::{PageOf, StoreError, StoreResult};
pub use tenants::{InsertTenantError, TenantStore, TenantsVersion};
pub use tokens::{FoundToken, InsertTokenOutcome, TokenFilter, TokenStore};
pub use users::{FieldChange, PutUser, UserChange, UserFilter, UserProfile, UserStore};

pub use crate::ports::secrets::DataKeyStore;
pub use crate::schema::rows::{JobId, Lease, LedgerEntry, SealedDataKey, StoredJob};
pub use crate::schema::{Cell, Query, Row};
