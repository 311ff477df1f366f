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
    CatalogueVersion, ProductChange, ProductUpsert, SortedBy, StoredProduct, StoredProductFilter,
    StoredProductSort, UpsertOutcome,
};
pub use database::{Database, Ping, TenantData};
pub use feed::{EntryAt, FeedStore};
pub use jobs::{JobCounts, RunEnd, due_jobs, failing_jobs, late_jobs};
pub use ledger::{
    ActivityToRecord, AuditBatch, HistoryRead, LedgerFilter, LedgerStore, NewTransaction,
    RecordActivityOutcome, RecordOutcome, RecordedActivity,
};
pub use orders::{NewOrder, OrderFilter, OrderStep, OrderStepOutcome, PlaceOrderOutcome, WrittenOrder};
pub use product_edits::{
    ProductCondition, ProductEdit, ProductEditOutcome, ProductEditRefusal, ProductEditStep, ProductState,
};
pub use request_keys::{
    Execution, MakeAnswer, NewAnswer, Once, REFUSED_KEY_DAYS, REQUEST_KEY_DAYS, RequestKey, StoredAnswer,
    old_request_keys,
};
pub use rows::{RowReader, RowStore, read_all, read_one, read_page};
pub use store_error::{PageOf, StoreError, StoreResult};
pub use tenants::{InsertTenantError, TenantChange, TenantsVersion};
pub(crate) use tenants::{TenantRows, tenants as tenants_query};
pub use tokens::{FoundToken, InsertTokenOutcome, TokenFilter, ended_tokens};
pub use users::{PutUser, UserChange, UserFilter, UserProfile};

pub use crate::schema::rows::{JobId, LedgerEntry, SealedDataKey};
pub use crate::schema::rows_of_service::{Lease, StoredJob};
pub use crate::schema::{Cell, Query, Row};
