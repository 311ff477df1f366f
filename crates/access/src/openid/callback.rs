//! The parameters with which the issuer sends the browser back.

use url::form_urlencoded;

use crate::openid::OpenIdError;
use crate::openid::attempt::{Attempt, is_same};

/// The longest value that is read, in bytes. Codes of known issuers have some hundred bytes.
const MAX_VALUE_BYTES: usize = 4_096;

/// The parameters of a callback, as the browser sent them. All of them are unproven.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Callback {
    pub(crate) code: Option<String>,
    state: Option<String>,
    pub(crate) iss: Option<String>,
    pub(crate) error: Option<String>,
}

/// Whether the query has a parameter of a callback.
pub fn is_callback_query(query: &str) -> bool {
    let mut names = form_urlencoded::parse(query.as_bytes());
    names.any(|(name, _)| ["code", "state", "error"].contains(&&*name))
}

impl Callback {
    /// Reads the query of the callback. Ignores parameters that it does not know.
    ///
    /// # Errors
    /// [`OpenIdError::Callback`] for a parameter that is there twice, or is too long.
    pub fn parse(query: &str) -> Result<Self, OpenIdError> {
        let mut callback = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let field = match &*name {
                "code" => &mut callback.code,
                "state" => &mut callback.state,
                "iss" => &mut callback.iss,
                "error" => &mut callback.error,
                _ => continue,
            };
            if field.is_some() || value.len() > MAX_VALUE_BYTES {
                return Err(OpenIdError::Callback);
            }
            *field = Some(value.into_owned());
        }
        Ok(callback)
    }

    /// Refuses the callback of another attempt.
    pub(crate) fn check_state(&self, attempt: &Attempt) -> Result<(), OpenIdError> {
        let sent = self.state.as_deref().unwrap_or_default();
        if is_same(sent, &attempt.state()) { Ok(()) } else { Err(OpenIdError::State) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_is_there_once() {
        let text = |value: &str| Some(value.to_owned());
        let read = Callback::parse("code=a%20b&state=s&iss=https%3A%2F%2Fi&next=//evil.example").unwrap();
        assert_eq!(
            read,
            Callback { code: text("a b"), state: text("s"), iss: text("https://i"), error: None }
        );
        for bad in ["code=a&code=a", "state=s&code=a&state=s", "iss=&iss=", "error=a&error=b"] {
            assert_eq!(Callback::parse(bad), Err(OpenIdError::Callback), "{bad}");
        }
        assert!(Callback::parse(&format!("code={}", "a".repeat(MAX_VALUE_BYTES))).is_ok());
        assert!(Callback::parse(&format!("code={}", "a".repeat(MAX_VALUE_BYTES + 1))).is_err());
    }

    #[test]
    fn only_the_state_of_the_attempt_is_good() {
        let attempt = Attempt::new([1; 32], "acme", 0);
        let other = Attempt::new([2; 32], "acme", 0);
        let check = |state: Option<String>| Callback { state, ..Callback::default() }.check_state(&attempt);
        assert_eq!(check(Some(attempt.state())), Ok(()));
        for bad in [None, Some(String::new()), Some(other.state()), Some(attempt.state()[1..].to_owned())] {
            assert_eq!(check(bad), Err(OpenIdError::State));
        }
    }

    #[test]
    fn a_callback_has_one_of_its_parameters() {
        assert!(["state=", "code=a", "x=1&error=e"].into_iter().all(is_callback_query));
        assert!(!["", "x=code", "from=2026-01-01"].into_iter().any(is_callback_query));
    }
}
