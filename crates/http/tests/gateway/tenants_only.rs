//! A database that knows tenants and nothing else: all that a gateway asks of one. A store would do as
//! well, but this room may not name one.

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::commands::{AnyCommand, CommandStore};
use pointbook_app::ports::{
    AuditBatch, CatalogueStore, CatalogueVersion, Database, FoundToken, HistoryRead, InsertTenantError,
    JobCounts, JobId, JobStore, Lease, LedgerEntry, LedgerStore, OrderFilter, OrderStore, PageOf, Ping,
    ProductChange, RequestKeyStore, Row, RowReader, RowStore, RunEnd, SecretStore, StockCount, StoredJob,
    StoredProduct, TenantData, TenantStore, TenantsVersion, TokenFilter, TokenStore, UserFilter, UserStore,
};
use pointbook_app::tables::Table;
use pointbook_app::{StoreError, StoreResult};
use pointbook_domain::{
    CategoryTree, Order, OrderId, PageRequest, ProductId, Tenant, TenantId, Timestamp, TokenHash,
    TokenRecord, User, UserId,
};
use tokio::sync::mpsc;

pub(crate) struct TenantsOnly(pub(crate) Vec<Tenant>);

#[async_trait]
impl TenantStore for TenantsOnly {
    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
        Ok(TenantsVersion(String::new()))
    }

    async fn tenants(&self) -> StoreResult<Vec<Tenant>> {
        Ok(self.0.clone())
    }

    async fn insert_tenant(&self, _: &Tenant) -> Result<(), InsertTenantError> {
        nothing().map_err(InsertTenantError::from)
    }

    async fn update_tenant(&self, _: &Tenant) -> Result<(), InsertTenantError> {
        nothing().map_err(InsertTenantError::from)
    }

    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        nothing()
    }

    async fn count_tenant_rows(&self, _: &TenantId, _: &'static Table) -> StoreResult<u64> {
        nothing()
    }

    async fn remove_tenant_rows(&self, _: &TenantId, _: u32) -> StoreResult<bool> {
        nothing()
    }
}

#[async_trait]
impl Database for TenantsOnly {
    fn tenant(&self, _: &TenantId) -> Arc<dyn TenantData> {
        Arc::new(Nothing)
    }

    async fn ping(&self) -> StoreResult<Ping> {
        Ok(Ping { takes_writes: true })
    }
}

#[async_trait]
impl JobStore for TenantsOnly {
    async fn due_jobs(&self, _: &[&str], _: Timestamp, _: u32) -> StoreResult<Vec<JobId>> {
        nothing()
    }

    async fn recurring_jobs(&self) -> StoreResult<Vec<JobId>> {
        nothing()
    }

    async fn count_jobs(&self, _: Timestamp, _: Timestamp) -> StoreResult<JobCounts> {
        nothing()
    }

    async fn jobs_of(&self, _: &TenantId, _: u32) -> StoreResult<Vec<StoredJob>> {
        nothing()
    }

    async fn schedule_job(&self, _: &JobId, _: Timestamp) -> StoreResult<()> {
        nothing()
    }

    async fn lease_job(&self, _: &JobId, _: &Lease, _: Timestamp, _: Timestamp) -> StoreResult<Option<u32>> {
        nothing()
    }

    async fn end_run(&self, _: &JobId, _: &Lease, _: &RunEnd) -> StoreResult<bool> {
        nothing()
    }
}

/// The data of a tenant, of which there is none.
struct Nothing;

fn nothing<T>() -> StoreResult<T> {
    Err(StoreError::Unavailable("only tenants are stored".into()))
}

/// A tag needs one.
#[async_trait]
impl SecretStore for Nothing {
    async fn secret(&self, _: &str, fresh: &[u8; 32], _: Timestamp) -> StoreResult<[u8; 32]> {
        Ok(*fresh)
    }
}

#[async_trait]
impl CommandStore for Nothing {
    async fn run(&self, _: Arc<dyn AnyCommand>) -> StoreResult<()> {
        nothing()
    }
}

#[async_trait]
impl TokenStore for Nothing {
    async fn find_token(&self, _: &TokenHash) -> StoreResult<Option<FoundToken>> {
        nothing()
    }

    async fn tokens_after(
        &self,
        _: &TokenFilter,
        _: Option<&TokenHash>,
        _: u32,
    ) -> StoreResult<Vec<TokenRecord>> {
        nothing()
    }

    async fn remove_ended_tokens(&self, _: Timestamp, _: u32) -> StoreResult<u32> {
        nothing()
    }
}

#[async_trait]
impl UserStore for Nothing {
    async fn user(&self, _: &UserId) -> StoreResult<Option<User>> {
        nothing()
    }

    async fn users(&self, _: &UserFilter, _: PageRequest) -> StoreResult<PageOf<User>> {
        nothing()
    }

    async fn users_after(&self, _: Option<&UserId>, _: u32) -> StoreResult<Vec<User>> {
        nothing()
    }
}

#[async_trait]
impl CatalogueStore for Nothing {
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        nothing()
    }

    async fn product_changes(
        &self,
        _: CatalogueVersion,
        _: Option<&ProductId>,
        _: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        nothing()
    }

    async fn categories(&self) -> StoreResult<CategoryTree> {
        nothing()
    }

    async fn product(&self, _: &ProductId) -> StoreResult<Option<StoredProduct>> {
        nothing()
    }

    async fn products(&self, _: Option<&str>, _: PageRequest) -> StoreResult<PageOf<StoredProduct>> {
        nothing()
    }

    async fn stock_counts(&self, _: Option<&ProductId>, _: u32) -> StoreResult<Vec<StockCount>> {
        nothing()
    }
}

#[async_trait]
impl LedgerStore for Nothing {
    async fn history_page(&self, _: &UserId, _: PageRequest) -> StoreResult<HistoryRead> {
        nothing()
    }

    async fn entries_after(&self, _: Option<(&UserId, u64)>, _: u32) -> StoreResult<Vec<LedgerEntry>> {
        nothing()
    }

    async fn audit_facts(&self, _: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        nothing()
    }
}

#[async_trait]
impl OrderStore for Nothing {
    async fn order(&self, _: &OrderId) -> StoreResult<Option<Order>> {
        nothing()
    }

    async fn orders(&self, _: &OrderFilter, _: PageRequest) -> StoreResult<PageOf<Order>> {
        nothing()
    }

    async fn most_ordered(&self, _: Timestamp, _: u32) -> StoreResult<Vec<ProductId>> {
        nothing()
    }
}

#[async_trait]
impl RequestKeyStore for Nothing {
    async fn forget_request_keys(&self, _: Timestamp, _: u32) -> StoreResult<u32> {
        nothing()
    }

    async fn oldest_request_key(&self) -> StoreResult<Option<Timestamp>> {
        nothing()
    }
}

#[async_trait]
impl RowReader for Nothing {
    async fn rows_after(&self, _: &'static Table, _: Option<&Row>, _: u32) -> StoreResult<Vec<Row>> {
        nothing()
    }
}

#[async_trait]
impl RowStore for Nothing {
    async fn row_snapshot(&self) -> StoreResult<Box<dyn RowReader>> {
        nothing()
    }

    async fn write_rows(&self, _: &'static Table, _: &[Row]) -> StoreResult<u64> {
        nothing()
    }

    async fn remove_rows(&self, _: &'static Table, _: &[Row]) -> StoreResult<()> {
        nothing()
    }
}
