//! Access tokens. The service stores only their SHA-256.

use std::fmt;
use std::sync::Arc;

use crate::hexadecimal::lower_hexadecimal;
use crate::id::{FormError, texts};
use crate::{Networks, Scopes, Timestamp, UserId};

/// The SHA-256 of a token. Never the token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(..)")
    }
}

impl TokenHash {
    /// The id under which people and logs know the token.
    pub fn id(&self) -> TokenId {
        let mut bytes = [0; ID_BYTES];
        bytes.iter_mut().zip(self.0).for_each(|(byte, of_hash)| *byte = of_hash);
        TokenId(bytes)
    }
}

/// How many bytes of the hash make the id. 80 random bits: two tokens of a tenant do not collide.
const ID_BYTES: usize = 10;

/// The public name of a token: the first ten bytes of its hash, as 20 lower-case hex digits. It does not help to guess the
/// token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId([u8; ID_BYTES]);

impl TokenId {
    /// Reads an id as it is displayed.
    ///
    /// # Errors
    /// [`FormError`] for any other string.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        lower_hexadecimal(text).map(Self).ok_or(ID_RULE)
    }

    /// The smallest and the largest hash of a token with this id.
    pub fn hashes(&self) -> [TokenHash; 2] {
        [u8::MIN, u8::MAX].map(|filler| {
            let mut hash = [filler; 32];
            hash.iter_mut().zip(self.0).for_each(|(byte, of_id)| *byte = of_id);
            TokenHash(hash)
        })
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

texts! {
    /// The label of a token: 1 to 255 characters without control characters.
    TokenLabel;
}

const ID_RULE: FormError = FormError("a token id has 20 characters of 0-9 and a-f");
const LABEL_RULE: FormError = FormError("a label has 1 to 255 characters, none of them a control character");

pub const MAX_LABEL_CHARS: usize = 255;

impl TokenLabel {
    /// # Errors
    /// [`FormError`] when it is empty, too long or has control characters.
    pub fn new(text: impl Into<std::sync::Arc<str>>) -> Result<Self, FormError> {
        let text = text.into();
        let is_label =
            (1..=MAX_LABEL_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        if is_label { Ok(Self(text)) } else { Err(LABEL_RULE) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    Customer(UserId),
    SuperUser,
}

impl TokenKind {
    pub fn user(&self) -> Option<&UserId> {
        match self {
            Self::Customer(user) => Some(user),
            Self::SuperUser => None,
        }
    }
}

/// A stored token of one tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    pub hash: TokenHash,
    pub kind: TokenKind,
    pub created_at: Timestamp,
    /// From this time on, the server refuses it. `None` for never.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked. `None` for an active token.
    pub revoked_at: Option<Timestamp>,
    pub label: Option<TokenLabel>,
    /// What a key of the back office may do; `None` for everything. Customers' tokens have none: the route table says what
    /// customers may do.
    pub scopes: Option<Scopes>,
    /// The networks in which a key works.
    pub networks: Networks,
    /// Who added a key: `key:` and its id, or `command-line`.
    pub created_by: Option<String>,
    /// The hour in which a key was last used.
    pub last_used_at: Option<Timestamp>,
}

impl TokenRecord {
    /// A token without label, end and bounds.
    pub fn new(hash: TokenHash, kind: TokenKind, created_at: Timestamp) -> Self {
        let (expires_at, revoked_at, label, created_by, last_used_at) = (None, None, None, None, None);
        let (scopes, networks) = (None, Networks::default());
        Self {
            hash,
            kind,
            created_at,
            expires_at,
            revoked_at,
            label,
            scopes,
            networks,
            created_by,
            last_used_at,
        }
    }

    pub fn is_good_at(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// The sender of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    pub kind: TokenKind,
    pub expires_at: Option<Timestamp>,
    /// The [`TokenId`] as text, made once, because the log has it for each request.
    pub token_id: Arc<str>,
    pub label: Option<TokenLabel>,
    /// What a key of the back office may do.
    pub scopes: Scopes,
    /// The networks in which a key works.
    pub networks: Networks,
}

impl Principal {
    /// A sender whose token has no label and no bounds.
    pub fn new(kind: TokenKind, expires_at: Option<Timestamp>, token_id: impl Into<Arc<str>>) -> Self {
        let (label, scopes, networks) = (None, Scopes::ALL, Networks::default());
        Self { kind, expires_at, token_id: token_id.into(), label, scopes, networks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_beginning_of_the_hash() {
        let mut hash = [0; 32];
        hash.iter_mut().zip(0xa0..).for_each(|(byte, number)| *byte = number);
        let hash = TokenHash(hash);
        assert_eq!(hash.id().to_string(), "a0a1a2a3a4a5a6a7a8a9");
        assert_eq!(TokenId::parse("a0a1a2a3a4a5a6a7a8a9"), Ok(hash.id()));
        let [first, last] = hash.id().hashes();
        assert!(first.0 < hash.0 && hash.0 < last.0);
        assert!(first.id() == hash.id() && last.id() == hash.id());
    }

    #[test]
    fn anything_else_is_no_id() {
        for bad in ["", "a0a1a2a3a4a5a6a7a8a", "A0A1A2A3A4A5A6A7A8A9", "+0a1a2a3a4a5a6a7a8a9", "ééééééééééé"]
        {
            assert_eq!(TokenId::parse(bad), Err(ID_RULE), "{bad}");
        }
    }

    #[test]
    fn a_label_is_one_line_of_bounded_length() {
        for good in ["CI", "é", &"x".repeat(255)] {
            assert_eq!(TokenLabel::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "a\nb", "\u{1b}[0m", &"x".repeat(256)] {
            assert_eq!(TokenLabel::new(bad), Err(LABEL_RULE), "{bad:?}");
        }
    }
}
