use pointbook_domain::{Timestamp, TokenHash, TokenId, TokenKind, TokenRecord};
use sha2::{Digest, Sha256};

use super::rows::{read_all, read_one};
use super::{StoreResult, TenantData};
use crate::schema::rows_of_service::TokenOfUser;
use crate::schema::texts::FIND_TOKEN;
use crate::schema::{Comparison, Query};

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
impl dyn TenantData + '_ {
    /// The token with this hash, also when it is expired or revoked.
    pub async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        let query = Query::of_text::<TokenOfUser>(&FIND_TOKEN, &(hash,));
        let found: Option<TokenOfUser> = read_one(self, query).await?;
        let found = found.map(|TokenOfUser { record, disabled_at }| FoundToken {
            record,
            user_disabled: disabled_at.is_some(),
        });
        Ok(found)
    }

    /// At most `limit` tokens whose hash is above `after`, in the order of their hashes, expired and revoked ones
    /// included.
    pub async fn tokens_after(
        &self,
        filter: &TokenFilter,
        after: Option<&TokenHash>,
        limit: u32,
    ) -> StoreResult<Vec<TokenRecord>> {
        read_all(self, filter.query().after(after).limit(limit)).await
    }

    /// Removes at most `limit` tokens that expired, or were revoked, before this time; gives how many it removed.
    pub async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        let mut removed = 0;
        for ended in ended_tokens(ended_before) {
            removed += self.remove_some(&ended.limit(limit.saturating_sub(removed))).await?;
        }
        Ok(removed)
    }
}

/// The tokens that expired before this time, and those that were revoked before it. Each of the two has an index.
pub fn ended_tokens(before: Timestamp) -> [Query; 2] {
    ["expires_at", "revoked_at"].map(|ended_at| {
        Query::of::<TokenRecord>("remove_ended_tokens", &[ended_at]).compared(
            ended_at,
            Comparison::Below,
            &before,
        )
    })
}

pub fn token_hash(text: &[u8]) -> TokenHash {
    TokenHash(Sha256::digest(text).into())
}
