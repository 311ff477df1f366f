//! The database as a whole, and the handle of one tenant.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Database, Ping, TenantData};
use pointbook_domain::TenantId;

use crate::access::{Access, TenantAccess};
use crate::commands::Groups;
use crate::error::ConnectError;
use crate::migrate;
use crate::permits::{ReadPermits, WritePermits, read_permits};
use crate::pool::{Pool, PostgresOptions};
use crate::retry::insist;
use crate::service_role;
use crate::url::PostgresUrl;

/// A PostgreSQL database with the tables of pointbook.
pub struct PostgresStore {
    pub(crate) access: Arc<Access>,
    writes: WritePermits,
    /// None where short reads share no connections.
    reads: Option<ReadPermits>,
    /// One for each id, however often it is asked for: those who write for a tenant know of each other.
    tenants: Mutex<HashMap<TenantId, Arc<PostgresTenant>>>,
}

impl PostgresStore {
    /// Connects to a database whose schema is this program's.
    ///
    /// # Errors
    /// [`ConnectError`] says what is wrong.
    pub async fn connect(url: &PostgresUrl, options: &PostgresOptions) -> Result<Self, ConnectError> {
        let pool = Pool::new(url, options)?;
        let connection = pool.connection().await?;
        migrate::check(&connection).await?;
        let has_row_security = service_role::is_held_to_tenants(&connection).await?;
        drop(connection);
        let writes = WritePermits::new(pool.max_alone());
        let shared = pool.max_shared();
        let access = Arc::new(Access::new(pool, options, has_row_security));
        let reads = (shared > 0).then(|| read_permits(shared, options.connect_timeout()));
        Ok(Self { access, writes, reads, tenants: Mutex::default() })
    }

    /// Brings a database's schema up to date; gives how many migrations it lacked. Two at once do the
    /// work of one.
    ///
    /// # Errors
    /// As [`Self::connect`]; [`ConnectError::OlderSchema`] is none here.
    pub async fn migrate(url: &PostgresUrl, options: &PostgresOptions) -> Result<usize, ConnectError> {
        let options = options.patient();
        migrate::to_newest(&Pool::new(url, &options)?, &options).await
    }

    /// Gives an existing role what the service needs, and nothing else: connections as this role see and
    /// write the rows of one tenant at a time, and cannot change the ledger. Instances that are connected as
    /// this role already have to be started again.
    ///
    /// # Errors
    /// [`ConnectError::Role`] or [`ConnectError::Policy`] where the role cannot be held to that; else as
    /// [`Self::connect`].
    pub async fn set_up_service_role(
        url: &PostgresUrl,
        options: &PostgresOptions,
        role: &str,
    ) -> Result<(), ConnectError> {
        let options = options.patient();
        let pool = Pool::new(url, &options)?;
        migrate::check(&pool.connection().await?).await?;
        insist(&options, || service_role::set_up(&pool, &options, role)).await
    }

    pub(crate) fn handle(&self, id: &TenantId) -> Arc<PostgresTenant> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        tenants.entry(id.clone()).or_insert_with(|| Arc::new(self.new_tenant(id))).clone()
    }

    fn new_tenant(&self, id: &TenantId) -> PostgresTenant {
        let id: Arc<str> = id.as_str().into();
        let (writes, reads) = (self.writes.clone(), self.reads.clone());
        let access = TenantAccess::new(self.access.clone(), id.clone(), writes, reads);
        PostgresTenant { groups: Groups::new(access.clone(), id.clone()), access, id }
    }
}

#[async_trait]
impl Database for PostgresStore {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        self.handle(id)
    }

    async fn ping(&self) -> StoreResult<Ping> {
        self.access.ping().await
    }
}

/// What is stored for one tenant. Every statement that runs through it carries the tenant's id.
pub(crate) struct PostgresTenant {
    pub(crate) access: TenantAccess,
    pub(crate) id: Arc<str>,
    /// The commands that are executed together.
    pub(crate) groups: Groups,
}
