//! From a bearer token to the party that sent it.

use std::sync::Arc;

use moka::sync::Cache;
use pointbook_domain::{Principal, Timestamp, TokenHash};
use subtle::ConstantTimeEq;

use crate::{ServedTenant, StoreResult, token_hash};

/// Who sent this token; none when it is unknown, expired, revoked or its user disabled, which
/// nobody can tell apart.
///
/// # Errors
/// When the store fails.
pub async fn authenticate(tenant: &ServedTenant, token: &[u8], now: Timestamp) -> StoreResult<Option<Arc<Principal>>> {
    let hash = token_hash(token);
    if let Some(known) = tenant.principals.get(&hash, now) {
        return Ok(Some(known));
    }
    let found = tenant.data.find_token(&hash).await?;
    let good = found.filter(|found| {
        let same: bool = found.record.hash.0.ct_eq(&hash.0).into();
        same && found.record.is_good_at(now) && !found.user_disabled
    });
    Ok(good.map(|found| {
        let principal = Principal { kind: found.record.kind, expires_at: found.record.expires_at };
        tenant.principals.keep(hash, principal, now)
    }))
}

/// How many principals of one tenant are remembered.
const MAX_CACHED_PRINCIPALS: u64 = 100_000;

/// Remembers who sent a token, for a bounded time, so that most requests ask no database.
#[derive(Debug)]
pub struct PrincipalCache {
    max_age_seconds: u32,
    known: Cache<TokenHash, Known>,
}

#[derive(Debug, Clone)]
struct Known {
    principal: Arc<Principal>,
    /// From when on the store is asked again.
    stale_at: Timestamp,
}

impl PrincipalCache {
    /// An empty cache; what it remembers is at most this old.
    pub fn new(max_age_seconds: u32) -> Self {
        Self { max_age_seconds, known: Cache::new(MAX_CACHED_PRINCIPALS) }
    }

    fn get(&self, hash: &TokenHash, now: Timestamp) -> Option<Arc<Principal>> {
        let known = self.known.get(hash)?;
        let fresh = now < known.stale_at && known.principal.expires_at.is_none_or(|end| now < end);
        fresh.then_some(known.principal)
    }

    fn keep(&self, hash: TokenHash, principal: Principal, now: Timestamp) -> Arc<Principal> {
        let principal = Arc::new(principal);
        let stale_at = now.plus_seconds(self.max_age_seconds);
        self.known.insert(hash, Known { principal: principal.clone(), stale_at });
        principal
    }

    /// Forgets a token, because it was revoked.
    pub fn forget(&self, hash: &TokenHash) {
        self.known.invalidate(hash);
    }
}
