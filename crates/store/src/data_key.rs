//! The data key of a tenant: made at first use, opened with a master key, and sealed again when the master key rotates.

use std::sync::Arc;

use pointbook_domain::{TenantId, Timestamp};
use serde_json::json;

use crate::audit_log::ChangeNote;
use crate::commands::{Command, CommandError, Facts, Needs};
use crate::context::Context;
use crate::directory::ServedTenant;
use crate::keyring::{AssociatedData, CipherError, DataKey, MasterKey, MasterKeyId, MasterKeys};
use crate::ports::{SealedDataKey, StoreError};
use crate::sources::{KeyFileError, SecretSource};
use crate::tenant_secret::TenantSecrets;

/// How often another writer may be faster than one sealing.
const MAX_RESEAL_ATTEMPTS: u32 = 10;

/// The purpose of the value that [`check_data_key`] seals and opens.
const SELF_TEST: &str = "pointbook-self-test-1\n";

/// Why the data key of a tenant cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataKeyError {
    /// No key file is configured.
    #[error("no master key is configured: set POINTBOOK_MASTER_KEY_FILE or master_key.file")]
    NoMasterKey,
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// The data key is sealed with this master key.
    #[error("the key file lacks the master key {0}, with which the data key is sealed")]
    UnknownMasterKey(String),
    /// The key file has another key with this id, or the row was changed or belongs to another tenant.
    #[error(
        "the data key does not open with the master key {0}: the key file has another key with this id, or the row was changed"
    )]
    DoesNotOpen(String),
    #[error("a value cannot be sealed: {0}")]
    Cipher(CipherError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What [`reseal_data_key`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resealing {
    /// The tenant has no data key yet.
    NoDataKey,
    /// The data key was already sealed with the sealing master key.
    Unchanged,
    Resealed,
}

/// Stores a data key, unless the tenant has one. Returns the stored one.
#[derive(Debug)]
pub struct KeepDataKey(pub SealedDataKey);

impl Command for KeepDataKey {
    type Outcome = SealedDataKey;

    const NAME: &'static str = "keep_data_key";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<SealedDataKey>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<SealedDataKey, CommandError> {
        if let Some(stored) = facts.get::<SealedDataKey>(&())? {
            return Ok(stored.clone());
        }
        write(facts, &self.0)?;
        Ok(self.0.clone())
    }
}

/// Replaces the sealed data key. False when it is no longer sealed as it was read.
#[derive(Debug)]
pub struct ResealDataKey {
    pub before: SealedDataKey,
    pub after: SealedDataKey,
}

impl Command for ResealDataKey {
    type Outcome = bool;

    const NAME: &'static str = "reseal_data_key";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<SealedDataKey>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let is_unchanged = facts.get::<SealedDataKey>(&())? == Some(&self.before);
        if is_unchanged {
            write(facts, &self.after)?;
        }
        Ok(is_unchanged)
    }
}

fn write(facts: &mut Facts, sealed: &SealedDataKey) -> Result<(), CommandError> {
    let master_key = json!({ "master_key": sealed.master_key_id });
    facts.note(|| ChangeNote::of_event("data_key.seal", "data_key", master_key));
    facts.put(sealed.clone())
}

impl ServedTenant {
    /// The data key. The first use reads and opens it, and makes it when the tenant has none.
    ///
    /// # Errors
    /// [`DataKeyError::NoMasterKey`] without a key file, unless the data key is in memory; otherwise when the key file, the
    /// row or the store is at fault.
    pub async fn data_key(&self, now: Timestamp) -> Result<Arc<DataKey>, DataKeyError> {
        self.secrets.data_key(&self.tenant.id, now).await
    }
}

impl TenantSecrets {
    async fn data_key(&self, tenant: &TenantId, now: Timestamp) -> Result<Arc<DataKey>, DataKeyError> {
        if let Some(key) = self.data_key.load_full() {
            return Ok(key);
        }
        // `reload` waits for this lock before it forgets the key, so a key of before a copy does not stay.
        let _loading = self.loading.lock().await;
        if let Some(key) = self.data_key.load_full() {
            return Ok(key);
        }
        let key = Arc::new(self.open_or_make(tenant, now).await?);
        self.data_key.store(Some(key.clone()));
        Ok(key)
    }

