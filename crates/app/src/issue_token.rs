//! Issuing access tokens. The text is shown once; only its SHA-256 is kept.

use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenRecord};
use sha2::{Digest, Sha256};

use crate::ports::TenantData;
use crate::{SecretSource, StoreResult};

/// A token that was just issued.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedToken {
    /// The text a client sends; known only now.
    pub text: String,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// What an issued token's text begins with, so that scanners for leaked secrets can know it.
const TOKEN_PREFIX: &str = "pb_";

/// Issues a token of 256 random bits.
///
/// # Errors
/// When the store fails.
pub async fn issue_token(
    data: &dyn TenantData,
    kind: TokenKind,
    expires_in_seconds: Option<u32>,
    secrets: &dyn SecretSource,
    now: Timestamp,
) -> StoreResult<IssuedToken> {
    let secret = data_encoding::BASE64URL_NOPAD.encode(&secrets.secret());
    let text = format!("{TOKEN_PREFIX}{secret}");
    let expires_at = expires_in_seconds.map(|seconds| now.plus_seconds(seconds));
    keep_token(data, &text, kind, expires_at, now).await?;
    Ok(IssuedToken { text, expires_at })
}

/// Keeps the hash of a token whose text was chosen elsewhere; in place of a token of the same text.
///
/// # Errors
/// When the store fails.
pub async fn keep_token(
    data: &dyn TenantData,
    text: &str,
    kind: TokenKind,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> StoreResult<()> {
    let hash = token_hash(text.as_bytes());
    data.insert_token(&TokenRecord { hash, kind, created_at: now, expires_at, revoked_at: None }).await
}

/// The hash under which a token is kept.
pub fn token_hash(text: &[u8]) -> TokenHash {
    TokenHash(Sha256::digest(text).into())
}
