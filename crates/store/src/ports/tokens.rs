use async_trait::async_trait;
use pointbook_domain::{Timestamp, TokenHash, TokenId, TokenKind, TokenRecord};
use sha2::{Digest, Sha256};

use super::rows::read_all;
use super::{RowStore, StoreResult};
use crate::schema::Query;

/// A stored token and whether its user is shut out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundToken {
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
    /// The tenant has as many keys as it may have; nothing was stored.
    TooManyKeys,
}

/// Which tokens a list has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenFilter {
    All,
    /// Those of a user, or of the back office.
    Of(TokenKind),
    WithId(TokenId),
}

impl TokenFilter {
    /// The tokens of the list, by their hashes.
    pub fn query(&self) -> Query {
        let tokens = Query::of::<TokenRecord>("tokens_after", &["hash"]);
        match self {
            Self::All => tokens,
            Self::Of(TokenKind::Customer(user)) => tokens.equal("user_id", Some(user)),
            Self::Of(TokenKind::SuperUser) => tokens.null("user_id", Some(true)),
            Self::WithId(id) => {
                let [first, last] = id.hashes();
                tokens.between("hash", [&first, &last])
            }
        }
    }
}

/// The access tokens of one tenant.
#[async_trait]
pub trait TokenStore: RowStore {
    /// The token with this hash, also when it is expired or revoked.
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>>;

    /// At most `limit` tokens whose hash is above `after`, in the order of their hashes, expired and revoked ones
    /// included.
    async fn tokens_after(
        &self,
        filter: &TokenFilter,
        after: Option<&TokenHash>,
        limit: u32,
    ) -> StoreResult<Vec<TokenRecord>> {
        read_all(self, filter.query().after(after).limit(limit)).await
    }

    /// Removes at most `limit` tokens that expired, or were revoked, before this time; gives how many it removed.
    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32>;
}

pub fn token_hash(text: &[u8]) -> TokenHash {
    TokenHash(Sha256::digest(text).into())
}
