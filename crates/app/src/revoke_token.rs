//! Revoking access tokens: at once in this process, within the cache's age in others. It goes on when
//! the caller gives up.

use pointbook_domain::{Timestamp, TokenHash, UserId};

use crate::principal_cache::Revocation;
use crate::{ServedTenant, StoreResult};

/// Revokes one token; false when there is none or it was revoked before.
///
/// # Errors
/// When the store fails.
pub async fn revoke_token(tenant: &ServedTenant, hash: &TokenHash, now: Timestamp) -> StoreResult<bool> {
    let (data, hash) = (tenant.data.clone(), *hash);
    let write = async move { data.revoke_token(&hash, now).await };
    tenant.principals.revoking(Revocation::Token(hash), write).await
}

/// Revokes all tokens of a user; gives how many were good before, and none for an unknown user.
///
/// # Errors
/// When the store fails.
pub async fn revoke_user_tokens(
    tenant: &ServedTenant,
    user: &UserId,
    now: Timestamp,
) -> StoreResult<Option<usize>> {
    if tenant.data.user(user).await?.is_none() {
        return Ok(None);
    }
    let (data, user) = (tenant.data.clone(), user.clone());
    let write = async move { data.revoke_user_tokens(&user, now).await };
    // Also those that another process revoked just before, which the store no longer counts.
    Ok(Some(tenant.principals.revoking(Revocation::Unnamed, write).await?.len()))
}