    async fn open_or_make(&self, tenant: &TenantId, now: Timestamp) -> Result<DataKey, DataKeyError> {
        let stored = match self.data.data_key().await? {
            Some(stored) => stored,
            None => self.make(tenant, now).await?,
        };
        // Read after the row: a rotation writes the file first.
        opened(&master_keys(&*self.source)?, tenant, &stored)
    }

    /// Stores a new data key, and returns the one that is stored then: another process may have been faster.
    async fn make(&self, tenant: &TenantId, now: Timestamp) -> Result<SealedDataKey, DataKeyError> {
        let fresh = DataKey::new(self.source.secret());
        let keys = master_keys(&*self.source)?;
        let sealed = sealed(keys.sealing(), tenant, &fresh, &*self.source, now)?;
        Ok(self.data.write(KeepDataKey(sealed)).await?)
    }
}

/// Seals the data key of a tenant with the sealing master key. Does nothing when it is already sealed with that one.
///
/// # Errors
/// [`DataKeyError`] when the data key cannot be opened. Then it stays as it is.
pub async fn reseal_data_key(context: &Context<bool>) -> Result<Resealing, DataKeyError> {
    let ServedTenant { tenant, data, secrets, .. } = &*context.tenant;
    for _ in 0..MAX_RESEAL_ATTEMPTS {
        let Some(before) = data.data_key().await? else { return Ok(Resealing::NoDataKey) };
        let keys = master_keys(&*secrets.source)?;
        if before.master_key_id == keys.sealing().id().as_str() {
            return Ok(Resealing::Unchanged);
        }
        let key = opened(&keys, &tenant.id, &before)?;
        let after = sealed(keys.sealing(), &tenant.id, &key, &*secrets.source, before.created_at)?;
        if context.execute(ResealDataKey { before, after }).await?.without_key()? {
            return Ok(Resealing::Resealed);
        }
    }
    Err(StoreError::Unavailable("other processes seal the data key of this tenant, too".into()).into())
}

/// Reads the data key from the database and opens it, and seals and opens a value with it. Returns the id of the master key
/// that seals it, or `None` for a tenant without a data key.
///
/// # Errors
/// [`DataKeyError`] when one of the steps fails.
pub async fn check_data_key(served: &ServedTenant) -> Result<Option<MasterKeyId>, DataKeyError> {
    let ServedTenant { tenant, data, secrets, .. } = served;
    let Some(stored) = data.data_key().await? else { return Ok(None) };
    let keys = master_keys(&*secrets.source)?;
    let key = opened(&keys, &tenant.id, &stored)?;
    let place = AssociatedData::new(SELF_TEST).with(tenant.id.as_str());
    let value = secrets.source.secret();
    let sealed = key.seal(&value, &place, &secrets.source.secret()).map_err(DataKeyError::Cipher)?;
    let is_same = key.open(&sealed, &place).map_err(DataKeyError::Cipher)?.as_slice() == value;
    if !is_same {
        return Err(DataKeyError::Cipher(CipherError::DoesNotOpen));
    }
    Ok(keys.find(&stored.master_key_id).map(|key| key.id().clone()))
}

fn master_keys(source: &dyn SecretSource) -> Result<MasterKeys, DataKeyError> {
    source.master_keys()?.ok_or(DataKeyError::NoMasterKey)
}

fn opened(keys: &MasterKeys, tenant: &TenantId, stored: &SealedDataKey) -> Result<DataKey, DataKeyError> {
    let id = &stored.master_key_id;
    let master = keys.find(id).ok_or_else(|| DataKeyError::UnknownMasterKey(id.clone()))?;
    master.open_data_key(&stored.sealed, tenant.as_str()).map_err(|_| DataKeyError::DoesNotOpen(id.clone()))
}

fn sealed(
    master: &MasterKey,
    tenant: &TenantId,
    key: &DataKey,
    source: &dyn SecretSource,
    created_at: Timestamp,
) -> Result<SealedDataKey, DataKeyError> {
    let sealed =
        master.seal_data_key(key, tenant.as_str(), &source.secret()).map_err(DataKeyError::Cipher)?;
    Ok(SealedDataKey { master_key_id: master.id().to_string(), sealed, created_at })
}
