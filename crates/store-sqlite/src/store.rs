//! The database as a whole, and the handle of one tenant.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Database, TenantData};
use pointbook_domain::TenantId;

use crate::access::Access;
use crate::connection::{SqliteOptions, open_file};
use crate::error::{OpenError, OpenFailure};
use crate::migrate;

/// A SQLite file with the tables of pointbook.
pub struct SqliteStore {
    pub(crate) access: Arc<Access>,
}

impl SqliteStore {
    /// Opens the file, creates it when there is none, and brings its schema up to date. Where that
    /// is done, another process may be writing all the while.
    ///
    /// # Errors
    /// [`OpenError`] names the file and says what is wrong with it.
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        let opened = open_file(path, options).and_then(|mut writer| {
            migrate::to_newest(&mut writer, options)?;
            Access::new(path, options, writer).map_err(OpenFailure::Thread)
        });
        let access = opened.map_err(|error| error.in_file(path))?;
        Ok(Self { access: Arc::new(access) })
    }
}

#[async_trait]
impl Database for SqliteStore {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        Arc::new(SqliteTenant { access: self.access.clone(), id: id.as_str().into() })
    }

    /// Reads, and looks whether the writing thread is there: a service that can only read is not ready.
    async fn ping(&self) -> StoreResult<()> {
        self.access.check_writer()?;
        self.access.read("ping", |database| {
            let mut newest = database
                .prepare_cached("SELECT number FROM schema_migrations ORDER BY number DESC LIMIT 1")?;
            newest.query_row([], |row| row.get::<_, i64>(0))?;
            Ok(())
        })
    }
}

/// What is stored for one tenant. Every statement that runs through it carries the tenant's id.
pub(crate) struct SqliteTenant {
    pub(crate) access: Arc<Access>,
    pub(crate) id: Arc<str>,
}
