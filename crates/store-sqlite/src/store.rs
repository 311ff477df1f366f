//! The database as a whole, and the handle of one tenant.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Database, Ping, TenantData};
use pointbook_domain::TenantId;
use rusqlite::Connection;

use crate::access::Access;
use crate::connection::{open_existing_file, open_file};
use crate::error::{OpenError, OpenFailure};
use crate::migrate;
use crate::options::SqliteOptions;
use crate::tenants::TenantsSeen;

/// A SQLite file with the tables of pointbook.
pub struct SqliteStore {
    pub(crate) access: Arc<Access>,
    pub(crate) tenants_seen: TenantsSeen,
}

impl SqliteStore {
    /// Opens the file, creates it when there is none, and brings its schema up to date. Where that
    /// is done, another process may be writing all the while.
    ///
    /// # Errors
    /// [`OpenError`] names the file and says what is wrong with it.
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        Self::with_writer(path, options, open_file(path, options))
    }

    /// Opens a file that has the tables of pointbook, and brings its schema up to date. Creates nothing.
    ///
    /// # Errors
    /// As [`Self::open`], and [`OpenError::Empty`] when the file has no tables.
    pub fn open_existing(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        Self::with_writer(path, options, open_existing_file(path, options))
    }

    /// Opens a file for reading, and writes neither to it nor beside it. A write fails. A read fails when another
    /// process opened the file after this one; not where it was open before.
    ///
    /// # Errors
    /// As [`Self::open_existing`], and [`OpenError::OlderSchema`] when the schema is older than this program's.
    pub fn open_read_only(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        let access = Access::read_only(path, options).map_err(|error| error.in_file(path))?;
        Ok(Self { access: Arc::new(access), tenants_seen: TenantsSeen::default() })
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
        Ok(Self { access, tenants_seen: TenantsSeen::default() })
    }
}

#[async_trait]
impl Database for SqliteStore {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        Arc::new(SqliteTenant { access: self.access.clone(), id: id.as_str().into() })
    }

    /// Reads, and looks whether the writing thread is there: a service that can only read is not ready.
    async fn ping(&self) -> StoreResult<Ping> {
        self.access.check_writer()?;
        self.access.read("ping", |database| {
            let mut newest = database
                .prepare_cached("SELECT number FROM schema_migrations ORDER BY number DESC LIMIT 1")?;
            newest.query_row([], |row| row.get::<_, i64>(0))?;
            Ok(Ping { takes_writes: true })
        })
    }
}

/// What is stored for one tenant. Every statement that runs through it carries the tenant's id.
pub(crate) struct SqliteTenant {
    pub(crate) access: Arc<Access>,
    pub(crate) id: Arc<str>,
}
