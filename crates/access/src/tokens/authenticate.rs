//! Finds the sender of a bearer token.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pointbook_domain::{Principal, Scopes, TenantSettings, Timestamp, TokenHash, TokenKind, TokenRecord};
use pointbook_http::{Authenticating, Authenticator, KnownPrincipal};
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::{ServedTenant, StoreError, StoreResult, TenantState};
use subtle::ConstantTimeEq;
use tokio::time::timeout;

use crate::keys::uses::KeyUses;
use crate::tokens::issue::is_token_shape;
use crate::tokens::principal_cache::{PrincipalCache, Remembered};

/// The longest time between a failure of the store and the moment when the process knows that the database is away.
const KNOWN_AWAY_WITHIN: Duration = Duration::from_secs(2);

/// Whether the super-user tokens of a tenant were read after their last use.
#[derive(Default)]
pub struct SuperUsersRead(pub AtomicBool);

impl TenantState for SuperUsersRead {
    fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
        Self::default()
    }
}

/// Finds senders by the tokens in the database, and remembers them for a while.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tokens;

impl Authenticator for Tokens {
    fn remembered(&self, tenant: &ServedTenant, token: &[u8], now: Timestamp) -> Option<Arc<KnownPrincipal>> {
        tenant.state::<PrincipalCache>().get(&token_hash(token), now)
    }

    fn authenticate<'r>(
        &'r self,
        tenant: &'r ServedTenant,
        token: &'r [u8],
        now: Timestamp,
    ) -> Authenticating<'r> {
        Box::pin(authenticate(tenant, token, now))
    }
}

/// Returns the sender of this token. Returns `None` when the token is unknown, expired or revoked, or its user is disabled. The
/// caller cannot tell these cases apart.
///
/// While the database is away, remembered tokens stay valid for longer. Any other token is an error, because the process cannot
/// know whether it is valid.
///
/// # Errors
/// When the store fails, and the process does not remember the token.
pub async fn authenticate(
    tenant: &ServedTenant,
    token: &[u8],
    now: Timestamp,
) -> StoreResult<Option<Arc<KnownPrincipal>>> {
    let hash = token_hash(token);
    if let Some(known) = tenant.state::<PrincipalCache>().get(&hash, now) {
        return Ok(Some(known));
    }
    // A token that pointbook cannot have issued costs no database read.
    if !is_token_shape(token) {
        return Ok(None);
    }
    match tenant.state::<PrincipalCache>().remembered(&hash, now) {
        Some(remembered) => ask_or_remember(tenant, hash, remembered, now).await,
        None if tenant.health.is_away() => Err(StoreError::Unavailable(NOT_REMEMBERED.into())),
        None => ask(tenant, hash, now).await,
    }
}

const NOT_REMEMBERED: &str = "the database is away, and the token is not remembered";

/// Asks the store, unless the database is away or goes away meanwhile.
async fn ask_or_remember(
    tenant: &ServedTenant,
    hash: TokenHash,
    remembered: Remembered,
    now: Timestamp,
) -> StoreResult<Option<Arc<KnownPrincipal>>> {
    let asked = tokio::select! {
        biased;
        () = tenant.health.goes_away() => return Ok(remembered.into()),
        asked = ask(tenant, hash, now) => asked,
    };
    match asked {
        // The database may be away before any other call has noticed it.
        Err(StoreError::Unavailable(_) | StoreError::Overloaded)
            if timeout(KNOWN_AWAY_WITHIN, tenant.health.goes_away()).await.is_ok() =>
        {
            Ok(remembered.into())
        }
        Ok(None) => {
            tenant.state::<PrincipalCache>().refuse(hash, now);
            Ok(None)
        }
        asked => asked,
    }
}

async fn ask(
    tenant: &ServedTenant,
    hash: TokenHash,
    now: Timestamp,
) -> StoreResult<Option<Arc<KnownPrincipal>>> {
    let revocations = tenant.state::<PrincipalCache>().revocations();
    let Some(found) = tenant.data.find_token(&hash).await? else { return Ok(None) };
    let same: bool = found.record.hash.0.ct_eq(&hash.0).into();
    if !same {
        return Ok(None);
    }
    if !found.record.is_good_at(now) || found.user_disabled {
        // Another instance may have disabled the user or revoked the token.
        tenant.state::<PrincipalCache>().refuse(hash, now);
        return Ok(None);
    }
    if found.record.kind == TokenKind::SuperUser {
        tenant.state::<SuperUsersRead>().0.store(false, Ordering::Relaxed);
        tenant.state::<KeyUses>().note_key(&found.record, now);
    }
    let TokenRecord { kind, expires_at, label, scopes, networks, .. } = found.record;
    let (token_id, scopes) = (hash.id().to_string().into(), scopes.unwrap_or(Scopes::ALL));
    let principal = Principal { kind, expires_at, token_id, label, scopes, networks };
    let real_now = tenant.tenant.clock.to_real(now);
    Ok(Some(tenant.state::<PrincipalCache>().keep(hash, principal, now, real_now, revocations)))
}

impl From<Remembered> for Option<Arc<KnownPrincipal>> {
    fn from(remembered: Remembered) -> Self {
        match remembered {
            Remembered::Good(principal) => Some(principal),
            Remembered::Refused => None,
        }
    }
}
