//! Access tokens, of which only the SHA-256 is ever kept.

use std::fmt;

use crate::{Timestamp, UserId};

/// The SHA-256 of a token's text. Never the token.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(..)")
    }
}

/// Who a token speaks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// One user of the tenant.
    Customer(UserId),
    /// The tenant's back office.
    SuperUser,
}

/// A token as it is stored, in one tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    /// Its hash.
    pub hash: TokenHash,
    /// Who it speaks for.
    pub kind: TokenKind,
    /// When it was issued.
    pub created_at: Timestamp,
    /// From when on it is refused; none for a token without an end.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked; none while it is good.
    pub revoked_at: Option<Timestamp>,
}

impl TokenRecord {
    /// Whether it may still be used at `now`.
    pub fn is_good_at(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// The signed-in party of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Who it is.
    pub kind: TokenKind,
    /// From when on the token is refused.
    pub expires_at: Option<Timestamp>,
}
