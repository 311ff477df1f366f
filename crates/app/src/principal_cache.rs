//! Who sent which token, remembered for a bounded time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwapOption;
use pointbook_domain::{Principal, Timestamp, TokenHash, TokenKind};
use subtle::ConstantTimeEq;

use crate::request_counts::{RequestCounts, UserRequestCounts};
use crate::{StoreError, StoreResult};

/// Into how many groups principals are divided, by the first bits of their tokens' hashes.
const GROUPS: usize = 1_024;
/// How many principals of one group are remembered; of one tenant, about 100,000.
const MAX_IN_GROUP: usize = 100;

/// Remembers who sent a token, for a bounded time, so that most requests ask no database.
///
/// A group is replaced whole when somebody is remembered or forgotten: readers wait for nobody, and write nothing
/// that another processor reads. Hashes need no hashing: only tokens that were issued get in, and nobody chooses theirs.
#[derive(Debug)]
pub struct PrincipalCache {
    max_age_seconds: u32,
    /// The same while the database is away.
    max_age_when_away_seconds: u32,
    groups: Box<[ArcSwapOption<Group>; GROUPS]>,
    /// Counts what was forgotten, so that an answer read before a revocation is not kept after it.
    revocations: AtomicU64,
    request_counts: UserRequestCounts,
}

/// A principal, and what is kept in memory for it.
#[derive(Debug)]
pub struct KnownPrincipal {
    /// Who sent the token.
    pub principal: Principal,
    /// The user's requests of this minute, whichever token they came with; none for the back office.
    pub requests: Option<Arc<RequestCounts>>,
}

impl KnownPrincipal {
    fn is_unexpired_at(&self, now: Timestamp) -> bool {
        self.principal.expires_at.is_none_or(|end| now < end)
    }
}

/// In the order in which they were kept. Few, so that looking through them is quick.
type Group = Vec<Known>;

#[derive(Debug, Clone)]
struct Known {
    hash: TokenHash,
    /// `None` when the store refused the token. That matters only while the store cannot be asked.
    principal: Option<Arc<KnownPrincipal>>,
    /// When the store said so.
    kept_at: Timestamp,
}

impl Known {
    /// Whether it is the principal of the token with this hash. Takes the same time whatever they have in common. Words
    /// are compared rather than bytes, because every request comes here.
    fn is_of(&self, hash: &TokenHash) -> bool {
        let pairs = self.hash.0.as_chunks().0.iter().zip(hash.0.as_chunks().0);
        let difference =
            pairs.fold(0, |all, (one, other)| all | (u64::from_ne_bytes(*one) ^ u64::from_ne_bytes(*other)));
        difference.ct_eq(&0).into()
    }

    /// Whether it is no older than this. What was kept later than now is of a clock that was set back, and nobody
    /// knows how old it is.
    fn is_fresh(&self, max_age_seconds: u32, now: Timestamp) -> bool {
        self.kept_at <= now && !self.is_stale(max_age_seconds, now)
    }

    fn is_stale(&self, max_age_seconds: u32, now: Timestamp) -> bool {
        self.kept_at.plus_seconds(max_age_seconds) <= now
    }
}

/// What a write takes away.
#[derive(Debug, Clone)]
pub(crate) enum Revocation {
    /// One token.
    Token(TokenHash),
    /// All tokens of this owner: of a user, or of the back office.
    Of(TokenKind),
}

/// What is remembered of a token, however long ago the store said so.
#[derive(Debug, Clone)]
pub(crate) enum Remembered {
    /// The token was good.
    Good(Arc<KnownPrincipal>),
    /// The token was revoked, expired, or of a disabled user.
    Refused,
}

impl PrincipalCache {
    /// An empty cache; what it remembers is at most this old.
    pub fn new(max_age_seconds: u32) -> Self {
        let groups = Box::new(std::array::from_fn(|_| ArcSwapOption::empty()));
        Self {
            max_age_seconds,
            max_age_when_away_seconds: max_age_seconds,
            groups,
            revocations: AtomicU64::new(0),
            request_counts: UserRequestCounts::default(),
        }
    }

    /// The same with another age for the time in which the database is away.
    #[must_use]
    pub(crate) fn when_away(self, max_age_seconds: u32) -> Self {
        Self { max_age_when_away_seconds: max_age_seconds, ..self }
    }

    fn group(&self, hash: &TokenHash) -> &ArcSwapOption<Group> {
        let [first, second, ..] = hash.0;
        &self.groups[usize::from(u16::from_be_bytes([first, second])) % GROUPS]
    }

