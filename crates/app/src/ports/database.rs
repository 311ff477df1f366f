use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pointbook_domain::TenantId;
use pointbook_measure::WriteTally;

use super::{
    CatalogueStore, Execution, JobStore, LedgerStore, Once, OrderStore, RequestKeyStore, SecretStore,
    StoreError, StoreResult, TenantStore, TokenStore, UserStore,
};
use crate::commands::{Command, CommandStore, KeyedCommand};

/// A whole database: the tenants, their background work, and a handle for each. No other query runs without one.
#[async_trait]
pub trait Database: TenantStore + JobStore + Send + Sync {
    /// The handle through which one tenant's data, and no other's, is read and written.
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData>;

    /// Succeeds when the database responds. Does not wait behind other calls, and ends within seconds.
    async fn ping(&self) -> StoreResult<Ping>;

    /// The size of the database in bytes. `None` for a file, whose size is known without a query, and for a store that
    /// cannot tell. May take seconds.
    async fn size_bytes(&self) -> StoreResult<Option<u64>> {
        Ok(None)
    }
}

/// What a database that responds says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ping {
    /// Whether it takes writes; a standby does not.
    pub takes_writes: bool,
}

/// Everything stored for one tenant; the handle is bound to it.
pub trait TenantData:
    CommandStore
    + TokenStore
    + UserStore
    + CatalogueStore
    + LedgerStore
    + OrderStore
    + RequestKeyStore
    + SecretStore
    + Send
    + Sync
{
}

impl<T> TenantData for T where
    T: CommandStore
        + TokenStore
        + UserStore
        + CatalogueStore
        + LedgerStore
        + OrderStore
        + RequestKeyStore
        + SecretStore
        + Send
        + Sync
{
}

impl dyn TenantData + '_ {
    /// Executes a command in one commit; with a key, once however often the request comes.
    ///
    /// # Errors
    /// When the store fails: nothing was saved, or the request's key tells.
    pub async fn execute<C: Command>(
        &self,
        command: C,
        once: Option<Once<C::Outcome>>,
    ) -> StoreResult<Execution<C::Outcome>> {
        self.execute_tallied(command, once).await.map(|(execution, _)| execution)
    }

    /// As [`Self::execute`]; gives also what the commit changed.
    pub(crate) async fn execute_tallied<C: Command>(
        &self,
        command: C,
        once: Option<Once<C::Outcome>>,
    ) -> StoreResult<(Execution<C::Outcome>, WriteTally)> {
        let outcome = Arc::new(Mutex::new(None));
        self.run(Arc::new(KeyedCommand::new(command, once, outcome.clone()))).await?;
        let execution = outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
        execution.ok_or_else(|| StoreError::Failed("the store did not execute the command".into()))
    }

    /// Executes a command that belongs to no key, in one commit.
    ///
    /// # Errors
    /// When the store fails; then nothing was saved, unless the connection was lost during the commit.
    pub async fn write<C: Command>(&self, command: C) -> StoreResult<C::Outcome> {
        self.execute(command, None).await?.without_key()
    }
}
