//! The store of all tenants, and the handle of one tenant.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::TenantId;
use rusqlite::Connection;

use crate::ports::{
    Database, InsertTenantError, Ping, RowStore, StoreResult, TenantChange, TenantData, TenantsVersion,
};
use crate::schema::ALL_TENANTS;
use crate::sqlite::access::Access;
use crate::sqlite::connection::{open_existing_file, open_file};
use crate::sqlite::error::{OpenError, OpenFailure};
use crate::sqlite::migrate;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::tenants;
use crate::sqlite::tenants::TenantsVersionCache;
use crate::sqlite::writer::{SERVICE, SharedCommit};

/// A SQLite file with the tables of pointbook.
pub struct SqliteStore {
    pub(crate) access: Arc<Access>,
    pub(crate) tenants_version: TenantsVersionCache,
}

impl SqliteStore {
    /// Opens the file, creates it if it does not exist, and migrates its schema. Another process may write to an
    /// up-to-date file meanwhile.
    ///
    /// # Errors
    /// [`OpenError`] names the file and the problem.
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        Self::with_writer(path, options, open_file(path, options))
    }

    /// Like [`Self::open`]. `prepare` gets the writing connection before it writes: tests count its work.
    ///
    /// # Errors
    /// Like [`Self::open`].
    #[doc(hidden)]
    pub fn open_prepared(
        path: &Path,
        options: &SqliteOptions,
        prepare: impl FnOnce(&mut Connection),
    ) -> Result<Self, OpenError> {
        Self::with_writer(
            path,
            options,
            open_file(path, options).map(|mut writer| {
                prepare(&mut writer);
                writer
            }),
        )
    }

    /// Opens an existing file with the tables of pointbook and migrates its schema. Does not create a file.
    ///
    /// # Errors
    /// Like [`Self::open`], and [`OpenError::Empty`] when the file has no tables.
    pub fn open_existing(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        Self::with_writer(path, options, open_existing_file(path, options))
    }

    /// Opens a file read-only. This process writes neither to the file nor beside it, and every write fails. A read fails
    /// when another process has opened the file since, unless one already had it open.
    ///
    /// # Errors
    /// Like [`Self::open_existing`], and [`OpenError::OlderSchema`] when the schema is older than this version's.
    pub fn open_read_only(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        let access = Access::read_only(path, options).map_err(|error| error.in_file(path))?;
        Ok(Self { access: Arc::new(access), tenants_version: TenantsVersionCache::default() })
    }

    fn with_writer(
        path: &Path,
        options: &SqliteOptions,
        opened: Result<Connection, OpenFailure>,
    ) -> Result<Self, OpenError> {
        let access = opened.and_then(|mut writer| {
            migrate::to_newest(&mut writer, options)?;
            Access::new(path, options, writer).map_err(OpenFailure::System)
        });
        let access = Arc::new(access.map_err(|error| error.in_file(path))?);
        Ok(Self { access, tenants_version: TenantsVersionCache::default() })
    }
}

#[async_trait]
impl Database for SqliteStore {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        Arc::new(SqliteTenant { access: self.access.clone(), id: id.as_str().into() })
    }

    fn all_tenants(&self) -> Arc<dyn RowStore> {
        Arc::new(SqliteTenant { access: self.access.clone(), id: ALL_TENANTS.into() })
    }

    /// Reads one row and checks the writing thread, because a service that can only read is not ready.
    async fn ping(&self) -> StoreResult<Ping> {
        self.access.check_writer()?;
        self.access.read("ping", |database| {
            let mut newest = database
                .prepare_cached("SELECT number FROM schema_migrations ORDER BY number DESC LIMIT 1")?;
            newest.query_row([], |row| row.get::<_, i64>(0))?;
            Ok(Ping { takes_writes: true })
        })
    }

    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
        self.version_of_tenants().await
    }

    async fn change_tenants(&self, change: TenantChange) -> Result<(), InsertTenantError> {
        let name = change.name();
        let write = move |database: &SharedCommit<'_>| tenants::change(database, &change);
        self.access.write(name, SERVICE, write).await?
    }

    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool> {
        let tenant = tenant.clone();
        let remove = move |database: &SharedCommit<'_>| tenants::remove(database, tenant.as_str(), limit);
        self.access.write("remove_tenant_rows", SERVICE, remove).await
    }
}

/// The data of one tenant. Every statement has the tenant's id.
pub(crate) struct SqliteTenant {
    pub(crate) access: Arc<Access>,
    pub(crate) id: Arc<str>,
}
