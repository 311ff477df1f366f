//! Remembers the senders of tokens for a bounded time.

use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use pointbook_domain::{Principal, TenantSettings, Timestamp, TokenHash, TokenKind};
use pointbook_http::KnownPrincipal;
use pointbook_http::rate_limit::counts::UserRequestCounts;
use pointbook_store::{ServedTenant, StoreError, StoreResult, TenantState};

/// How many principals of one tenant it remembers. The least recently used leave first.
const MAX_PRINCIPALS: u64 = 100_000;

/// Remembers the senders of tokens for a bounded time, so that most requests need no database read.
#[derive(Debug)]
pub struct PrincipalCache {
    max_age_seconds: u32,
    /// The same, while the database is away.
    max_age_when_away_seconds: u32,
    /// Created at first use: most tenants of a large database have no requests.
    known: OnceLock<Cache<TokenHash, Known>>,
    /// Counts revocations, so that a principal that was read before a revocation is not kept after it.
    revocations: AtomicU64,
    request_counts: UserRequestCounts,
}

fn is_unexpired_at(principal: &Principal, now: Timestamp) -> bool {
    principal.expires_at.is_none_or(|end| now < end)
}

#[derive(Debug, Clone)]
struct Known {
    /// `None` when the store refused the token. That matters only while the store does not respond.
    principal: Option<Arc<KnownPrincipal>>,
    /// When the store said so.
    kept_at: Timestamp,
}

impl Known {
    /// Whether it is not older than this. A value from the future means that the clock was set back, so its age is unknown.
    fn is_fresh(&self, max_age_seconds: u32, now: Timestamp) -> bool {
        self.kept_at <= now && now < self.kept_at.plus_seconds(max_age_seconds)
    }
}

/// What a write takes away.
#[derive(Debug, Clone)]
pub enum Revocation {
    Token(TokenHash),
    /// All tokens of this owner: a user or the back office.
    Of(TokenKind),
}

/// What the process remembers of a token, regardless of its age.
#[derive(Debug, Clone)]
pub(crate) enum Remembered {
    /// The token was good.
    Good(Arc<KnownPrincipal>),
    /// The token was revoked or expired, or its user was disabled.
    Refused,
}

impl TenantState for PrincipalCache {
    fn new(served: &ServedTenant, _: &TenantSettings) -> Self {
        let limits = &served.shared.limits;
        Self::new(limits.principal_max_age_seconds).when_away(limits.principal_max_age_when_away_seconds)
    }
}

impl PrincipalCache {
    /// An empty cache. Its principals are at most this old.
    pub fn new(max_age_seconds: u32) -> Self {
        Self {
            max_age_seconds,
            max_age_when_away_seconds: max_age_seconds,
            known: OnceLock::new(),
            revocations: AtomicU64::new(0),
            request_counts: UserRequestCounts::default(),
        }
    }

    /// The same cache with another age for the time while the database is away.
    #[must_use]
    pub(crate) fn when_away(self, max_age_seconds: u32) -> Self {
        Self { max_age_when_away_seconds: max_age_seconds, ..self }
    }

    /// Removes principals that are too old for every request.
    fn known(&self) -> &Cache<TokenHash, Known> {
        self.known.get_or_init(|| {
            let max_age = Duration::from_secs(self.longest_age_seconds().into());
            let cache = Cache::builder().max_capacity(MAX_PRINCIPALS).time_to_live(max_age);
            cache.eviction_policy(EvictionPolicy::lru()).build()
        })
    }

    /// Who sent the token, as remembered.
    pub(crate) fn get(&self, hash: &TokenHash, now: Timestamp) -> Option<Arc<KnownPrincipal>> {
        let known = self.known().get(hash).filter(|known| known.is_fresh(self.max_age_seconds, now))?;
        known.principal.filter(|principal| is_unexpired_at(&principal.principal, now))
    }

    /// What is remembered of a token for as long as the store cannot be asked.
    pub(crate) fn remembered(&self, hash: &TokenHash, now: Timestamp) -> Option<Remembered> {
        let known = self.known().get(hash).filter(|known| known.is_fresh(self.longest_age_seconds(), now))?;
        let good = known.principal.filter(|principal| is_unexpired_at(&principal.principal, now));
        Some(good.map_or(Remembered::Refused, Remembered::Good))
    }

    fn longest_age_seconds(&self) -> u32 {
        self.max_age_seconds.max(self.max_age_when_away_seconds)
    }

    /// The count for [`Self::keep`].
    pub(crate) fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::SeqCst)
    }

    /// Remembers what the store returned while the count of revocations was `read_at`. Ages follow the time of the tenant, `now`,
    /// but requests are counted by the real time. It stores the principal first and then
    /// checks the count. So either this function or [`Self::forget`] removes a principal that was revoked meanwhile.
    pub(crate) fn keep(
        &self,
        hash: TokenHash,
        principal: Principal,
        now: Timestamp,
        real_now: Timestamp,
        read_at: u64,
    ) -> Arc<KnownPrincipal> {
        let requests = match &principal.kind {
            TokenKind::Customer(user) => Some(self.request_counts.of(user, real_now)),
            TokenKind::SuperUser => None,
        };
        let principal = Arc::new(KnownPrincipal { principal, requests });
        self.known().insert(hash, Known { principal: Some(principal.clone()), kept_at: now });
        // Either this sees the revocation, or `refuse_owner` sees the principal.
        fence(Ordering::SeqCst);
        if self.revocations() != read_at {
            self.known().invalidate(&hash);
        }
        principal
    }

    /// Remembers that the store refused a token which it knows.
    pub(crate) fn refuse(&self, hash: TokenHash, now: Timestamp) {
        self.known().insert(hash, Known { principal: None, kept_at: now });
    }

    /// Runs a write that revokes tokens, and forgets them. The write goes on when the caller stops waiting. The cache forgets
    /// the tokens before the write and again after it ends, even after a failure. Only so is it certain that no request in
    /// between remembers a token for longer than it was valid.
    pub async fn revoking<T: Send + 'static>(
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

    /// Forgets what a write revoked. The cache asks the store again, and refuses the tokens while the store does not respond.
    pub fn forget(&self, revocation: &Revocation, now: Timestamp) {
        self.revocations.fetch_add(1, Ordering::SeqCst);
        match revocation {
            Revocation::Token(hash) => self.refuse(*hash, now),
            Revocation::Of(owner) => self.refuse_owner(owner),
        }
    }

    fn refuse_owner(&self, owner: &TokenKind) {
        fence(Ordering::SeqCst);
        for (hash, known) in self.known() {
            if known.principal.is_some_and(|known| known.principal.kind == *owner) {
                self.refuse(*hash, known.kept_at);
            }
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
