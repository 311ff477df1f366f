//! The token in the forms of a session, which pages of other sites cannot know.

use data_encoding::BASE64URL_NOPAD;
use pointbook_store::tenant_secret::TenantSecret;
use pointbook_store::token_hash::token_hash;

/// Separates this use of the tenant's secret from all others.
const PURPOSE: &[u8] = b"pointbook-form-token-1\n";

/// The token of all forms of the session with this token. It does not reveal the session.
pub fn form_token(secret: &TenantSecret, session: &[u8]) -> String {
    BASE64URL_NOPAD.encode(&secret.derive(&[PURPOSE, &token_hash(session).0[..]].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_session_of_each_tenant_has_another_token() {
        let token = |secret: u8, session: &[u8]| form_token(&TenantSecret::new([secret; 32]), session);
        assert_eq!(token(1, b"pb_a"), token(1, b"pb_a"));
        assert_ne!(token(1, b"pb_a"), token(2, b"pb_a"));
        assert_ne!(token(1, b"pb_a"), token(1, b"pb_b"));
    }
}
