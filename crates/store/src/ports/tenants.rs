use pointbook_domain::{NewAuditEntry, Tenant, TenantId};

use super::rows::read_all;
use super::{Database, StoreError, StoreResult};
use crate::schema::rows::{CatalogueState, NewTenant};
use crate::schema::rows_of_service::{ListedTenant, StoredSettings};
use crate::schema::settings::{settings_from_json, settings_to_json};
use crate::schema::{
    CATALOGUE_VERSIONS, Cell, Check, Corrupt, Dialect, OnConflict, PRODUCTS, Query, Row, Set, Statement,
    TENANTS, Table, UpdateShape, Write, cells,
};

/// The tenants themselves.
impl dyn Database + '_ {
    /// All tenants, by slug, then environment.
    pub async fn tenants(&self) -> StoreResult<Vec<Tenant>> {
        read_all(&*self.all_tenants(), tenants()).await
    }

    /// Adds a tenant with an empty catalogue at version 0, and these entries of its audit log.
    ///
    /// # Errors
    /// [`InsertTenantError`] when its name or base URL is taken.
    pub async fn insert_tenant(
        &self,
        tenant: &Tenant,
        audit: &[NewAuditEntry],
    ) -> Result<(), InsertTenantError> {
        let (tenant, audit) = (tenant.clone(), audit.to_vec());
        self.change_tenants(TenantChange { tenant, is_new: true, audit }).await
    }

    /// Replaces name, base URL, locale and settings of the tenant with this id. Another threshold for
    /// low stock raises the version of its catalogue, and all its limited products count as changed:
    /// what orders did under the old one may be a difference to clients under the new one. Adds these entries to its audit log.
    ///
    /// # Errors
    /// [`InsertTenantError::BaseUrlTaken`] when another tenant has the base URL;
    /// [`StoreError::Corrupt`] when there is no such tenant.
    pub async fn update_tenant(
        &self,
        tenant: &Tenant,
        audit: &[NewAuditEntry],
    ) -> Result<(), InsertTenantError> {
        let (tenant, audit) = (tenant.clone(), audit.to_vec());
        self.change_tenants(TenantChange { tenant, is_new: false, audit }).await
    }

    pub async fn count_tenant_rows(&self, tenant: &TenantId, table: &'static Table) -> StoreResult<u64> {
        self.tenant(tenant).count(&Query::of_table("count_tenant_rows", table)).await
    }
}

pub(crate) fn tenants() -> Query {
    Query::of::<Tenant>("tenants", &["slug", "environment"]).of_all_tenants()
}

/// A digest of the rows of all tenants. It has a meaning only beside another one of the same process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantsVersion(pub String);

/// Why a tenant cannot be added or changed.
#[derive(Debug, thiserror::Error)]
pub enum InsertTenantError {
    /// A tenant with this slug and environment exists.
    #[error("a tenant of this name exists")]
    NameTaken,
    /// Another tenant answers at this base URL.
    #[error("another tenant has this base URL")]
    BaseUrlTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A new or changed tenant. It is no command: its rules concern the rows of other tenants.
#[derive(Debug, Clone)]
pub struct TenantChange {
    pub(crate) tenant: Tenant,
    pub(crate) is_new: bool,
    /// Entries to add to its audit log.
    pub(crate) audit: Vec<NewAuditEntry>,
}

/// What a store reads for a change, while no other writer changes the list of tenants.
pub(crate) struct TenantRows {
    pub(crate) all: Vec<Row>,
    pub(crate) settings: Vec<Row>,
    pub(crate) catalogue: Vec<Row>,
}

/// A statement of a change, with its values.
pub(crate) struct TenantStep {
    table: &'static Table,
    /// `None` for a new row.
    update: Option<UpdateShape>,
    pub(crate) values: Row,
}

impl TenantStep {
    pub(crate) fn statement(&self, dialect: Dialect) -> Statement {
        match &self.update {
            Some(shape) => Statement::update(dialect, self.table, &[], shape),
            None if *self.table == TENANTS => Statement::insert::<NewTenant<'_>>(dialect, OnConflict::Fail),
            // The insert of a command needs this row.
            None => Statement::insert_rows(dialect, self.table),
        }
    }

    /// Whether it changes one row. When it changes none, another writer was faster.
    pub(crate) fn changes_one(&self) -> bool {
        *self.table != PRODUCTS
    }

    fn insert(table: &'static Table, row: &impl Write) -> Self {
        Self { table, update: None, values: owned(row) }
    }

    fn update(table: &'static Table, sets: &[Set], checks: &[Check], values: &impl Write) -> Self {
        let update = UpdateShape { sets: sets.to_vec(), checks: checks.to_vec(), skips_held: false };
        Self { table, update: Some(update), values: owned(values) }
    }
}

fn owned(values: &impl Write) -> Row {
    cells(values).into_iter().map(Cell::from).collect()
}

impl TenantChange {
    /// The name of the operation in metrics.
    pub(crate) fn name(&self) -> &'static str {
        if self.is_new { "insert_tenant" } else { "update_tenant" }
    }

