//! Who finds the sender of a token, and what is known of a sender.

use std::pin::Pin;
use std::sync::Arc;

use pointbook_domain::{Principal, Timestamp};
use pointbook_store::{ServedTenant, StoreResult};

use crate::rate_limit::counts::RequestCounts;

/// A search for the sender of a token.
pub type Authenticating<'r> =
    Pin<Box<dyn Future<Output = StoreResult<Option<Arc<KnownPrincipal>>>> + Send + 'r>>;

/// Finds the sender of a token. The guard of operations asks it, so that the edge does not know how tokens are kept.
pub trait Authenticator: Send + Sync {
    /// The sender of this token, when it is in memory and needs no search: most requests take only this way.
    fn remembered(&self, tenant: &ServedTenant, token: &[u8], now: Timestamp) -> Option<Arc<KnownPrincipal>>;

    /// The sender of this token. `None` when the token is unknown, expired or revoked, or its user is disabled: the caller cannot
    /// tell these cases apart.
    fn authenticate<'r>(
        &'r self,
        tenant: &'r ServedTenant,
        token: &'r [u8],
        now: Timestamp,
    ) -> Authenticating<'r>;
}

/// A principal, and what the process keeps in memory for it.
#[derive(Debug)]
pub struct KnownPrincipal {
    /// Who sent the token.
    pub principal: Principal,
    /// The user's requests of this minute, with any token. `None` for the back office.
    pub requests: Option<Arc<RequestCounts>>,
}
