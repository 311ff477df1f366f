//! A database that fails on demand, for tests of the responses of a failing service.

mod tenant;

use std::collections::HashMap;
use std::future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pointbook_domain::TenantId;
use pointbook_store::ports::{
    Database, InsertTenantError, Ping, RowStore, TenantChange, TenantData, TenantsVersion,
};
use pointbook_store::{StoreError, StoreResult};
use tokio::sync::{oneshot, watch};

use self::tenant::FaultyTenant;

/// The failure of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The code panics.
    Panic,
    /// [`StoreError::Failed`].
    Fail,
    /// [`StoreError::Unavailable`].
    Unavailable,
    /// [`StoreError::Unavailable`], after a second.
    Late,
    /// The call never returns.
    Hang,
}

/// The failure of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteFault {
    /// This failure happens before the write reaches the store, so the write has no effect.
    Before(Fault),
    /// [`StoreError::Unavailable`] after the write was executed. The caller cannot know the outcome.
    AnswerLost,
    /// The call never returns, although the write was executed.
    AnswerHangs,
}

impl Fault {
    async fn happen(self) -> StoreError {
        match self {
            Self::Panic => panic!("an injected panic"),
            Self::Fail => StoreError::Failed("an injected failure".into()),
            Self::Unavailable => StoreError::Unavailable("an injected lock".into()),
            Self::Late => {
                tokio::time::sleep(Duration::from_secs(1)).await;
                StoreError::Unavailable("an injected late failure".into())
            }
            Self::Hang => future::pending().await,
        }
    }
}

/// A database whose `history_page`, `catalogue_version`, `most_ordered`, `secret`, `ping` and next write can fail on
/// demand. Its catalogue loads can wait on demand. All other calls go to the inner database.
pub struct FaultyDatabase {
    inner: Arc<dyn Database>,
    faults: Arc<Faults>,
}

#[derive(Default)]
struct Faults {
    /// By the name of the call.
    reads: Mutex<HashMap<&'static str, Fault>>,
    next_write: Mutex<Option<WriteFault>>,
    /// Tells that the next write has begun, and waits for its release.
    held_write: Mutex<Option<(oneshot::Sender<()>, oneshot::Receiver<()>)>>,
    /// The tenant whose catalogue loads wait.
    held: watch::Sender<Option<TenantId>>,
    /// How many catalogue loads have reached the categories, their last step.
    loads: watch::Sender<u32>,
}

impl Faults {
    /// Makes a call fail from now on, also through existing handles. `None` removes the fault.
    fn fail(&self, call: &'static str, fault: Option<Fault>) {
        let mut reads = self.reads.lock().unwrap();
        reads.remove(call);
        reads.extend(fault.map(|fault| (call, fault)));
    }

    async fn check(&self, call: &str) -> StoreResult<()> {
        let fault = self.reads.lock().unwrap().get(call).copied();
        match fault {
            Some(fault) => Err(fault.happen().await),
            None => Ok(()),
        }
    }

    /// Executes the write with the next fault, if one is set.
    async fn write<T>(&self, write: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
        let held = self.held_write.lock().unwrap().take();
        if let Some((begun, released)) = held {
            begun.send(()).unwrap();
            released.await.unwrap();
        }
        let fault = self.next_write.lock().unwrap().take();
        match fault {
            None => write.await,
            Some(WriteFault::Before(fault)) => Err(fault.happen().await),
            Some(WriteFault::AnswerLost) => {
                write.await?;
                Err(StoreError::Unavailable("an injected loss of the response".into()))
            }
            Some(WriteFault::AnswerHangs) => {
                write.await?;
                Err(Fault::Hang.happen().await)
            }
        }
    }
}

/// A write that waits before it reaches the store.
pub struct HeldWrite {
    pub begun: oneshot::Receiver<()>,
    pub release: oneshot::Sender<()>,
}

impl FaultyDatabase {
    /// The inner database, with the same fault in `history_page` and `ping`.
    pub fn new(inner: Arc<dyn Database>, fault: Fault) -> Self {
        let database = Self::healthy(inner);
        database.faults.fail("history_page", Some(fault));
        database.fail_ping(Some(fault));
        database
    }

    /// The inner database, without a fault so far.
    pub fn healthy(inner: Arc<dyn Database>) -> Self {
        Self { inner, faults: Arc::default() }
    }

    /// Makes `catalogue_version` fail from now on, with which every catalogue check begins. `None` removes the fault.
    pub fn fail_catalogue_version(&self, fault: Option<Fault>) {
        self.faults.fail("catalogue_version", fault);
    }

    /// Makes `most_ordered` fail from now on. `None` removes the fault.
    pub fn fail_most_ordered(&self, fault: Option<Fault>) {
        self.faults.fail("most_ordered", fault);
    }

    /// Makes `secret` fail from now on. `None` removes the fault.
    pub fn fail_secret(&self, fault: Option<Fault>) {
        self.faults.fail("secret", fault);
    }

    /// Makes catalogue loads of this tenant wait at their last step. `None` lets them continue.
    pub fn hold_loads_of(&self, tenant: Option<&TenantId>) {
        self.faults.held.send_replace(tenant.cloned());
    }

    /// How many catalogue loads of all tenants have reached their last step.
    pub fn loads(&self) -> u32 {
        *self.faults.loads.borrow()
    }

    /// Waits until more than `before` catalogue loads have reached their last step.
    pub async fn next_load(&self, before: u32) {
        self.faults.loads.subscribe().wait_for(|loads| *loads > before).await.unwrap();
    }

    /// Makes only the next write of a tenant's data fail, also through existing handles. `None` removes the fault. Removing
    /// old request keys does not count, because it runs in the background.
    pub fn fail_next_write(&self, fault: Option<WriteFault>) {
        *self.faults.next_write.lock().unwrap() = fault;
    }

    /// Makes only the next write of a tenant's data wait. What it writes was read before.
    pub fn hold_next_write(&self) -> HeldWrite {
        let ((begun_sender, begun), (release, released)) = (oneshot::channel(), oneshot::channel());
        *self.faults.held_write.lock().unwrap() = Some((begun_sender, released));
        HeldWrite { begun, release }
    }

    /// Whether the fault for the next write is still unused.
    pub fn awaits_write(&self) -> bool {
        self.faults.next_write.lock().unwrap().is_some()
    }

    /// Makes `ping` fail from now on. `None` removes the fault.
    pub fn fail_ping(&self, fault: Option<Fault>) {
        self.faults.fail("ping", fault);
    }
}

#[async_trait]
impl Database for FaultyDatabase {
    fn tenant(&self, id: &TenantId) -> Arc<dyn TenantData> {
        Arc::new(FaultyTenant { id: id.clone(), inner: self.inner.tenant(id), faults: self.faults.clone() })
    }

    async fn ping(&self) -> StoreResult<Ping> {
        self.faults.check("ping").await?;
        self.inner.ping().await
    }

    fn all_tenants(&self) -> Arc<dyn RowStore> {
        self.inner.all_tenants()
    }

    async fn tenants_version(&self) -> StoreResult<TenantsVersion> {
        self.inner.tenants_version().await
    }

    async fn change_tenants(&self, change: TenantChange) -> Result<(), InsertTenantError> {
        self.inner.change_tenants(change).await
    }

    async fn may_remove_tenants(&self) -> StoreResult<bool> {
        self.inner.may_remove_tenants().await
    }

    async fn remove_tenant_rows(&self, tenant: &TenantId, limit: u32) -> StoreResult<bool> {
        self.inner.remove_tenant_rows(tenant, limit).await
    }
}
