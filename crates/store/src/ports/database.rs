use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pointbook_domain::TenantId;

use super::{
    Execution, FeedStore, InsertTenantError, LedgerStore, Once, RowStore, StoreError, StoreResult,
    TenantChange, TenantsVersion,
};
use crate::audit_log::Author;
use crate::commands::{Command, CommandStore, KeyedCommand};
use crate::measure::WriteTally;

/// A whole database: the tenants, their background jobs, and a handle for each tenant.
#[async_trait]
pub trait Database: Send + Sync {
    /// The handle that reads and writes the data of one tenant, and of no other.
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData>;

    /// The handle that reads the rows of all tenants, with queries that are of all tenants. It writes nothing.
    fn all_tenants(&self) -> Arc<dyn RowStore>;

    /// Succeeds when the database responds. Does not wait behind other calls, and ends within seconds.
    async fn ping(&self) -> StoreResult<Ping>;

    /// What differs as soon as a tenant was added, changed or removed. It costs less than reading all tenants.
    async fn tenants_version(&self) -> StoreResult<TenantsVersion>;

    /// Adds or changes a tenant.
    ///
    /// # Errors
    /// [`InsertTenantError`]: nothing changed.
    async fn change_tenants(&self, change: TenantChange) -> Result<(), InsertTenantError>;

    /// Whether this connection may remove tenants: a database may have roles that may not.
    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        Ok(true)
    }

    /// Removes some `limit` rows of a tenant, those that others point into last, and with the last ones the tenant
    /// itself: no row is ever left whose tenant is gone. The whole category tree goes at once, beyond the limit if need be.
    /// True when nothing is left, also of a tenant that was unknown before.
    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool>;

    /// The size of the database in bytes. `None` for a file, whose size is known without a query, and for a store that
    /// cannot tell. May take seconds.
    async fn size_bytes(&self) -> StoreResult<Option<u64>> {
        Ok(None)
    }
}

/// The answer of a database that responds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ping {
    /// Whether it accepts writes. A standby does not.
    pub takes_writes: bool,
}

/// All data of one tenant.
pub trait TenantData: CommandStore + RowStore + LedgerStore + FeedStore {}

impl<T: CommandStore + RowStore + LedgerStore + FeedStore> TenantData for T {}

impl dyn TenantData + '_ {
    /// Executes a command in one commit. With a key, it executes once for all repetitions of the request. The audit log has no
    /// entry of it: use cases call [`Context::execute`](crate::context::Context::execute).
    ///
    /// # Errors
    /// When the store fails: nothing was saved, or the key of the request tells.
    pub async fn execute<C: Command>(
        &self,
        command: C,
        once: Option<Once<C::Outcome>>,
    ) -> StoreResult<Execution<C::Outcome>> {
        self.execute_by(None, command, once).await.map(|(execution, _)| execution)
    }

    /// Executes a command. Its author stands in the audit log. Also returns the number of changes.
    pub async fn execute_by<C: Command>(
        &self,
        author: Option<Author>,
        command: C,
        once: Option<Once<C::Outcome>>,
    ) -> StoreResult<(Execution<C::Outcome>, WriteTally)> {
        let outcome = Arc::new(Mutex::new(None));
        self.run(Arc::new(KeyedCommand::new(command, author, once, outcome.clone()))).await?;
        let execution = outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
        execution.ok_or_else(|| StoreError::Failed("the store did not execute the command".into()))
    }

    /// Executes a command without a key, in one commit. The audit log has no entry of it: use cases call
    /// [`Context::write`](crate::context::Context::write).
    ///
    /// # Errors
    /// When the store fails: nothing was saved, unless the connection was lost during the commit.
    pub async fn write<C: Command>(&self, command: C) -> StoreResult<C::Outcome> {
        self.execute(command, None).await?.without_key()
    }
}
