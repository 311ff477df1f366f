//! One attempt to sign in: a secret that only the browser keeps, and what follows from it.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// How long an attempt lasts, in seconds.
pub const ATTEMPT_SECONDS: u32 = 600;

const STATE: &[u8] = b"pointbook-openid-state-1\n";
const NONCE: &[u8] = b"pointbook-openid-nonce-1\n";
const VERIFIER: &[u8] = b"pointbook-openid-verifier-1\n";
const ID: &[u8] = b"pointbook-openid-attempt-1\n";

/// One attempt. `state`, `nonce` and the PKCE verifier are keyed hashes, so none of them reveals the secret or another one.
pub struct Attempt {
    secret: [u8; 32],
    /// What the attempt is for. Another context has another `state`, so a browser cannot change it.
    context: String,
    began_at_seconds: i64,
}

impl Attempt {
    /// An attempt with a random secret. The time is that of the real clock.
    pub fn new(secret: [u8; 32], context: &str, began_at_seconds: i64) -> Self {
        Self { secret, context: context.to_owned(), began_at_seconds }
    }

    /// Identifies the attempt. It does not reveal the secret.
    pub fn id(&self) -> [u8; 32] {
        self.derive(ID)
    }

    pub(crate) fn state(&self) -> String {
        BASE64URL_NOPAD.encode(&self.derive(STATE))
    }

    pub(crate) fn nonce(&self) -> String {
        BASE64URL_NOPAD.encode(&self.derive(NONCE))
    }

    /// The PKCE verifier: 43 characters (RFC 7636, 4.1).
    pub(crate) fn verifier(&self) -> String {
        BASE64URL_NOPAD.encode(&self.derive(VERIFIER))
    }

    /// The hash of the verifier, for `S256`.
    pub(crate) fn challenge(&self) -> String {
        BASE64URL_NOPAD.encode(&Sha256::digest(self.verifier()))
    }

    pub(crate) fn is_live(&self, now_seconds: i64) -> bool {
        let age = now_seconds.saturating_sub(self.began_at_seconds);
        (-SKEW_SECONDS..i64::from(ATTEMPT_SECONDS)).contains(&age)
    }

    fn derive(&self, purpose: &[u8]) -> [u8; 32] {
        let mut key = [0; 64];
        key[..32].copy_from_slice(&self.secret);
        let mac = Hmac::<Sha256>::new(&key.into())
            .chain_update(purpose)
            .chain_update(self.began_at_seconds.to_be_bytes())
            .chain_update(&self.context);
        mac.finalize().into_bytes().into()
    }
}

/// How far the clocks of two machines may differ, in seconds.
pub(crate) const SKEW_SECONDS: i64 = 60;

/// Whether both are the same, in a time that does not depend on where they differ.
pub(crate) fn is_same(sent: &str, expected: &str) -> bool {
    sent.as_bytes().ct_eq(expected.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(attempt: &Attempt) -> [String; 4] {
        [attempt.state(), attempt.nonce(), attempt.verifier(), BASE64URL_NOPAD.encode(&attempt.id())]
    }

    #[test]
    fn no_value_of_an_attempt_is_one_of_another_attempt() {
        let attempts = [
            Attempt::new([1; 32], "acme", 1_000),
            Attempt::new([2; 32], "acme", 1_000),
            Attempt::new([1; 32], "acme.staging", 1_000),
            Attempt::new([1; 32], "acme", 1_001),
        ];
        let mut all: Vec<_> = attempts.iter().flat_map(values).collect();
        assert!(all.iter().all(|value| value.len() == 43));
        assert_eq!(values(&attempts[0]), values(&Attempt::new([1; 32], "acme", 1_000)));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 16);
    }

    /// The example of RFC 7636, appendix B, has the same relation between both.
    #[test]
    fn the_challenge_is_the_hash_of_the_verifier() {
        let hash = BASE64URL_NOPAD.encode(&Sha256::digest("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
        assert_eq!(hash, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        let attempt = Attempt::new([1; 32], "acme", 0);
        assert_eq!(attempt.challenge(), BASE64URL_NOPAD.encode(&Sha256::digest(attempt.verifier())));
    }

    #[test]
    fn an_attempt_lasts_ten_minutes() {
        let attempt = Attempt::new([1; 32], "acme", 1_000);
        for (now, is_live) in [(939, false), (940, true), (1_599, true), (1_600, false), (i64::MIN, false)] {
            assert_eq!(attempt.is_live(now), is_live, "{now}");
        }
    }
}
