use async_trait::async_trait;
use pointbook_domain::{Timestamp, TokenHash, TokenRecord, UserId};

use super::{Execution, Once, StoreResult};

/// A stored token and whether its user is shut out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundToken {
    /// The token.
    pub record: TokenRecord,
    /// Whether the token's user is disabled; false for a super-user token.
    pub user_disabled: bool,
}

/// What became of a token that was to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertTokenOutcome {
    /// It is good from now on.
    Stored,
    /// Its user is shut out; nothing was stored.
    UserDisabled,
}

/// The access tokens of one tenant.
#[async_trait]
pub trait TokenStore {
    /// Stores a token, in place of one with the same hash. Creates its user when unknown. A user who
    /// is shut out gets none.
    async fn insert_token_once(
        &self,
        token: &TokenRecord,
        once: Option<Once<InsertTokenOutcome>>,
    ) -> StoreResult<Execution<InsertTokenOutcome>>;

    /// [`Self::insert_token_once`] without a key.
    async fn insert_token(&self, token: &TokenRecord) -> StoreResult<InsertTokenOutcome> {
        self.insert_token_once(token, None).await?.without_key()
    }

    /// The token with this hash, also when it is expired or revoked.
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>>;

    /// Revokes a token; false when there is none or it was revoked before.
    async fn revoke_token(&self, hash: &TokenHash, at: Timestamp) -> StoreResult<bool>;

    /// Revokes all of a user's tokens; gives those that were good before.
    async fn revoke_user_tokens(&self, user: &UserId, at: Timestamp) -> StoreResult<Vec<TokenHash>>;
}
