//! Who sent which token, remembered for a bounded time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use moka::sync::Cache;
use pointbook_domain::{Principal, Timestamp, TokenHash};

use crate::{StoreError, StoreResult};

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
    /// When the store said so.
    kept_at: Timestamp,
}

/// What a write takes away.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Revocation {
    /// One token.
    Token(TokenHash),
    /// Tokens whose hashes are not at hand: everybody is forgotten.
    Unnamed,
}

impl PrincipalCache {
    /// An empty cache; what it remembers is at most this old.
    pub fn new(max_age_seconds: u32) -> Self {
        let (known, revocations) = (Cache::new(MAX_CACHED_PRINCIPALS), AtomicU64::new(0));
        Self { max_age_seconds, known, revocations }
    }

    /// Who sent the token, as remembered. What was kept later than now is of a clock that was set
    /// back, and nobody knows how old it is.
    pub(crate) fn get(&self, hash: &TokenHash, now: Timestamp) -> Option<Arc<Principal>> {
        let known = self.known.get(hash)?;
        let stale_at = known.kept_at.plus_seconds(self.max_age_seconds);
        let is_fresh = (known.kept_at..stale_at).contains(&now);
        let is_good = is_fresh && known.principal.expires_at.is_none_or(|end| now < end);
        is_good.then_some(known.principal)
    }

    /// The count that [`Self::keep`] asks for.
    pub(crate) fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::SeqCst)
    }

    /// Remembers what the store said while the count of revocations was `read_at`. Kept first and
    /// looked at again then: whichever of this and [`Self::forget`] comes last takes it away.
    pub(crate) fn keep(
        &self,
        hash: TokenHash,
        principal: Principal,
        now: Timestamp,
        read_at: u64,
    ) -> Arc<Principal> {
        let principal = Arc::new(principal);
        self.known.insert(hash, Known { principal: principal.clone(), kept_at: now });
        if self.revocations() != read_at {
            self.known.invalidate(&hash);
        }
        principal
    }

    /// Runs a write that takes tokens away, and forgets them. Whoever asked for it may give up
    /// waiting: the write goes on, and they are forgotten both then and when it has ended, however it
    /// ends. Only so is it certain that no request in between is remembered for longer than the
    /// token was good.
    pub(crate) async fn revoking<T: Send + 'static>(
        self: &Arc<Self>,
        revocation: Revocation,
        write: impl Future<Output = StoreResult<T>> + Send + 'static,
    ) -> StoreResult<T> {
        let _given_up = ForgetOnDrop(self.clone(), revocation);
        let ended = ForgetOnDrop(self.clone(), revocation);
        let write = tokio::spawn(async move {
            let _ended = ended;
            write.await
        });
        write.await.map_err(|error| StoreError::Failed(Box::new(error)))?
    }

    /// Forgets what a write took away. Too much does no harm: the store is asked again.
    pub(crate) fn forget(&self, revocation: Revocation) {
        self.revocations.fetch_add(1, Ordering::SeqCst);
        match revocation {
            Revocation::Token(hash) => self.known.invalidate(&hash),
            Revocation::Unnamed => self.known.invalidate_all(),
        }
    }
}

struct ForgetOnDrop(Arc<PrincipalCache>, Revocation);

impl Drop for ForgetOnDrop {
    fn drop(&mut self) {
        let Self(principals, revocation) = self;
        principals.forget(*revocation);
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

    /// Remembers for ten seconds, and knows a token since second 100.
    fn cache(expires_at: Option<Timestamp>) -> Arc<PrincipalCache> {
        let cache = PrincipalCache::new(10);
        cache.keep(HASH, principal(expires_at), at(100), cache.revocations());
        Arc::new(cache)
    }

    #[test]
    fn a_principal_is_remembered_for_a_bounded_time() {
        let cache = cache(None);
        assert!(cache.get(&HASH, at(100)).is_some());
        assert!(cache.get(&HASH, at(109)).is_some());
        assert!(cache.get(&HASH, at(110)).is_none());
    }

    #[test]
    fn a_clock_that_was_set_back_makes_no_memory_longer() {
        assert!(cache(None).get(&HASH, at(99)).is_none());
    }

    #[test]
    fn a_remembered_token_still_expires() {
        let cache = cache(Some(at(105)));
        assert!(cache.get(&HASH, at(104)).is_some());
        assert!(cache.get(&HASH, at(105)).is_none());
    }

    #[test]
    fn a_revoked_token_is_forgotten_at_once() {
        for revocation in [Revocation::Token(HASH), Revocation::Unnamed] {
            let cache = cache(None);
            cache.forget(revocation);
            assert!(cache.get(&HASH, at(100)).is_none());
        }
    }

    #[test]
    fn what_was_read_before_a_revocation_is_not_kept_after_it() {
        let cache = PrincipalCache::new(10);
        let read_at = cache.revocations();
        cache.forget(Revocation::Token(HASH));
        cache.keep(HASH, principal(None), at(100), read_at);
        assert!(cache.get(&HASH, at(100)).is_none());
    }

    /// In between, somebody may have been remembered once more.
    #[tokio::test]
    async fn a_revocation_that_nobody_waits_for_is_forgotten_when_it_ends() {
        let cache = cache(None);
        let (commit, committed) = tokio::sync::oneshot::channel::<()>();
        let (tell, ended) = tokio::sync::oneshot::channel::<()>();
        let write = async move {
            let _ended = tell;
            committed.await.map_err(|error| StoreError::Failed(Box::new(error)))
        };
        let revoking = cache.revoking(Revocation::Token(HASH), write);
        tokio::select! {
            biased;
            _ = revoking => panic!("the write has not ended"),
            () = tokio::task::yield_now() => {}
        }
        assert!(cache.get(&HASH, at(100)).is_none(), "it may stand already");
        cache.keep(HASH, principal(None), at(100), cache.revocations());
        commit.send(()).unwrap();
        assert!(ended.await.is_err());
        tokio::task::yield_now().await;
        assert!(cache.get(&HASH, at(100)).is_none(), "it stands now");
    }
}
