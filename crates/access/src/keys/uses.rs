//! Notes when a key of the back office was last used, so that people see which keys they may revoke.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pointbook_domain::{TenantSettings, Timestamp, TokenHash, TokenRecord};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::TenantData;
use pointbook_store::{ServedTenant, StoreResult, TenantState};

const MICROS_PER_HOUR: i64 = 3_600_000_000;

/// Stores the hours in which keys were used.
#[derive(Debug, Clone)]
pub struct UseKeys(pub BTreeMap<TokenHash, Timestamp>);

impl Command for UseKeys {
    type Outcome = ();

    const NAME: &'static str = "use_keys";

    fn needs(&self, needs: &mut Needs) {
        self.0.iter().for_each(|(hash, _)| needs.row::<TokenRecord>(hash));
    }

    /// Stores the uses, unless a later one is stored.
    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        for (hash, at) in &self.0 {
            let earlier = facts.get::<TokenRecord>(hash)?.filter(|token| token.last_used_at < Some(*at));
            if let Some(token) = earlier.cloned() {
                facts.put(TokenRecord { last_used_at: Some(*at), ..token })?;
            }
        }
        Ok(())
    }
}

/// What was used since the last [`Self::store`], and when. A request that notes a use waits for no write.
#[derive(Debug)]
pub struct Uses<K>(Mutex<BTreeMap<K, Timestamp>>);

impl<K> Default for Uses<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Ord + Clone> Uses<K> {
    pub fn note(&self, key: K, at: Timestamp) {
        self.uses().insert(key, at);
    }

    /// Stores the uses. Without any, the tenant costs no statement.
    ///
    /// # Errors
    /// When the store fails: the next call stores these uses.
    pub async fn store<C: Command<Outcome = ()>>(
        &self,
        data: &dyn TenantData,
        command: impl FnOnce(BTreeMap<K, Timestamp>) -> C,
    ) -> StoreResult<()> {
        let uses = std::mem::take(&mut *self.uses());
        if uses.is_empty() {
            return Ok(());
        }
        let stored = data.write(command(uses.clone())).await;
        if stored.is_err() {
            let mut waiting = self.uses();
            for (key, at) in uses {
                waiting.entry(key).or_insert(at);
            }
        }
        stored
    }

    fn uses(&self) -> MutexGuard<'_, BTreeMap<K, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The keys of a tenant, each with the beginning of the hour. A tenant has few keys, and a key is noted only when it is read from the
/// database.
#[derive(Debug, Default)]
pub(crate) struct KeyUses(Uses<TokenHash>);

impl TenantState for KeyUses {
    fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
        Self::default()
    }
}

impl KeyUses {
    /// Notes that a key is used now, unless its row says so already.
    pub(crate) fn note_key(&self, key: &TokenRecord, now: Timestamp) {
        let hour = Timestamp::from_micros(now.as_micros() - now.as_micros().rem_euclid(MICROS_PER_HOUR));
        if let Some(at) = hour.filter(|hour| key.last_used_at.is_none_or(|last| last < *hour)) {
            self.0.note(key.hash, at);
        }
    }
}

/// Stores which keys were used since the last call.
///
/// # Errors
/// Those of [`Uses::store`].
pub async fn store_key_uses(served: &ServedTenant) -> StoreResult<()> {
    served.state::<KeyUses>().0.store(&*served.data, UseKeys).await
}
