//! Issuing access tokens. The text is shown once; only its SHA-256 is kept.

use hmac::{Hmac, KeyInit, Mac};
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenRecord};
use sha2::{Digest, Sha256};

use crate::ports::{Execution, InsertTokenOutcome, Once, RequestKey, TenantData};
use crate::{SecretSource, StoreError, StoreResult};

/// A token that was just issued.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedToken {
    /// The text a client sends; known only now.
    pub text: String,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// Why no token is issued.
#[derive(Debug, thiserror::Error)]
pub enum IssueTokenError {
    /// The user is shut out.
    #[error("the user is disabled")]
    UserDisabled,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What an issued token's text begins with, so that scanners for leaked secrets can know it.
const TOKEN_PREFIX: &str = "pb_";

/// What the derivation of a secret is for, so that no other use of the same key gives the same bytes.
const DERIVATION: &[u8] = b"pointbook-token-1\n";

/// Issues a token of 256 random bits.
///
/// # Errors
/// [`IssueTokenError`] for a user who is shut out, and when the store fails.
pub async fn issue_token(
    data: &dyn TenantData,
    kind: TokenKind,
    expires_in_seconds: Option<u32>,
    secrets: &dyn SecretSource,
    now: Timestamp,
) -> Result<IssuedToken, IssueTokenError> {
    let text = token_text(&secrets.secret());
    let expires_at = expires_in_seconds.map(|seconds| now.plus_seconds(seconds));
    match keep_token(data, &text, kind, expires_at, now).await? {
        InsertTokenOutcome::Stored => Ok(IssuedToken { text, expires_at }),
        InsertTokenOutcome::UserDisabled => Err(IssueTokenError::UserDisabled),
    }
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
) -> StoreResult<InsertTokenOutcome> {
    keep_token_once(data, text, kind, expires_at, now, None).await?.without_key()
}

/// [`keep_token`] for a request that may be sent again. Its answer must not hold the text: see
/// [`derived_secret`].
///
/// # Errors
/// When the store fails; then nothing was issued, or the request's key tells.
pub async fn keep_token_once(
    data: &dyn TenantData,
    text: &str,
    kind: TokenKind,
    expires_at: Option<Timestamp>,
    now: Timestamp,
    once: Option<Once<InsertTokenOutcome>>,
) -> StoreResult<Execution<InsertTokenOutcome>> {
    let hash = token_hash(text.as_bytes());
    let record = TokenRecord { hash, kind, created_at: now, expires_at, revoked_at: None };
    data.insert_token_once(&record, once).await
}

/// The text of a token with this secret.
pub fn token_text(secret: &[u8; 32]) -> String {
    format!("{TOKEN_PREFIX}{}", data_encoding::BASE64URL_NOPAD.encode(secret))
}

/// The secret of the token that a repeatable request issues: derived from the caller's own token and
/// the request, so that a replay can tell it again though it is stored nowhere. Who cannot make the
/// request cannot derive it.
pub fn derived_secret(caller_token: &[u8], key: &RequestKey, issued_at: Timestamp) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new(&derivation_key(caller_token).into());
    mac.update(&key.fingerprint);
    mac.update(&issued_at.as_micros().to_be_bytes());
    mac.update(key.key.as_bytes());
    mac.finalize().into_bytes().into()
}

/// A key as long as the block of SHA-256. It is not the hash that is kept, so that who reads the database
/// derives nothing.
fn derivation_key(caller_token: &[u8]) -> [u8; 64] {
    let mut key = [0; 64];
    let hash = Sha256::new().chain_update(DERIVATION).chain_update(caller_token).finalize();
    key.iter_mut().zip(hash).for_each(|(byte, of_hash)| *byte = of_hash);
    key
}

/// The hash under which a token is kept.
pub fn token_hash(text: &[u8]) -> TokenHash {
    TokenHash(Sha256::digest(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(caller: &str, key: &str, fingerprint: u8, micros: i64) -> [u8; 32] {
        let (principal, fingerprint) = (String::new(), [fingerprint; 32]);
        let key = RequestKey { principal, key: key.to_owned(), fingerprint };
        derived_secret(caller.as_bytes(), &key, Timestamp::from_micros(micros).unwrap())
    }

    #[test]
    fn the_same_request_has_the_same_secret_and_no_other_has_it() {
        let first = secret("caller", "key", 1, 5);
        assert_eq!(first, secret("caller", "key", 1, 5));
        let others = [
            ("other", "key", 1, 5),
            ("caller", "kez", 1, 5),
            ("caller", "key", 2, 5),
            ("caller", "key", 1, 6),
        ];
        for (caller, key, fingerprint, micros) in others {
            assert_ne!(first, secret(caller, key, fingerprint, micros));
        }
    }
}
