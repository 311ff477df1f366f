use pointbook_domain::Timestamp;

use super::rows::read_one;
use super::{StoreResult, TenantData};
use crate::commands::{Command, CommandError, Facts, Lane, Needs};
use crate::schema::Query;
use crate::schema::rows::SealedDataKey;
use crate::schema::rows::TenantSecret;

impl dyn TenantData + '_ {
    /// The secret of this name. Where the tenant has no such secret, `fresh` becomes it, and `now` its time: of
    /// callers at the same moment, in any process, one wins and all get the same bytes. A secret never changes, but a copy of
    /// the tenant into this database replaces it.
    pub async fn secret(&self, name: &str, fresh: &[u8; 32], now: Timestamp) -> StoreResult<[u8; 32]> {
        let query = Query::of::<TenantSecret>("secret", &[]).equal("name", Some(name));
        if let Some(secret) = read_one::<TenantSecret>(self, query).await? {
            return Ok(secret.value);
        }
        self.write(KeepSecret(TenantSecret { name: name.to_owned(), value: *fresh, created_at: now })).await
    }

    /// The data key, sealed with a master key. `None` until something of the tenant is sealed for the first time.
    pub async fn data_key(&self) -> StoreResult<Option<SealedDataKey>> {
        read_one(self, Query::of::<SealedDataKey>("data_key", &[])).await
    }
}

/// Stores a secret, unless the tenant has one of its name. Returns the stored one.
struct KeepSecret(TenantSecret);

impl Command for KeepSecret {
    type Outcome = [u8; 32];

    const NAME: &'static str = "insert_secret";

    fn lane(&self) -> Lane {
        Lane::Service
    }

    fn needs(&self, needs: &mut Needs) {
        // It never changes, so there is nothing to lock.
        needs.unlocked::<TenantSecret>(&self.0.name);
    }

    fn decide(&self, facts: &mut Facts) -> Result<[u8; 32], CommandError> {
        if let Some(stored) = facts.get::<TenantSecret>(&self.0.name)? {
            return Ok(stored.value);
        }
        facts.put(self.0.clone())?;
        Ok(self.0.value)
    }
}