    /// Who sent the token, as remembered.
    pub(crate) fn get(&self, hash: &TokenHash, now: Timestamp) -> Option<Arc<KnownPrincipal>> {
        let group = self.group(hash).load();
        let known = group.as_ref()?.iter().find(|known| known.is_of(hash))?;
        let known_principal = known.principal.as_ref()?;
        let is_good = known.is_fresh(self.max_age_seconds, now) && known_principal.is_unexpired_at(now);
        is_good.then(|| known_principal.clone())
    }

    /// What is remembered of a token for as long as the store cannot be asked.
    pub(crate) fn remembered(&self, hash: &TokenHash, now: Timestamp) -> Option<Remembered> {
        let group = self.group(hash).load();
        let known = group.as_ref()?.iter().find(|known| known.is_of(hash))?;
        let is_recent = known.is_fresh(self.longest_age_seconds(), now);
        let good = known.principal.as_ref().filter(|known| known.is_unexpired_at(now));
        is_recent.then(|| good.map_or(Remembered::Refused, |good| Remembered::Good(good.clone())))
    }

    fn longest_age_seconds(&self) -> u32 {
        self.max_age_seconds.max(self.max_age_when_away_seconds)
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
    ) -> Arc<KnownPrincipal> {
        let requests = match &principal.kind {
            TokenKind::Customer(user) => Some(self.request_counts.of(user, now)),
            TokenKind::SuperUser => None,
        };
        let principal = Arc::new(KnownPrincipal { principal, requests });
        self.put(&Known { hash, principal: Some(principal.clone()), kept_at: now });
        if self.revocations() != read_at {
            self.remove(&hash);
        }
        principal
    }

    /// Remembers that the store refused a token which it knows.
    pub(crate) fn refuse(&self, hash: TokenHash, now: Timestamp) {
        self.put(&Known { hash, principal: None, kept_at: now });
    }

    fn put(&self, known: &Known) {
        self.group(&known.hash).rcu(|group| {
            let others =
                group.iter().flat_map(|group| group.iter()).filter(|other| !other.is_of(&known.hash));
            // Others may have been kept by requests that began later.
            let fresh = others.filter(|other| !other.is_stale(self.longest_age_seconds(), known.kept_at));
            let mut next: Group = fresh.cloned().collect();
            // The oldest leave.
            next.drain(..(next.len() + 1).saturating_sub(MAX_IN_GROUP));
            next.push(known.clone());
            Some(Arc::new(next))
        });
    }

    /// Writes in any case, so that of this and a [`Self::keep`] at the same time one sees the other.
    fn remove(&self, hash: &TokenHash) {
        self.group(hash).rcu(|group| {
            let without =
                |group: &Arc<Group>| group.iter().filter(|known| !known.is_of(hash)).cloned().collect();
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
        now: Timestamp,
        write: impl Future<Output = StoreResult<T>> + Send + 'static,
    ) -> StoreResult<T> {
        let _given_up = ForgetOnDrop(self.clone(), revocation.clone(), now);
        let ended = ForgetOnDrop(self.clone(), revocation, now);
        let write = tokio::spawn(async move {
            let _ended = ended;
            write.await
        });
        write.await.map_err(|error| StoreError::Failed(Box::new(error)))?
    }

    /// Forgets what a write took away: the store is asked again, and while it cannot be asked, the tokens are refused.
    pub(crate) fn forget(&self, revocation: &Revocation, now: Timestamp) {
        self.revocations.fetch_add(1, Ordering::SeqCst);
        match revocation {
            Revocation::Token(hash) => self.refuse(*hash, now),
            Revocation::Of(owner) => self.refuse_owner(owner),
        }
    }

    /// Writes to every group in any case, as [`Self::remove`] does.
    fn refuse_owner(&self, owner: &TokenKind) {
        let is_of_owner = |known: &Arc<KnownPrincipal>| known.principal.kind == *owner;
        let refused = |known: &Known| {
            let principal = known.principal.clone().filter(|principal| !is_of_owner(principal));
            Known { principal, ..known.clone() }
        };
        for group in &*self.groups {
            group.rcu(|group| {
                group.as_ref().map(|group| Arc::new(group.iter().map(refused).collect::<Group>()))
            });
        }
    }
}

struct ForgetOnDrop(Arc<PrincipalCache>, Revocation, Timestamp);

impl Drop for ForgetOnDrop {
    fn drop(&mut self) {
        let Self(principals, revocation, now) = self;
        principals.forget(revocation, *now);
    }
}

#[cfg(test)]
mod tests;