    pub(crate) fn all() -> Query {
        Query::of::<ListedTenant>("tenants", &["id"]).of_all_tenants()
    }

    pub(crate) fn settings() -> Query {
        Query::of::<StoredSettings>("tenants", &[])
    }

    pub(crate) fn catalogue() -> Query {
        Query::of::<CatalogueState>("tenants", &[])
    }

    /// Whether the base URL of a stored tenant changes.
    pub(crate) fn moves(&self, settings: &[Row]) -> Result<bool, Corrupt> {
        let stored: Vec<StoredSettings> = Self::settings().read(settings)?;
        Ok(stored.iter().any(|stored| stored.base_url != self.tenant.base_url))
    }

    /// The statements of the change, in order.
    ///
    /// # Errors
    /// Why nothing may change.
    pub(crate) fn decide(&self, rows: &TenantRows) -> Result<Vec<TenantStep>, InsertTenantError> {
        self.check(&Self::all().read(&rows.all).map_err(StoreError::from)?)?;
        if self.is_new {
            Ok(self.inserts())
        } else {
            self.updates(rows).map_err(|what| StoreError::from(what).into())
        }
    }

    /// Base URLs that differ only in the scheme collide, but the unique constraint does not see that. So this function compares all
    /// tenants.
    fn check(&self, all: &[ListedTenant]) -> Result<(), InsertTenantError> {
        let Tenant { id, slug, environment, base_url, .. } = &self.tenant;
        if self.is_new && all.iter().any(|other| other.slug == *slug && other.environment == *environment) {
            return Err(InsertTenantError::NameTaken);
        }
        if all.iter().any(|other| other.id != *id && other.base_url.shares_address(base_url)) {
            return Err(InsertTenantError::BaseUrlTaken);
        }
        Ok(())
    }

    fn inserts(&self) -> Vec<TenantStep> {
        let Tenant { id: _, slug, environment, base_url, name, locale, settings, created_at, clock } =
            &self.tenant;
        let (environment, created_at, clock) = (*environment, *created_at, *clock);
        let row = NewTenant { slug, environment, base_url, name, locale, settings, created_at, clock };
        let catalogue = CatalogueState { version: 0, low_stock_threshold: settings.low_stock_threshold };
        vec![TenantStep::insert(&TENANTS, &row), TenantStep::insert(&CATALOGUE_VERSIONS, &catalogue)]
    }

    /// A new threshold gives all products with limited stock a new version. Orders reported only products that crossed the old
    /// threshold, so the stock in snapshots may be outdated. An order that decided with the old threshold finds the new version of its
    /// product and is decided again. The threshold is stored with the version, so that an order reads it in its own transaction. Every write
    /// locks the version before products.
    fn updates(&self, rows: &TenantRows) -> Result<Vec<TenantStep>, Corrupt> {
        let Tenant { id, base_url, name, locale, settings, .. } = &self.tenant;
        let stored = Self::settings().read::<StoredSettings>(&rows.settings)?.pop();
        let state = Self::catalogue().read::<CatalogueState>(&rows.catalogue)?.pop();
        let stored = stored.ok_or_else(|| Corrupt::missing("tenants", id.as_str()))?;
        let (_, unknown) = settings_from_json(&stored.settings)
            .map_err(|error| Corrupt::wrong("tenants", id.as_str(), error))?;
        let columns = ["base_url", "name", "locale", "settings"];
        let sets = columns.map(|column| Set::To(TENANTS.column(column)));
        let values = (base_url, name, locale, settings_to_json(settings, &unknown));
        let mut steps = vec![TenantStep::update(&TENANTS, &sets, &[], &values)];
        let threshold = settings.low_stock_threshold;
        // A tenant has no catalogue while it is copied into this database.
        if let Some(state) = state.filter(|state| state.low_stock_threshold != threshold) {
            let [version, stored] =
                ["version", "low_stock_threshold"].map(|name| CATALOGUE_VERSIONS.column(name));
            let next = state.version + 1;
            let values = (next, threshold, state.version);
            let sets = [Set::To(version), Set::To(stored)];
            steps.push(TenantStep::update(&CATALOGUE_VERSIONS, &sets, &[Check::Is(version)], &values));
            let [version, stock, retired_at] =
                ["version", "stock", "retired_at"].map(|name| PRODUCTS.column(name));
            let limited = [Check::Within(stock), Check::Is(retired_at)];
            let values = (next, i64::MIN, i64::MAX, None::<i64>);
            steps.push(TenantStep::update(&PRODUCTS, &[Set::To(version)], &limited, &values));
        }
        Ok(steps)
    }
}
