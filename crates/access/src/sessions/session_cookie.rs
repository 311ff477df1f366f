//! The cookie of an operator's session: a token and a code that only the service can compute, so that a made-up cookie causes no
//! read.

use data_encoding::BASE64URL_NOPAD;
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::tenant_secret::TenantSecret;
use subtle::ConstantTimeEq;

use crate::tokens::issue::is_token_shape;

/// Separates this use of the tenant's secret from all others.
const SESSION_PURPOSE: &[u8] = b"pointbook-operator-session-1\n";

/// The value of the cookie for a session with this token.
pub fn signed_token(secret: &TenantSecret, token: &str) -> String {
    format!("{token}.{}", code(secret, token))
}

/// The token of a cookie. `None` when this service did not write the cookie for the tenant of the secret.
pub fn verified_token<'c>(secret: &TenantSecret, cookie: &'c str) -> Option<&'c str> {
    let (token, sent) = cookie.split_once('.')?;
    let is_genuine: bool = code(secret, token).as_bytes().ct_eq(sent.as_bytes()).into();
    (is_genuine && is_token_shape(token.as_bytes())).then_some(token)
}

fn code(secret: &TenantSecret, token: &str) -> String {
    BASE64URL_NOPAD.encode(&secret.derive(&[SESSION_PURPOSE, &token_hash(token.as_bytes()).0[..]].concat()))
}

/// Separates this use of the tenant's secret from all others.
const FORM_PURPOSE: &[u8] = b"pointbook-form-token-1\n";

/// The token of all forms of the session with this token. It does not reveal the session.
pub fn form_token(secret: &TenantSecret, session: &[u8]) -> String {
    BASE64URL_NOPAD.encode(&secret.derive(&[FORM_PURPOSE, &token_hash(session).0[..]].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::issue::token_text;

    #[test]
    fn only_the_service_writes_a_cookie() {
        let [own, other] = [1, 2].map(|byte| TenantSecret::new([byte; 32]));
        let [token, another] = [7, 8].map(|byte| token_text(&[byte; 32]));
        let cookie = signed_token(&own, &token);
        assert_eq!(verified_token(&own, &cookie), Some(&*token));
        let code = cookie.split_once('.').unwrap().1;
        for made_up in
            [&*token, "", ".", &format!("{token}."), &format!("{another}.{code}"), &format!("{cookie}x")]
        {
            assert_eq!(verified_token(&own, made_up), None, "{made_up}");
        }
        assert_eq!(verified_token(&other, &cookie), None);
    }

    #[test]
    fn each_session_of_each_tenant_has_another_token() {
        let token = |secret: u8, session: &[u8]| form_token(&TenantSecret::new([secret; 32]), session);
        assert_eq!(token(1, b"pb_a"), token(1, b"pb_a"));
        assert_ne!(token(1, b"pb_a"), token(2, b"pb_a"));
        assert_ne!(token(1, b"pb_a"), token(1, b"pb_b"));
    }
}
