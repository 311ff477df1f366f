//! Who sent a request.

use std::fmt;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use pointbook_app::{ServedTenant, authenticate, token_hash};
use pointbook_domain::{Principal, Timestamp, TokenHash, TokenKind, UserId};

use crate::ApiError;

/// The party whose good token came with the request. In handlers, it is whom the guard of the route let
/// in; its token is shown nowhere.
pub struct Sender<'r> {
    principal: Arc<Principal>,
    authorization: &'r HeaderValue,
}

impl<'r> Sender<'r> {
    /// Finds the sender of a request.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`] for whatever is wrong with the header or the token;
    /// [`ApiError::Store`] when the store fails.
    pub async fn authenticate(
        headers: &'r HeaderMap,
        tenant: &ServedTenant,
        now: Timestamp,
    ) -> Result<Self, ApiError> {
        let sent = only_authorization(headers).and_then(|value| Some((value, bearer_token(value)?)));
        let Some((authorization, token)) = sent else { return Err(ApiError::Unauthenticated) };
        match authenticate(tenant, token, now).await? {
            Some(principal) => Ok(Self { principal, authorization }),
            None => Err(ApiError::Unauthenticated),
        }
    }

    /// Who the token speaks for.
    pub fn kind(&self) -> &TokenKind {
        &self.principal.kind
    }

    /// The user, when it is a customer.
    pub fn customer(&self) -> Option<&UserId> {
        match self.kind() {
            TokenKind::Customer(user_id) => Some(user_id),
            TokenKind::SuperUser => None,
        }
    }

    /// The token itself, to derive from. It goes into no log and no answer.
    pub fn token(&self) -> &[u8] {
        bearer_token(self.authorization).unwrap_or_default()
    }

    /// What the token is kept under.
    pub fn token_hash(&self) -> TokenHash {
        token_hash(self.token())
    }

    /// Whose idempotency keys come with the request: the user's, whichever token it was, or those of
    /// one token of the back office.
    pub fn key_owner(&self) -> String {
        match self.kind() {
            TokenKind::Customer(user_id) => format!("customer:{user_id}"),
            TokenKind::SuperUser => format!("super-user:{}", HEXLOWER.encode(&self.token_hash().0)),
        }
    }
}

#[cfg(test)]
pub(crate) fn sender(kind: TokenKind) -> Sender<'static> {
    static AUTHORIZATION: HeaderValue = HeaderValue::from_static("Bearer abc");
    let principal = Arc::new(Principal { kind, expires_at: None });
    Sender { principal, authorization: &AUTHORIZATION }
}

impl fmt::Debug for Sender<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").field("kind", self.kind()).finish_non_exhaustive()
    }
}

/// The value of the only `Authorization` header.
fn only_authorization(headers: &HeaderMap) -> Option<&HeaderValue> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    Some(value)
}

/// The token behind the scheme, which is `Bearer` in any case.
fn bearer_token(value: &HeaderValue) -> Option<&[u8]> {
    let value = value.as_bytes();
    let (scheme, token) = value.split_at(value.iter().position(|byte| *byte == b' ')?);
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer") && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(values: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_static(value));
        }
        let token = only_authorization(&headers).and_then(bearer_token);
        token.map(|token| String::from_utf8(token.to_vec()).unwrap())
    }

    #[test]
    fn a_bearer_token_comes_alone_and_its_scheme_in_any_case() {
        for good in ["Bearer abc", "bearer abc", "BEARER  abc "] {
            assert_eq!(token(&[good]).as_deref(), Some("abc"));
        }
        assert_eq!(token(&["Bearer abc", "Bearer abc"]), None);
    }

    #[test]
    fn anything_else_is_no_token() {
        for bad in ["", "Bearer", "Bearer ", "Bearer\tabc", "Basic abc", "abc", "Bearerabc", " "] {
            assert_eq!(token(&[bad]), None, "{bad:?}");
        }
        assert_eq!(token(&[]), None);
    }

    #[test]
    fn keys_belong_to_a_user_or_to_one_token_of_the_back_office() {
        let customer = sender(TokenKind::Customer(UserId::new("u:1").unwrap()));
        assert_eq!(customer.key_owner(), "customer:u:1");
        assert_eq!(
            sender(TokenKind::SuperUser).key_owner(),
            "super-user:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_sender_does_not_show_the_token() {
        assert_eq!(format!("{:?}", sender(TokenKind::SuperUser)), "Sender { kind: SuperUser, .. }");
    }
}
