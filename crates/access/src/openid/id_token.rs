//! The claims of an ID token that came from the token endpoint over TLS.

use data_encoding::BASE64URL_NOPAD;
use pointbook_domain::json::Json;

use crate::openid::OpenIdError;
use crate::openid::attempt::{ATTEMPT_SECONDS, SKEW_SECONDS, is_same};
use crate::openid::issuer::Issuer;
use crate::openid::members::Members;

/// The longest subject (OpenID Connect Core 1.0, section 2).
const MAX_SUBJECT_BYTES: usize = 255;

/// What an ID token must say.
pub(crate) struct Expected<'e> {
    pub(crate) issuer: &'e Issuer,
    pub(crate) client_id: &'e str,
    pub(crate) nonce: &'e str,
    pub(crate) now_seconds: i64,
}

/// A person, as the issuer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The issuer has verified that the person has this address. Any string that is not empty.
    pub email: String,
}

/// Reads and checks the claims. The signature is not checked, as the token came from the issuer itself.
pub(crate) fn read(token: &str, expected: &Expected<'_>) -> Result<Identity, OpenIdError> {
    let claims = claims(token).ok_or(OpenIdError::IdToken)?;
    if claims.text("iss") != Some(expected.issuer.as_str()) {
        return Err(OpenIdError::ClaimIssuer);
    }
    if !is_for(&claims, expected.client_id) {
        return Err(OpenIdError::ClaimAudience);
    }
    check_times(&claims, expected.now_seconds)?;
    if !claims.text("nonce").is_some_and(|nonce| is_same(nonce, expected.nonce)) {
        return Err(OpenIdError::ClaimNonce);
    }
    if claims.text("sub").is_none_or(|subject| subject.len() > MAX_SUBJECT_BYTES) {
        return Err(OpenIdError::ClaimSubject);
    }
    let email = claims.text("email").ok_or(OpenIdError::ClaimEmail)?;
    if !claims.is_true("email_verified") {
        return Err(OpenIdError::ClaimEmailVerified);
    }
    Ok(Identity { email: email.to_owned() })
}

/// The payload. `None` unless the token has three parts, and the first two are JSON objects.
fn claims(token: &str) -> Option<Members> {
    let parts: Vec<_> = token.splitn(4, '.').collect();
    let [header, payload, _] = parts.as_slice() else { return None };
    let object = |part: &str| Members::parse(&BASE64URL_NOPAD.decode(part.as_bytes()).ok()?);
    object(header)?;
    object(payload)
}

/// Whether the token is for this client. For several audiences, `azp` names the client that asked for the token.
fn is_for(claims: &Members, client_id: &str) -> bool {
    let is_ours = |value: &Json| matches!(value, Json::Text(text) if text == client_id);
    let azp = claims.get("azp");
    let is_authorized = azp.is_none_or(is_ours);
    match claims.get("aud") {
        Some(Json::List(audiences)) => {
            let is_single = audiences.len() == 1;
            audiences.iter().any(is_ours) && is_authorized && (is_single || azp.is_some())
        }
        Some(audience) => is_ours(audience) && is_authorized,
        None => false,
    }
}

/// A token is issued after the attempt began, and is used at once.
fn check_times(claims: &Members, now: i64) -> Result<(), OpenIdError> {
    let expires_at = claims.integer("exp").ok_or(OpenIdError::ClaimExpiry)?;
    if now >= expires_at.saturating_add(SKEW_SECONDS) {
        return Err(OpenIdError::ClaimExpiry);
    }
    let issued_at = claims.integer("iat").ok_or(OpenIdError::ClaimIssuedAt)?;
    let age = now.saturating_sub(issued_at);
    let is_new = (-SKEW_SECONDS..=i64::from(ATTEMPT_SECONDS) + SKEW_SECONDS).contains(&age);
    if is_new { Ok(()) } else { Err(OpenIdError::ClaimIssuedAt) }
}

#[cfg(test)]
mod tests;
