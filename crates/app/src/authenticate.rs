//! From a bearer token to the party that sent it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use moka::sync::Cache;
use pointbook_domain::{Principal, Timestamp, TokenHash};
use subtle::ConstantTimeEq;

use crate::{ServedTenant, StoreResult, token_hash};

/// Who sent this token; none when it is unknown, expired, revoked or its user disabled, which
/// nobody can tell apart.
///
/// # Errors
/// When the store fails.
pub async fn authenticate(
    tenant: &ServedTenant,
    token: &[u8],
    now: Timestamp,
) -> StoreResult<Option<Arc<Principal>>> {
    let hash = token_hash(token);
    if let Some(known) = tenant.principals.get(&hash, now) {
        return Ok(Some(known));
    }
    let revocations = tenant.principals.revocations();
    let found = tenant.data.find_token(&hash).await?;
    let good = found.filter(|found| {
        let same: bool = found.record.hash.0.ct_eq(&hash.0).into();
        same && found.record.is_good_at(now) && !found.user_disabled
    });
    Ok(good.map(|found| {
        let principal = Principal { kind: found.record.kind, expires_at: found.record.expires_at };
        tenant.principals.keep(hash, principal, now, revocations)
    }))
}

/// How many principals of one tenant are remembered.
const MAX_CACHED_PRINCIPALS: u64 = 100_000;

/// Remembers who sent a token, for a bounded time, so that most requests ask no database.
#[derive(Debug)]
pub struct PrincipalCache {
    max_age_seconds: u32,
    known: Cache<TokenHash, Known>,
    /// Counts what was forgotten, so that an answer read before a revocation is not kept after it.
    revocations: AtomicU64,
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
        let (known, revocations) = (Cache::new(MAX_CACHED_PRINCIPALS), AtomicU64::new(0));
        Self { max_age_seconds, known, revocations }
    }

    fn get(&self, hash: &TokenHash, now: Timestamp) -> Option<Arc<Principal>> {
        let known = self.known.get(hash)?;
        let fresh = now < known.stale_at && known.principal.expires_at.is_none_or(|end| now < end);
        fresh.then_some(known.principal)
    }

    fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::SeqCst)
    }

    /// Remembers what the store said while the count of revocations was `read_at`. Kept first and
    /// looked at again then: whichever of this and [`Self::forget`] comes last takes it away.
    fn keep(&self, hash: TokenHash, principal: Principal, now: Timestamp, read_at: u64) -> Arc<Principal> {
        let principal = Arc::new(principal);
        let stale_at = now.plus_seconds(self.max_age_seconds);
        self.known.insert(hash, Known { principal: principal.clone(), stale_at });
        if self.revocations() != read_at {
            self.known.invalidate(&hash);
        }
        principal
    }

    /// Forgets a token, because it was revoked.
    pub fn forget(&self, hash: &TokenHash) {
        self.revocations.fetch_add(1, Ordering::SeqCst);
        self.known.invalidate(hash);
    }

    /// Forgets everybody, because a user was shut out. The store is asked again for the others.
    pub fn forget_all(&self) {
        self.revocations.fetch_add(1, Ordering::SeqCst);
        self.known.invalidate_all();
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::TokenKind;

    use super::*;

    const HASH: TokenHash = TokenHash([7; 32]);

    fn at(seconds: u32) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus_seconds(seconds)
    }

    fn principal(expires_at: Option<Timestamp>) -> Principal {
        Principal { kind: TokenKind::SuperUser, expires_at }
    }

    #[test]
    fn a_principal_is_remembered_for_a_bounded_time() {
        let cache = PrincipalCache::new(10);
        cache.keep(HASH, principal(None), at(0), cache.revocations());
        assert!(cache.get(&HASH, at(9)).is_some());
        assert!(cache.get(&HASH, at(10)).is_none());
    }

    #[test]
    fn a_remembered_token_still_expires() {
        let cache = PrincipalCache::new(10);
        cache.keep(HASH, principal(Some(at(5))), at(0), cache.revocations());
        assert!(cache.get(&HASH, at(4)).is_some());
        assert!(cache.get(&HASH, at(5)).is_none());
    }

    #[test]
    fn a_revoked_token_is_forgotten_at_once() {
        let cache = PrincipalCache::new(10);
        cache.keep(HASH, principal(None), at(0), cache.revocations());
        cache.forget(&HASH);
        assert!(cache.get(&HASH, at(0)).is_none());
    }

    #[test]
    fn forgetting_everybody_forgets_each() {
        let cache = PrincipalCache::new(10);
        cache.keep(HASH, principal(None), at(0), cache.revocations());
        cache.forget_all();
        assert!(cache.get(&HASH, at(0)).is_none());
    }

    #[test]
    fn what_was_read_before_a_revocation_is_not_kept_after_it() {
        let cache = PrincipalCache::new(10);
        let read_at = cache.revocations();
        cache.forget(&HASH);
        cache.keep(HASH, principal(None), at(0), read_at);
        assert!(cache.get(&HASH, at(0)).is_none());
    }
}
