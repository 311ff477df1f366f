//! Access tokens.

use std::collections::BTreeMap;

use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenRecord};
use pointbook_schema::rows::HeldToken;

use super::Facts;
use crate::commands::{Changes, CommandError};

/// A token that is not revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedToken {
    pub hash: TokenHash,
    /// When it expires; `None` for never.
    pub expires_at: Option<Timestamp>,
}

impl From<HeldToken> for OwnedToken {
    fn from(HeldToken { user_id: _, hash, expires_at }: HeldToken) -> Self {
        Self { hash, expires_at }
    }
}

#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// Whether there is such a token that is not revoked.
    known: BTreeMap<TokenHash, bool>,
    by_owner: BTreeMap<TokenKind, Vec<OwnedToken>>,
    stored: Vec<TokenRecord>,
    revoked: Vec<(TokenHash, Timestamp)>,
}

impl Tokens {
    pub(super) fn has(&self, hash: &TokenHash) -> bool {
        self.known.contains_key(hash)
    }

    pub(super) fn has_those_of(&self, owner: &TokenKind) -> bool {
        self.by_owner.contains_key(owner)
    }

    pub(super) fn add_changes(self, changes: &mut Changes) {
        (changes.tokens, changes.revoked_tokens) = (self.stored, self.revoked);
    }
}

impl Facts {
    /// A token; `None` when there is none with this hash, or it is revoked.
    pub fn put_token(&mut self, hash: TokenHash, token: Option<OwnedToken>) {
        self.tokens.known.entry(hash).or_insert(token.is_some());
    }

    /// The tokens of an owner that are not revoked.
    pub fn put_tokens_of(&mut self, owner: TokenKind, tokens: Vec<OwnedToken>) {
        self.tokens.by_owner.entry(owner).or_insert(tokens);
    }

    /// Stores a token in place of one with the same hash.
    pub fn store_token(&mut self, token: TokenRecord) {
        self.tokens.stored.push(token);
    }

    /// Revokes a token; false when there is none or it was revoked before.
    ///
    /// # Errors
    /// When the token was not loaded.
    pub fn revoke_token(&mut self, hash: TokenHash, at: Timestamp) -> Result<bool, CommandError> {
        let is_unrevoked =
            self.tokens.known.get_mut(&hash).ok_or_else(|| CommandError::not_loaded("tokens", "a hash"))?;
        if !std::mem::replace(is_unrevoked, false) {
            return Ok(false);
        }
        self.tokens.revoked.push((hash, at));
        Ok(true)
    }

    /// Revokes the tokens of an owner; gives those that were good before, by hash.
    ///
    /// # Errors
    /// When the tokens were not loaded.
    pub fn revoke_tokens_of(
        &mut self,
        owner: &TokenKind,
        at: Timestamp,
    ) -> Result<Vec<TokenHash>, CommandError> {
        let stored = self
            .tokens
            .by_owner
            .get_mut(owner)
            .ok_or_else(|| CommandError::not_loaded("tokens", "an owner"))?;
        let unrevoked = std::mem::take(stored);
        self.tokens.revoked.extend(unrevoked.iter().map(|token| (token.hash, at)));
        let is_good = |token: &OwnedToken| token.expires_at.is_none_or(|end| at < end);
        let mut were_good: Vec<_> = unrevoked.into_iter().filter(is_good).map(|token| token.hash).collect();
        were_good.sort_unstable();
        Ok(were_good)
    }
}
