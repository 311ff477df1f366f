//! Who sent a request.

use std::fmt;

use data_encoding::HEXLOWER;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use pointbook_domain::{Networks, Principal, Scopes, Timestamp, TokenHash, TokenKind, UserId};
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::{Actor, ServedTenant, StoreError};

use crate::authenticator::{Authenticator, KnownPrincipal};
use crate::kernel::{PrincipalSlot, only_header};
use crate::rate_limit::counts::RequestCounts;

/// How many idempotency keys of one customer are kept. A new key counts at most this many, so a customer with all of them costs
/// little.
pub const MAX_CUSTOMER_KEYS: u32 = 2_000;

/// The sender of a request with a valid token. In handlers, the guard has admitted it. The token is never logged.
pub struct Sender<'r> {
    known: &'r KnownPrincipal,
    authorization: &'r HeaderValue,
}

impl<'r> Sender<'r> {
    /// Finds the sender of a request, and puts it into the slot. `None` when the token is missing or no active token matches.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn authenticate(
        authenticator: &dyn Authenticator,
        headers: &'r HeaderMap,
        tenant: &ServedTenant,
        now: Timestamp,
        slot: &'r PrincipalSlot<KnownPrincipal>,
    ) -> Result<Option<Self>, StoreError> {
        let only = only_header(headers, &AUTHORIZATION).ok().flatten();
        let sent = only.and_then(|value| Some((value, bearer_token(value)?)));
        let Some((authorization, token)) = sent else { return Ok(None) };
        let known = match authenticator.remembered(tenant, token, now) {
            Some(known) => Some(known),
            None => authenticator.authenticate(tenant, token, now).await?,
        };
        Ok(known.map(|known| Self { known: slot.get_or_init(|| known), authorization }))
    }

    pub fn kind(&self) -> &TokenKind {
        &self.known.principal.kind
    }

    pub fn actor(&self) -> Actor {
        match self.kind() {
            TokenKind::Customer(user_id) => Actor::Customer(user_id.clone()),
            TokenKind::SuperUser => {
                let Principal { token_id, label, .. } = &self.known.principal;
                Actor::Key { id: token_id.clone(), label: label.clone() }
            }
        }
    }

    /// What a key may do.
    pub fn scopes(&self) -> Scopes {
        self.known.principal.scopes
    }

    /// The networks in which a key works.
    pub fn networks(&self) -> &Networks {
        &self.known.principal.networks
    }

    /// When the sender's token expires. `None` for never.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.known.principal.expires_at
    }

    /// The requests of a customer in this minute.
    pub fn requests(&self) -> Option<&RequestCounts> {
        self.known.requests.as_deref()
    }

    /// The token, to derive secrets from. It goes into no log and no response.
    pub fn token(&self) -> &[u8] {
        bearer_token(self.authorization).unwrap_or_default()
    }

    pub fn token_hash(&self) -> TokenHash {
        token_hash(self.token())
    }

    /// About how many idempotency keys of a customer are kept at a time. Without a bound, 120 writes a minute would make more
    /// than a million keys in 7 days. The back office has no bound.
    pub fn max_kept_keys(&self) -> Option<u32> {
        matches!(self.kind(), TokenKind::Customer(_)).then_some(MAX_CUSTOMER_KEYS)
    }

    /// The owner of the idempotency key: the user, for any of the user's tokens, or one key of the back office.
    pub fn key_owner(&self) -> String {
        match self.kind() {
            TokenKind::Customer(user_id) => key_owner_of(user_id),
            TokenKind::SuperUser => format!("super-user:{}", HEXLOWER.encode(&self.token_hash().0)),
        }
    }
}

/// The owner of the idempotency keys of a user, and of the bodies that the user sends.
pub fn key_owner_of(user_id: &UserId) -> String {
    format!("customer:{user_id}")
}

#[cfg(test)]
pub(crate) fn sender(kind: TokenKind) -> Sender<'static> {
    static AUTHORIZATION: HeaderValue = HeaderValue::from_static("Bearer abc");
    let principal = pointbook_domain::Principal::new(kind, None, "");
    let known = Box::leak(Box::new(KnownPrincipal { principal, requests: None }));
    Sender { known, authorization: &AUTHORIZATION }
}

impl fmt::Debug for Sender<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").field("kind", self.kind()).finish_non_exhaustive()
    }
}

const SCHEME: &[u8] = b"Bearer ";

fn bearer_token(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked(SCHEME.len())?;
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(SCHEME) && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(values: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_static(value));
        }
        let token = only_header(&headers, &AUTHORIZATION).ok().flatten().and_then(bearer_token);
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
