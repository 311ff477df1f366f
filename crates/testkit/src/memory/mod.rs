//! A store in memory that keeps facts and reads them with simple loops. It has no tables, and passes all other facts of
//! the conformance suite.

mod awards;
mod commands;
mod feed;
mod jobs;
mod reads;
mod rows;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pointbook_app::commands::{AccountState, CatalogueRow, ClockChange, StoredKey};
use pointbook_app::ports::{
    CatalogueVersion, Database, InsertTenantError, JobId, LedgerEntry, Ping, SealedDataKey, StoredJob,
    TenantData, TenantStore, TenantsVersion,
};
use pointbook_app::tables::{Row, Table};
use pointbook_app::{StoreError, StoreResult};
use pointbook_domain::{
    AuditChain, AuditEntry, CategoryTree, Feed, FeedBlock, NewAuditEntry, Order, OrderId, ProductId, Tenant,
    TenantId, Timestamp, TokenHash, TokenRecord, User, UserId,
};

/// A database in memory. Its clones share the data.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    tenants: Vec<Tenant>,
    /// How often a tenant was added or changed.
    tenant_changes: u64,
    rows: BTreeMap<TenantId, Rows>,
    jobs: BTreeMap<JobId, StoredJob>,
}

/// The data of one tenant.
#[derive(Default)]
struct Rows {
    users: BTreeMap<UserId, (User, AccountState)>,
    /// By user and `seq`.
    entries: BTreeMap<(UserId, u64), LedgerEntry>,
    orders: BTreeMap<OrderId, Order>,
    products: BTreeMap<ProductId, CatalogueRow>,
    version: CatalogueVersion,
    low_stock_threshold: u32,
    categories: CategoryTree,
    tokens: BTreeMap<TokenHash, TokenRecord>,
    /// By principal and key.
    keys: BTreeMap<(String, String), KeyRow>,
    secrets: BTreeMap<String, [u8; 32]>,
    /// By position.
    audit: BTreeMap<u64, AuditEntry>,
    audit_chain: Option<AuditChain>,
    /// Blocks without positions, in order.
    new_blocks: Vec<FeedBlock>,
    /// By last position.
    blocks: BTreeMap<u64, FeedBlock>,
    feed: Option<Feed>,
    data_key: Option<SealedDataKey>,
    /// The rows of small tables, by table.
    tables: BTreeMap<&'static str, Vec<Row>>,
}

struct KeyRow {
    stored: StoredKey,
    created_at: Timestamp,
    used_at: Timestamp,
}

impl MemoryStore {
    /// A store with these tenants. Their names and base URLs must differ.
    pub fn of(tenants: impl IntoIterator<Item = Tenant>) -> Self {
        let store = Self::default();
        tenants.into_iter().for_each(|tenant| store.0.lock().unwrap().add(tenant));
        store
    }
}

impl State {
    fn add(&mut self, tenant: Tenant) {
        let low_stock_threshold = tenant.settings.low_stock_threshold;
        self.rows.insert(tenant.id.clone(), Rows { low_stock_threshold, ..Rows::default() });
        self.tenant_changes += 1;
        self.tenants.push(tenant);
    }

    /// Sets the clock of a tenant, and makes its jobs due.
    fn set_clock(&mut self, id: &TenantId, change: ClockChange) {
        for tenant in self.tenants.iter_mut().filter(|tenant| tenant.id == *id) {
            tenant.clock = change.after;
        }
        self.tenant_changes += 1;
        for job in self.jobs.values_mut().filter(|job| job.id.tenant == *id) {
            jobs::make_due(job, change.jobs_due_at);
        }
    }
}

/// The handle of one tenant.
struct MemoryTenant {
    id: TenantId,
    state: Arc<Mutex<State>>,
}

impl MemoryTenant {
    fn with<T>(&self, work: impl FnOnce(&mut Rows) -> T) -> StoreResult<T> {
        let mut state = self.state.lock().unwrap();
        let rows = state.rows.get_mut(&self.id);
        rows.map(work).ok_or_else(|| StoreError::Corrupt(format!("no tenant {}", self.id)))
    }
}

fn no_rows<T>() -> StoreResult<T> {
    Err(StoreError::Failed("the store in memory has no tables".into()))
}

#[async_trait]
impl Database for MemoryStore {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        Arc::new(MemoryTenant { id: id.clone(), state: self.0.clone() })
    }

    async fn ping(&self) -> StoreResult<Ping> {
        Ok(Ping { takes_writes: true })
    }
}

#[async_trait]
impl TenantStore for MemoryStore {
    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
        Ok(TenantsVersion(self.0.lock().unwrap().tenant_changes.to_string()))
    }

    async fn tenants(&self) -> StoreResult<Vec<Tenant>> {
        let mut tenants = self.0.lock().unwrap().tenants.clone();
        tenants.sort_by(|a, b| name_of(a).cmp(&name_of(b)));
        Ok(tenants)
    }

    async fn insert_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError> {
        let mut state = self.0.lock().unwrap();
        if state.tenants.iter().any(|other| name_of(other) == name_of(tenant)) {
            return Err(InsertTenantError::NameTaken);
        }
        check_base_url(&state, tenant)?;
        state.add(tenant.clone());
        state.rows.get_mut(&tenant.id).unwrap().append_audit(audit);
        Ok(())
    }

    async fn update_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError> {
        let mut state = self.0.lock().unwrap();
        check_base_url(&state, tenant)?;
        let Some(stored) = state.tenants.iter_mut().find(|other| other.id == tenant.id) else {
            return Err(StoreError::Corrupt(format!("no tenant {}", tenant.id)).into());
        };
        let Tenant { slug, environment, created_at, clock, .. } = stored.clone();
        *stored = Tenant { slug, environment, created_at, clock, ..tenant.clone() };
        state.tenant_changes += 1;
        let rows = state.rows.get_mut(&tenant.id).unwrap();
        rows.set_threshold(tenant.settings.low_stock_threshold);
        rows.append_audit(audit);
        Ok(())
    }

    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        Ok(false)
    }

    async fn count_tenant_rows(&self, _: &TenantId, _: &'static Table) -> StoreResult<u64> {
        no_rows()
    }

    async fn remove_tenant_rows(&self, _: &TenantId, _: u32) -> StoreResult<bool> {
        no_rows()
    }
}

fn name_of(tenant: &Tenant) -> (&str, &str) {
    (tenant.slug.as_str(), tenant.environment.as_str())
}

fn check_base_url(state: &State, tenant: &Tenant) -> Result<(), InsertTenantError> {
    let place = |tenant: &Tenant| (tenant.base_url.authority().to_owned(), tenant.base_url.path().to_owned());
    let is_taken = state.tenants.iter().any(|other| other.id != tenant.id && place(other) == place(tenant));
    if is_taken { Err(InsertTenantError::BaseUrlTaken) } else { Ok(()) }
}
