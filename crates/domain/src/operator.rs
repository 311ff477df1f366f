//! The people who work with a tenant in the console.

use std::sync::Arc;

use crate::id::{FormError, texts};
use crate::{OperatorId, Role, Timestamp};

texts! {
    /// The address under which an operator signs in: ASCII, in lower case. Two spellings of one address are equal.
    Email;
    /// The name of an operator: 1 to 255 characters without control characters, not only spaces.
    OperatorName;
}

const EMAIL_RULE: FormError = FormError(
    "an email address has one @ between a name and a host, at most 254 ASCII characters, and no spaces",
);
const NAME_RULE: FormError =
    FormError("a name has 1 to 255 characters, none of them a control character, and not only spaces");

/// The longest address that mail servers transport (RFC 5321, 4.5.3.1).
const MAX_EMAIL_BYTES: usize = 254;
const MAX_NAME_CHARS: usize = 255;

impl Email {
    /// Reads an address. Upper-case letters become lower-case letters.
    ///
    /// # Errors
    /// [`FormError`] when it is not an address.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let is_address = text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && is_host(host) && text.bytes().all(|byte| byte.is_ascii_graphic())
        });
        if !is_address || text.len() > MAX_EMAIL_BYTES {
            return Err(EMAIL_RULE);
        }
        Ok(Self(Arc::from(text.to_ascii_lowercase())))
    }
}

/// Whether these are labels with dots between them, such as `example.com` or `localhost`.
fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.split('.').all(is_label)
}

impl OperatorName {
    /// # Errors
    /// [`FormError`] when it is blank, too long or has control characters.
    pub fn new(text: impl Into<Arc<str>>) -> Result<Self, FormError> {
        let text = text.into();
        let is_name = !text.trim().is_empty()
            && text.chars().count() <= MAX_NAME_CHARS
            && !text.chars().any(char::is_control);
        if is_name { Ok(Self(text)) } else { Err(NAME_RULE) }
    }
}

/// A person with a role in one tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// No other operator of the tenant has it.
    pub email: Email,
    /// Names the operator in the audit log. An operator who is removed and added again gets another id.
    pub id: OperatorId,
    pub name: OperatorName,
    pub role: Role,
    pub created_at: Timestamp,
    /// Who added the operator, as the audit log names actors.
    pub created_by: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_is_kept_in_lower_case() {
        for (given, kept) in [
            ("Ada@Example.COM", "ada@example.com"),
            ("a.b+c@mail-1.example", "a.b+c@mail-1.example"),
            ("root@localhost", "root@localhost"),
        ] {
            assert_eq!(Email::parse(given).unwrap().as_str(), kept);
        }
    }

    #[test]
    fn what_is_no_email_address_is_refused() {
        let long = format!("{}@example.com", "a".repeat(243));
        let bad =
            ["", "ada", "@example.com", "ada@", "a@b@c", "a b@c", "a@b c", "a@.com", "a@b..c", "ä@b", "a@ä"];
        for bad in bad.into_iter().chain([long.as_str()]) {
            assert_eq!(Email::parse(bad), Err(EMAIL_RULE), "{bad:?}");
        }
        assert!(Email::parse(&long[1..]).is_ok());
    }

    #[test]
    fn a_name_has_letters_and_no_control_characters() {
        for good in ["Ada", "Ada Lovelace", "木村", &"あ".repeat(255)] {
            assert_eq!(OperatorName::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "  ", "a\nb", "a\0", &"あ".repeat(256)] {
            assert_eq!(OperatorName::new(bad), Err(NAME_RULE), "{bad:?}");
        }
    }
}
