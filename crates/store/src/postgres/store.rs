//! The store of all tenants, and the handle of one tenant.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pointbook_domain::TenantId;

use crate::ports::{
    Database, InsertTenantError, Ping, RowStore, StoreResult, TenantChange, TenantData, TenantsVersion,
};
use crate::postgres::access::Access;
use crate::postgres::commands::Groups;
use crate::postgres::error::ConnectError;
use crate::postgres::pool::{Pool, PostgresOptions};
use crate::postgres::retry::with_retries;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::url::PostgresUrl;
use crate::postgres::{citus, migrate, service_role, tenants};
use crate::schema::ALL_TENANTS;

/// A PostgreSQL database with the tables of pointbook.
pub struct PostgresStore {
    /// The access to tables that belong to no tenant.
    pub(crate) access: Access,
    /// One handle per tenant, so that all its writers share its groups.
    tenants: Mutex<HashMap<TenantId, Arc<PostgresTenant>>>,
}

impl PostgresStore {
    /// # Errors
    /// When the database cannot be used, or does not have the schema of this version.
    pub async fn connect(url: &PostgresUrl, options: &PostgresOptions) -> Result<Self, ConnectError> {
        let pool = Pool::new(url, options)?;
        let connection = pool.connection().await?;
        migrate::check(&connection).await?;
        let has_row_security = service_role::is_held_to_tenants(&connection).await?;
        let is_split = citus::is_split(&connection).await?;
        if is_split && has_row_security {
            return Err(ConnectError::RoleOnCitus);
        }
        drop(connection);
        let access = Access::new(pool, options, has_row_security, is_split);
        Ok(Self { access, tenants: Mutex::default() })
    }

    /// Migrates the schema of a database. Returns the number of migrations that ran. Concurrent calls are safe.
    ///
    /// # Errors
    /// Like [`Self::connect`], without [`ConnectError::OlderSchema`].
    pub async fn migrate(url: &PostgresUrl, options: &PostgresOptions) -> Result<usize, ConnectError> {
        let options = options.patient();
        migrate::to_newest(&Pool::new(url, &options)?, &options).await
    }

    /// Splits a database by tenant over the servers that its Citus extension knows. Moves the existing rows. Returns the
    /// names of the tables that it split. Running instances must be restarted.
    ///
    /// # Errors
    /// [`ConnectError::NoCitus`], or those of [`Self::connect`].
    pub async fn split(
        url: &PostgresUrl,
        options: &PostgresOptions,
    ) -> Result<Vec<&'static str>, ConnectError> {
        let options = options.patient();
        let pool = Pool::new(url, &options)?;
        migrate::check(&pool.connection().await?).await?;
        Ok(with_retries(options.retry_for(), || citus::split(&pool, &options)).await?)
    }

    /// Grants an existing role exactly the rights that the service needs. Connections with this role read and write the rows
    /// of one tenant at a time, and cannot change ledger rows.
    ///
    /// # Errors
    /// [`ConnectError::Role`] or [`ConnectError::Policy`] when the role cannot be limited to that, or those of
    /// [`Self::connect`].
    pub async fn set_up_service_role(
        url: &PostgresUrl,
        options: &PostgresOptions,
        role: &str,
    ) -> Result<(), ConnectError> {
        let options = options.patient();
        let pool = Pool::new(url, &options)?;
        let connection = pool.connection().await?;
        migrate::check(&connection).await?;
        if citus::is_split(&connection).await? {
            return Err(ConnectError::RoleOnCitus);
        }
        drop(connection);
        with_retries(options.retry_for(), || service_role::set_up(&pool, &options, role)).await?;
        Ok(())
    }

    fn new_handle(&self, id: &str) -> Arc<PostgresTenant> {
        let id: Arc<str> = id.into();
        let access = self.access.of(id.clone());
        let groups = Arc::new(Groups::new(access.clone(), id.clone()));
        Arc::new(PostgresTenant { access, id, groups })
    }

    fn handle(&self, id: &TenantId) -> Arc<PostgresTenant> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        tenants.entry(id.clone()).or_insert_with(|| self.new_handle(id.as_str())).clone()
    }
}

#[async_trait]
impl Database for PostgresStore {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        self.handle(id)
    }

    fn all_tenants(&self) -> Arc<dyn RowStore> {
        self.new_handle(ALL_TENANTS)
    }

    async fn ping(&self) -> StoreResult<Ping> {
        self.access.ping().await
    }

    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
        let read = self
            .access
            .read("tenants_version", |database| database.only("tenants", tenants::VERSION, &[]).scoped());
        let (version,) = read.await?;
        Ok(TenantsVersion(version))
    }

    async fn change_tenants(&self, change: TenantChange) -> Result<(), InsertTenantError> {
        let (access, change) = (self.access.of(change.tenant.id.as_str()), &change);
        access.write_now(change.name(), |database| tenants::change(database, change).scoped()).await?
    }

    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        let read = self.access.read("may_remove_tenants", |database| {
            database.only("tenants", tenants::MAY_REMOVE, &[]).scoped()
        });
        let (is_allowed,) = read.await?;
        Ok(is_allowed)
    }

    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool> {
        let (id, access) = (tenant.as_str(), self.access.of(tenant.as_str()));
        access.write_now("remove_tenant_rows", |database| tenants::remove(database, id, limit).scoped()).await
    }

    async fn size_bytes(&self) -> StoreResult<Option<u64>> {
        const SELECT: &str = "SELECT pg_database_size(current_database())";
        let read = self.access.read("size_bytes", |database| database.only("the size", SELECT, &[]).scoped());
        let (bytes,): (i64,) = read.await?;
        Ok(u64::try_from(bytes).ok())
    }
}

/// The data of one tenant.
pub(crate) struct PostgresTenant {
    pub(crate) access: Access,
    pub(crate) id: Arc<str>,
    pub(crate) groups: Arc<Groups>,
}
