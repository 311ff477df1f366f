//! Revoking access tokens: at once in this process, within the cache's age in others. It goes on when
//! the caller gives up.

use pointbook_domain::{Timestamp, TokenHash, TokenId, TokenKind, UserId};

use crate::commands::{Command, CommandError, Facts, Lane, Needs};
use crate::ports::TokenFilter;
use crate::principal_cache::Revocation;
use crate::{ServedTenant, StoreResult, list_tokens};

/// Revokes a token; false when there is none or it was revoked before.
pub(crate) struct RevokeToken {
    pub(crate) hash: TokenHash,
    /// Customers who log out wait for themselves, not for the imports of their back office.
    pub(crate) customer: Option<UserId>,
    pub(crate) at: Timestamp,
}

impl Command for RevokeToken {
    type Outcome = bool;

    const NAME: &'static str = "revoke_token";

    fn lane(&self) -> Lane {
        self.customer.clone().map_or(Lane::BackOffice, Lane::User)
    }

    fn needs(&self, _facts: &Facts, needs: &mut Needs) {
        needs.token(self.hash);
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        facts.revoke_token(self.hash, self.at)
    }
}

/// Revokes all tokens of a user, or of the back office; gives those that were good before.
pub(crate) struct RevokeTokensOf {
    pub(crate) owner: TokenKind,
    pub(crate) at: Timestamp,
}

impl Command for RevokeTokensOf {
    type Outcome = Vec<TokenHash>;

    const NAME: &'static str = "revoke_tokens_of";

    fn lane(&self) -> Lane {
        Lane::BackOffice
    }

    fn needs(&self, _facts: &Facts, needs: &mut Needs) {
        needs.tokens_of(&self.owner);
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<TokenHash>, CommandError> {
        facts.revoke_tokens_of(&self.owner, self.at)
    }
}

/// Revokes one token; false when there is none or it was revoked before.
///
/// # Errors
/// When the store fails.
pub async fn revoke_token(tenant: &ServedTenant, hash: &TokenHash, now: Timestamp) -> StoreResult<bool> {
    let (data, hash) = (tenant.data.clone(), *hash);
    let write = async move { data.revoke_token(&hash, now).await };
    tenant.principals.revoking(Revocation::Token(hash), now, write).await
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
    revoke_tokens_of(tenant, TokenKind::Customer(user.clone()), now).await.map(Some)
}

/// Revokes all tokens of the back office; gives how many were good before.
///
/// # Errors
/// When the store fails.
pub async fn revoke_super_user_tokens(tenant: &ServedTenant, now: Timestamp) -> StoreResult<usize> {
    revoke_tokens_of(tenant, TokenKind::SuperUser, now).await
}

/// Revokes the token with this id; gives how many were good before, which is 0 or 1.
///
/// # Errors
/// When the store fails.
pub async fn revoke_token_with_id(tenant: &ServedTenant, id: &TokenId, now: Timestamp) -> StoreResult<usize> {
    let mut revoked = 0;
    let tokens = list_tokens(&*tenant.data, &TokenFilter::WithId(*id)).await?;
    for token in tokens.iter().filter(|token| token.is_good_at(now)) {
        revoked += usize::from(revoke_token(tenant, &token.hash, now).await?);
    }
    Ok(revoked)
}

async fn revoke_tokens_of(tenant: &ServedTenant, owner: TokenKind, now: Timestamp) -> StoreResult<usize> {
    let (data, revocation) = (tenant.data.clone(), Revocation::Of(owner.clone()));
    let write = async move { data.revoke_tokens_of(&owner, now).await };
    // Also those that another process revoked just before, which the store no longer counts.
    Ok(tenant.principals.revoking(revocation, now, write).await?.len())
}
