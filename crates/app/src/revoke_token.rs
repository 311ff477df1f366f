//! Revoking access tokens: at once in this process, within the cache's age in others.

use pointbook_domain::{Timestamp, TokenHash, UserId};

use crate::{ServedTenant, StoreResult};

/// Revokes one token; false when there is none or it was revoked before.
///
/// # Errors
/// When the store fails.
pub async fn revoke_token(tenant: &ServedTenant, hash: &TokenHash, now: Timestamp) -> StoreResult<bool> {
    let revoked = tenant.data.revoke_token(hash, now).await?;
    tenant.principals.forget(hash);
    Ok(revoked)
}

/// Revokes all tokens of a user; gives how many were good before.
///
/// # Errors
/// When the store fails.
pub async fn revoke_user_tokens(tenant: &ServedTenant, user: &UserId, now: Timestamp) -> StoreResult<usize> {
    let revoked = tenant.data.revoke_user_tokens(user, now).await?;
    // Also those that another process revoked just before, which the store no longer counts.
    tenant.principals.forget_all();
    Ok(revoked.len())
}
