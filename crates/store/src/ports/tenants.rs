use async_trait::async_trait;
use pointbook_domain::{NewAuditEntry, Tenant, TenantId};

use super::{StoreError, StoreResult};
use crate::schema::Table;

/// The tenants themselves.
#[async_trait]
pub trait TenantStore {
    /// What differs as soon as a tenant was added, changed or removed. It costs less than [`Self::tenants`].
    async fn tenants_version(&self) -> StoreResult<TenantsVersion>;

    /// All tenants, by slug, then environment.
    async fn tenants(&self) -> StoreResult<Vec<Tenant>>;

    /// Adds a tenant with an empty catalogue at version 0, and these entries of its audit log.
    ///
    /// # Errors
    /// [`InsertTenantError`] when its name or base URL is taken.
    async fn insert_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError>;

    /// Replaces name, base URL, locale and settings of the tenant with this id. Another threshold for
    /// low stock raises the version of its catalogue, and all its limited products count as changed:
    /// what orders did under the old one may be a difference to clients under the new one. Adds these entries to its audit log.
    ///
    /// # Errors
    /// [`InsertTenantError::BaseUrlTaken`] when another tenant has the base URL;
    /// [`StoreError::Corrupt`] when there is no such tenant.
    async fn update_tenant(&self, tenant: &Tenant, audit: &[NewAuditEntry]) -> Result<(), InsertTenantError>;

    /// Whether this connection may remove tenants: a database may have roles that may not.
    async fn may_remove_tenants(&self) -> StoreResult<bool>;

    async fn count_tenant_rows(&self, tenant: &TenantId, table: &'static Table) -> StoreResult<u64>;

    /// Removes some `limit` rows of a tenant, those that others point into last, and with the last ones the tenant
    /// itself: no row is ever left whose tenant is gone. The whole category tree goes at once, beyond the limit if need be.
    /// True when nothing is left, also of a tenant that was unknown before.
    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool>;
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
