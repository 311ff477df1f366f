//! Notes when a key of the back office was last used, so that people see which keys they may revoke.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pointbook_domain::{Timestamp, TokenHash, TokenRecord};

use crate::commands::{Command, CommandError, Facts, Needs};
use crate::{ServedTenant, StoreResult};

const MICROS_PER_HOUR: i64 = 3_600_000_000;

/// Stores the hours in which keys were used.
#[derive(Debug, Clone)]
pub struct UseKeys(pub BTreeMap<TokenHash, Timestamp>);

impl Command for UseKeys {
    type Outcome = ();

    const NAME: &'static str = "use_keys";

    fn needs(&self, _: &mut Needs) {}

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        self.0.iter().for_each(|(hash, at)| facts.use_token(*hash, *at));
        Ok(())
    }
}

/// The keys of a tenant that were used since the last [`store_key_uses`], each with the beginning of the hour. A tenant has few
/// keys, and a key is noted only when it is read from the database.
#[derive(Debug, Default)]
pub(crate) struct KeyUses(Mutex<BTreeMap<TokenHash, Timestamp>>);

impl KeyUses {
    /// Notes that a key is used now, unless its row says so already.
    pub(crate) fn note(&self, key: &TokenRecord, now: Timestamp) {
        let hour = Timestamp::from_micros(now.as_micros() - now.as_micros().rem_euclid(MICROS_PER_HOUR));
        if let Some(at) = hour.filter(|hour| key.last_used_at.is_none_or(|last| last < *hour)) {
            self.uses().insert(key.hash, at);
        }
    }

    fn uses(&self) -> MutexGuard<'_, BTreeMap<TokenHash, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stores which keys were used since the last call. Without any, the tenant costs no statement.
///
/// # Errors
/// When the store fails: the next call stores these uses.
pub async fn store_key_uses(served: &ServedTenant) -> StoreResult<()> {
    let uses = std::mem::take(&mut *served.key_uses.uses());
    if uses.is_empty() {
        return Ok(());
    }
    let stored = served.data.write(UseKeys(uses.clone())).await;
    if stored.is_err() {
        let mut waiting = served.key_uses.uses();
        for (hash, at) in uses {
            waiting.entry(hash).or_insert(at);
        }
    }
    stored
}
