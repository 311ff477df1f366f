//! Who sent a request.

use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use http::request::Parts;
use pointbook_app::authenticate;
use pointbook_domain::{TokenKind, UserId};

use crate::{ApiError, RequestContext};

/// The user whose customer token came with the request. In handlers, it is what the guard of the
/// route found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// Who it is.
    pub user_id: UserId,
}

impl Customer {
    /// Finds the sender of a request.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`] for whatever is wrong with the header or the token, a
    /// super-user's included; [`ApiError::Store`] when the store fails.
    pub async fn authenticate(headers: &HeaderMap, context: &RequestContext) -> Result<Self, ApiError> {
        let token = bearer_token(headers).ok_or(ApiError::Unauthenticated)?;
        let principal = authenticate(&context.tenant, token, context.now).await?;
        match principal.as_ref().map(|principal| &principal.kind) {
            Some(TokenKind::Customer(user_id)) => Ok(Self { user_id: user_id.clone() }),
            Some(TokenKind::SuperUser) | None => Err(ApiError::Unauthenticated),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Customer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or(ApiError::Unauthenticated)
    }
}

/// The token of the only `Authorization` header, whose scheme is `Bearer` in any case.
fn bearer_token(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let value = value.as_bytes();
    let (scheme, token) = value.split_at(value.iter().position(|byte| *byte == b' ')?);
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer") && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn token(values: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_static(value));
        }
        bearer_token(&headers).map(|token| String::from_utf8(token.to_vec()).unwrap())
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
}
