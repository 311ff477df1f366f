//! Who sent which token, remembered for a bounded time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwapOption;
use pointbook_domain::{Principal, Timestamp, TokenHash};

use crate::{StoreError, StoreResult};

/// Into how many groups principals are divided, by the first bits of their tokens' hashes.
const GROUPS: usize = 1_024;
/// How many principals of one group are remembered; of one tenant, about 100,000.
const MAX_IN_GROUP: usize = 100;

/// Remembers who sent a token, for a bounded time, so that most requests ask no database.
///
/// A group is replaced whole when somebody is remembered or forgotten: readers wait for nobody, and write nothing
/// that another processor reads. Hashes need no hashing: only good tokens get in, and nobody chooses theirs.
#[derive(Debug)]
pub struct PrincipalCache {
    max_age_seconds: u32,
    groups: Box<[ArcSwapOption<Group>; GROUPS]>,
    /// Counts what was forgotten, so that an answer read before a revocation is not kept after it.
    revocations: AtomicU64,
}

/// In the order in which they were kept. Few, so that looking through them is quick.
type Group = Vec<Known>;

#[derive(Debug, Clone)]
struct Known {
    hash: TokenHash,
    principal: Arc<Principal>,
    /// When the store said so.
    kept_at: Timestamp,
}

impl Known {
    /// Whether it is no older than this. What was kept later than now is of a clock that was set back, and nobody
    /// knows how old it is.
    fn is_fresh(&self, max_age_seconds: u32, now: Timestamp) -> bool {
        (self.kept_at..self.kept_at.plus_seconds(max_age_seconds)).contains(&now)
    }
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
        let groups = Box::new(std::array::from_fn(|_| ArcSwapOption::empty()));
        Self { max_age_seconds, groups, revocations: AtomicU64::new(0) }
    }

    fn group(&self, hash: &TokenHash) -> &ArcSwapOption<Group> {
        let [first, second, ..] = hash.0;
        &self.groups[usize::from(u16::from_be_bytes([first, second])) % GROUPS]
    }

    /// Who sent the token, as remembered.
    pub(crate) fn get(&self, hash: &TokenHash, now: Timestamp) -> Option<Arc<Principal>> {
        let group = self.group(hash).load();
        let known = group.as_ref()?.iter().find(|known| known.hash == *hash)?;
        let is_good = known.is_fresh(self.max_age_seconds, now)
            && known.principal.expires_at.is_none_or(|end| now < end);
        is_good.then(|| known.principal.clone())
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
        let known = Known { hash, principal: principal.clone(), kept_at: now };
        self.group(&hash).rcu(|group| {
            let others = group.iter().flat_map(|group| group.iter()).filter(|other| other.hash != hash);
            let fresh = others.filter(|other| other.is_fresh(self.max_age_seconds, now));
            let mut next: Group = fresh.cloned().collect();
            // The oldest leave.
            next.drain(..(next.len() + 1).saturating_sub(MAX_IN_GROUP));
            next.push(known.clone());
            Some(Arc::new(next))
        });
        if self.revocations() != read_at {
            self.remove(&hash);
        }
        principal
    }

    /// Writes in any case, so that of this and a [`Self::keep`] at the same time one sees the other.
    fn remove(&self, hash: &TokenHash) {
        self.group(hash).rcu(|group| {
            let without =
                |group: &Arc<Group>| group.iter().filter(|known| known.hash != *hash).cloned().collect();
            group.as_ref().map(|group| Arc::new(without(group)))
        });
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
            Revocation::Token(hash) => self.remove(&hash),
            Revocation::Unnamed => self.groups.iter().for_each(|group| group.store(None)),
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
    fn of_too_many_the_oldest_are_forgotten() {
        let cache = PrincipalCache::new(10);
        let hash = |number: u8| TokenHash(std::array::from_fn(|place| if place < 2 { 7 } else { number }));
        for number in 0..=u8::try_from(MAX_IN_GROUP).unwrap() {
            cache.keep(hash(number), principal(None), at(100), cache.revocations());
        }
        assert!(cache.get(&hash(0), at(100)).is_none());
        assert!((1..=100).all(|number| cache.get(&hash(number), at(100)).is_some()));
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
