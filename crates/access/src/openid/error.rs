//! Why a sign-in fails.

/// Why the issuer does not say who a person is. The display is a short class for logs and pages, without any text of the issuer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OpenIdError {
    /// A parameter of the callback is missing, repeated, or too long.
    #[error("callback")]
    Callback,
    /// The callback belongs to another attempt.
    #[error("state")]
    State,
    /// The attempt began more than [`crate::openid::ATTEMPT_SECONDS`] ago.
    #[error("expired")]
    Expired,
    /// The person, or the issuer for the person, refused.
    #[error("denied")]
    Denied,
    /// The issuer reports another error in the callback.
    #[error("refused")]
    Refused,
    /// The `iss` parameter of the callback names another issuer, or is missing although the metadata promises it (RFC 9207).
    #[error("callback.iss")]
    OtherIssuer,
    /// Too many sign-ins run at the moment, or began within this minute.
    #[error("busy")]
    Busy,
    /// The issuer did not answer in time, or there is no connection to it.
    #[error("unreachable")]
    Unreachable,
    /// The status of a response is not 200. Redirects are not followed.
    #[error("response.status")]
    Status,
    #[error("response.type")]
    MediaType,
    #[error("response.size")]
    TooLarge,
    /// The response is no JSON object, or repeats a member.
    #[error("response.json")]
    Json,
    #[error("metadata.issuer")]
    MetadataIssuer,
    /// An endpoint is missing, or is not an `https` URL.
    #[error("metadata.endpoint")]
    MetadataEndpoint,
    /// The issuer supports no way in which this client can authenticate, or no PKCE with SHA-256.
    #[error("metadata.method")]
    MetadataMethod,
    /// The token response has another type of token, or no ID token.
    #[error("token")]
    Token,
    /// The ID token is not three parts, or its payload is no JSON object, or repeats a member.
    #[error("id_token")]
    IdToken,
    #[error("id_token.iss")]
    ClaimIssuer,
    #[error("id_token.aud")]
    ClaimAudience,
    #[error("id_token.exp")]
    ClaimExpiry,
    #[error("id_token.iat")]
    ClaimIssuedAt,
    #[error("id_token.nonce")]
    ClaimNonce,
    #[error("id_token.sub")]
    ClaimSubject,
    #[error("id_token.email")]
    ClaimEmail,
    /// Only `true` is enough.
    #[error("id_token.email_verified")]
    ClaimEmailVerified,
}
