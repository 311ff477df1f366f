//! A database that fails on demand, for the tests of what clients see then.

use std::future;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pointbook_app::ports::{
    AuditBatch, CatalogueStore, CatalogueVersion, Database, FoundToken, HistoryRead, InsertTenantError,
    LedgerEntry, LedgerStore, NewTransaction, ProductChange, ProductUpsert, RecordOutcome, TenantData,
    TenantStore, TokenStore, UpsertOutcome, UserProfile, UserStore,
};
use pointbook_app::{StoreError, StoreResult};
use pointbook_domain::{
    CategoryTree, PageRequest, ProductId, Tenant, TenantId, Timestamp, TokenHash, TokenRecord, User, UserId,
};
use tokio::sync::{mpsc, watch};

/// What happens instead of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The code panics.
    Panic,
    /// [`StoreError::Failed`].
    Fail,
    /// [`StoreError::Unavailable`].
    Unavailable,
    /// [`StoreError::Corrupt`].
    Corrupt,
    /// No answer, ever.
    Hang,
}

impl Fault {
    async fn happen(self) -> StoreError {
        match self {
            Self::Panic => panic!("a panic that was asked for"),
            Self::Fail => StoreError::Failed("a failure that was asked for".into()),
            Self::Unavailable => StoreError::Unavailable("a lock that was asked for".into()),
            Self::Corrupt => StoreError::Corrupt("a corruption that was asked for".to_owned()),
            Self::Hang => future::pending().await,
        }
    }
}

/// A database whose `history_page` and `ping` can be made to fail, and whose catalogue loads can be
/// made to wait; everything else is the inner database's.
pub struct FaultyDatabase {
    inner: Arc<dyn Database>,
    faults: Arc<Faults>,
}

#[derive(Default)]
struct Faults {
    history_page: Mutex<Option<Fault>>,
    ping: Mutex<Option<Fault>>,
    /// Whose catalogue loads wait.
    held: watch::Sender<Option<TenantId>>,
    /// How many catalogue loads came to reading the categories.
    loads: watch::Sender<u32>,
}

async fn check(fault: &Mutex<Option<Fault>>) -> StoreResult<()> {
    let fault = *fault.lock().unwrap();
    match fault {
        Some(fault) => Err(fault.happen().await),
        None => Ok(()),
    }
}

impl FaultyDatabase {
    /// The inner database, with the same fault in `history_page` and `ping`.
    pub fn new(inner: Arc<dyn Database>, fault: Fault) -> Self {
        let database = Self::healthy(inner);
        database.fail_history_page(Some(fault));
        database.fail_ping(Some(fault));
        database
    }

    /// The inner database, without a fault so far.
    pub fn healthy(inner: Arc<dyn Database>) -> Self {
        Self { inner, faults: Arc::default() }
    }

    /// Makes `history_page` fail from now on, also through handles already given out; none heals.
    pub fn fail_history_page(&self, fault: Option<Fault>) {
        *self.faults.history_page.lock().unwrap() = fault;
    }

    /// Makes catalogue loads of this tenant wait at their last step; none lets them go on.
    pub fn hold_loads_of(&self, tenant: Option<&TenantId>) {
        self.faults.held.send_replace(tenant.cloned());
    }

    /// How many catalogue loads of all tenants came to their last step so far.
    pub fn loads(&self) -> u32 {
        *self.faults.loads.borrow()
    }

    /// Waits until more than `before` catalogue loads came to their last step.
    pub async fn next_load(&self, before: u32) {
        self.faults.loads.subscribe().wait_for(|loads| *loads > before).await.unwrap();
    }

    /// Makes `ping` fail from now on; none heals.
    pub fn fail_ping(&self, fault: Option<Fault>) {
        *self.faults.ping.lock().unwrap() = fault;
    }
}

#[async_trait]
impl Database for FaultyDatabase {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        Arc::new(FaultyTenant { id: id.clone(), inner: self.inner.tenant(id), faults: self.faults.clone() })
    }

    async fn ping(&self) -> StoreResult<()> {
        check(&self.faults.ping).await?;
        self.inner.ping().await
    }
}

#[async_trait]
impl TenantStore for FaultyDatabase {
    async fn tenants(&self) -> StoreResult<Vec<Tenant>> {
        self.inner.tenants().await
    }

    async fn insert_tenant(&self, tenant: &Tenant) -> Result<(), InsertTenantError> {
        self.inner.insert_tenant(tenant).await
    }

    async fn update_tenant(&self, tenant: &Tenant) -> Result<(), InsertTenantError> {
        self.inner.update_tenant(tenant).await
    }
}

struct FaultyTenant {
    id: TenantId,
    inner: Arc<dyn TenantData>,
    faults: Arc<Faults>,
}

#[async_trait]
impl TokenStore for FaultyTenant {
    async fn insert_token(&self, token: &TokenRecord) -> StoreResult<()> {
        self.inner.insert_token(token).await
    }

    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.inner.find_token(hash).await
    }

    async fn revoke_token(&self, hash: &TokenHash, at: Timestamp) -> StoreResult<bool> {
        self.inner.revoke_token(hash, at).await
    }

    async fn revoke_user_tokens(&self, user: &UserId, at: Timestamp) -> StoreResult<Vec<TokenHash>> {
        self.inner.revoke_user_tokens(user, at).await
    }
}

#[async_trait]
impl UserStore for FaultyTenant {
    async fn upsert_users(
        &self,
        profiles: &[UserProfile],
        now: Timestamp,
    ) -> StoreResult<Vec<UpsertOutcome>> {
        self.inner.upsert_users(profiles, now).await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>> {
        self.inner.users_after(after, limit).await
    }
}

#[async_trait]
impl CatalogueStore for FaultyTenant {
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        self.inner.catalogue_version().await
    }

    async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        self.inner.product_changes(since, after, limit).await
    }

    async fn categories(&self) -> StoreResult<CategoryTree> {
        self.faults.loads.send_modify(|loads| *loads += 1);
        self.faults.held.subscribe().wait_for(|held| held.as_ref() != Some(&self.id)).await.unwrap();
        self.inner.categories().await
    }

    async fn replace_categories(&self, tree: &CategoryTree) -> StoreResult<UpsertOutcome> {
        self.inner.replace_categories(tree).await
    }

    async fn upsert_products(&self, products: &[ProductUpsert]) -> StoreResult<Vec<UpsertOutcome>> {
        self.inner.upsert_products(products).await
    }

    async fn retire_products(&self, ids: &[ProductId], at: Timestamp) -> StoreResult<u64> {
        self.inner.retire_products(ids, at).await
    }
}

#[async_trait]
impl LedgerStore for FaultyTenant {
    async fn history_page(&self, user: &UserId, page: PageRequest) -> StoreResult<HistoryRead> {
        check(&self.faults.history_page).await?;
        self.inner.history_page(user, page).await
    }

    async fn record_history(
        &self,
        transactions: &[NewTransaction],
        recorded_at: Timestamp,
    ) -> StoreResult<Vec<RecordOutcome>> {
        self.inner.record_history(transactions, recorded_at).await
    }

    async fn entries_after(
        &self,
        after: Option<(&UserId, u64)>,
        limit: u32,
    ) -> StoreResult<Vec<LedgerEntry>> {
        self.inner.entries_after(after, limit).await
    }

    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        self.inner.audit_facts(facts).await
    }
}
