//! Revokes access tokens: at once in this process, and in other instances within the age of their caches. The write goes on when
//! the caller stops waiting.

use pointbook_domain::{Timestamp, TokenHash, TokenId, TokenKind, TokenRecord, UserId};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::TokenFilter;
use pointbook_store::schema::rows::UserRow;
use pointbook_store::{Context, StoreResult};
use serde_json::json;

use crate::tokens::issue::{list_tokens, unrevoked_of};
use crate::tokens::principal_cache::{PrincipalCache, Revocation};

/// Revokes a token. False when no such token is active.
pub struct RevokeToken {
    pub hash: TokenHash,
    /// A customer who signs out waits in the customer's own lane, not behind imports of the back office.
    pub customer: Option<UserId>,
    pub at: Timestamp,
}

impl Command for RevokeToken {
    type Outcome = bool;

    const NAME: &'static str = "revoke_token";

    fn lane(&self) -> Lane {
        self.customer.clone().map_or(Lane::BackOffice, Lane::User)
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<TokenRecord>(&self.hash);
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let unrevoked = facts.get::<TokenRecord>(&self.hash)?.filter(|token| token.revoked_at.is_none());
        let Some(token) = unrevoked.cloned() else { return Ok(false) };
        facts.put(TokenRecord { revoked_at: Some(self.at), ..token })?;
        facts.note(|| self.note());
        Ok(true)
    }
}

impl RevokeToken {
    fn note(&self) -> ChangeNote {
        let id = self.hash.id();
        match &self.customer {
            Some(user) => ChangeNote::of_event(
                "token.revoke",
                format!("token:{id}"),
                json!({ "user_id": user.as_str() }),
            ),
            None => ChangeNote::new("key.revoke", format!("key:{id}"), None, None),
        }
    }
}

/// Revokes all tokens of a user or of the back office. Returns those that were active.
pub struct RevokeTokensOf {
    pub owner: TokenKind,
    pub at: Timestamp,
}

impl Command for RevokeTokensOf {
    type Outcome = Vec<TokenHash>;

    const NAME: &'static str = "revoke_tokens_of";

    fn needs(&self, needs: &mut Needs) {
        // No other token is issued to the customer meanwhile.
        if let TokenKind::Customer(user) = &self.owner {
            needs.row::<UserRow>(user);
        }
        needs.rows::<TokenRecord>(unrevoked_of(&self.owner));
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<TokenHash>, CommandError> {
        let unrevoked: Vec<TokenRecord> =
            facts.rows(&unrevoked_of(&self.owner))?.into_iter().cloned().collect();
        let is_good = |token: &&TokenRecord| token.is_good_at(self.at);
        let revoked: Vec<TokenHash> = unrevoked.iter().filter(is_good).map(|token| token.hash).collect();
        for token in unrevoked {
            facts.put(TokenRecord { revoked_at: Some(self.at), ..token })?;
        }
        match &self.owner {
            TokenKind::Customer(_) if revoked.is_empty() => {}
            TokenKind::Customer(user) => facts.note(|| {
                let tokens = json!({ "tokens": revoked.len() });
                ChangeNote::of_event("user.sign_out", format!("user:{user}"), tokens)
            }),
            TokenKind::SuperUser => revoked.iter().for_each(|hash| {
                facts.note(|| ChangeNote::new("key.revoke", format!("key:{}", hash.id()), None, None));
            }),
        }
        Ok(revoked)
    }
}

/// Revokes one token. False when no such token is active.
pub async fn revoke_token(context: &Context, hash: TokenHash) -> StoreResult<bool> {
    let (own, at) = (context.clone(), context.now);
    let write = async move {
        let found = own.tenant.data.find_token(&hash).await?;
        let customer = found.and_then(|found| found.record.kind.user().cloned());
        own.write(RevokeToken { hash, customer, at }).await
    };
    context.tenant.state::<PrincipalCache>().revoking(Revocation::Token(hash), at, write).await
}

/// Revokes all tokens of a user. Returns how many were active, and `None` for an unknown user.
pub async fn revoke_user_tokens(context: &Context, user: &UserId) -> StoreResult<Option<usize>> {
    if context.tenant.data.user(user).await?.is_none() {
        return Ok(None);
    }
    revoke_tokens_of(context, TokenKind::Customer(user.clone())).await.map(Some)
}

/// Revokes all tokens of the back office. Returns how many were active.
pub async fn revoke_super_user_tokens(context: &Context) -> StoreResult<usize> {
    revoke_tokens_of(context, TokenKind::SuperUser).await
}

/// Revokes the token with this id. Returns how many were active: 0 or 1.
pub async fn revoke_token_with_id(context: &Context, id: TokenId) -> StoreResult<usize> {
    let mut revoked = 0;
    let tokens = list_tokens(&*context.tenant.data, &TokenFilter::WithId(id)).await?;
    for token in tokens.iter().filter(|token| token.is_good_at(context.now)) {
        revoked += usize::from(revoke_token(context, token.hash).await?);
    }
    Ok(revoked)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevokeKeyOutcome {
    Revoked,
    /// The tenant has no such active key. Tokens of customers do not count.
    Unknown,
    /// The key that asks was added by this key, or by one that this key added.
    OfMaker,
}

/// Revokes the active key with this id.
pub async fn revoke_key(context: &Context, id: TokenId) -> StoreResult<RevokeKeyOutcome> {
    let keys = list_tokens(&*context.tenant.data, &TokenFilter::Of(TokenKind::SuperUser)).await?;
    let Some(key) = keys.iter().find(|key| key.hash.id() == id && key.is_good_at(context.now)) else {
        return Ok(RevokeKeyOutcome::Unknown);
    };
    if makers(&keys, &context.actor.to_string()).any(|maker| maker == key_name(key)) {
        return Ok(RevokeKeyOutcome::OfMaker);
    }
    let was_active = revoke_token(context, key.hash).await?;
    Ok(if was_active { RevokeKeyOutcome::Revoked } else { RevokeKeyOutcome::Unknown })
}

/// Who added a key, who added that key, and so on.
fn makers<'k>(keys: &'k [TokenRecord], actor: &str) -> impl Iterator<Item = &'k str> {
    let maker_of = |name: &str| keys.iter().find(|key| key_name(key) == name)?.created_by.as_deref();
    std::iter::successors(maker_of(actor), move |maker| maker_of(maker)).take(keys.len())
}

/// How [`TokenRecord::created_by`] names a key.
fn key_name(key: &TokenRecord) -> String {
    format!("key:{}", key.hash.id())
}

async fn revoke_tokens_of(context: &Context, owner: TokenKind) -> StoreResult<usize> {
    let (own, revocation, at) = (context.clone(), Revocation::Of(owner.clone()), context.now);
    let write = async move { own.write(RevokeTokensOf { owner, at }).await };
    // Includes tokens that another instance revoked just before, which the store no longer counts.
    Ok(context.tenant.state::<PrincipalCache>().revoking(revocation, at, write).await?.len())
}
