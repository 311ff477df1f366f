//! Identifiers: strings that an operator or the service chose, compared by code point.

use std::fmt;

/// The longest identifier, in characters. A longer one is "not found".
pub const MAX_ID_CHARS: usize = 255;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdError {
    Empty,
    TooLong,
    /// The string contains U+0000, which PostgreSQL cannot store.
    Nul,
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("must not be empty"),
            Self::TooLong => write!(f, "must not be longer than {MAX_ID_CHARS} characters"),
            Self::Nul => f.write_str("must not contain U+0000"),
        }
    }
}

impl std::error::Error for IdError {}

fn check(text: &str) -> Result<(), IdError> {
    if text.is_empty() {
        return Err(IdError::Empty);
    }
    // A string has at least as many bytes as characters, so most strings need no count.
    if text.len() > MAX_ID_CHARS && text.chars().count() > MAX_ID_CHARS {
        return Err(IdError::TooLong);
    }
    if text.contains('\0') {
        return Err(IdError::Nul);
    }
    Ok(())
}

/// Whether an identifier has characters that nobody sees. Older versions took such ones. No write makes one any more.
pub fn has_control_characters(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// A string with a wrong form. It displays the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormError(pub &'static str);

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for FormError {}

macro_rules! shown_as_str {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// Types of strings with a form. Each constructor is beside the form. Clones share the string.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        crate::id::shown_as_str!($name);
    )*};
}

pub(crate) use {shown_as_str, texts};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        texts! {
            $(#[$doc])*
            $name;
        }

        impl $name {
            /// Takes a string of 1 to [`MAX_ID_CHARS`] characters without U+0000.
            ///
            /// # Errors
            /// [`IdError`] with the broken rule.
            pub fn new(text: impl Into<std::sync::Arc<str>>) -> Result<Self, IdError> {
                let text = text.into();
                check(&text)?;
                Ok(Self(text))
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    )*};
}

ids! {
    /// A tenant in one environment. The service makes the id and never shows it to clients.
    TenantId;
    /// A user of a tenant. The operator chooses the id.
    UserId;
    ProductId;
    CategoryId;
    /// A row of the ledger. The service makes the id.
    TransactionId;
    /// An operator of a tenant. The service makes the id.
    OperatorId;
    /// The cause of an activity in the operator's system: a code, an order, a quiz. With the user and the activity type, it is
    /// the business key that is recorded once, for ever.
    SourceId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_1_to_255_characters() {
        assert_eq!(ProductId::new(""), Err(IdError::Empty));
        assert!(ProductId::new("あ".repeat(255)).is_ok());
        assert_eq!(ProductId::new("あ".repeat(256)), Err(IdError::TooLong));
    }

    #[test]
    fn an_id_holds_any_character_but_nul() {
        assert!(ProductId::new("a/b ,%\u{1F600}").is_ok());
        assert_eq!(ProductId::new("a\0b"), Err(IdError::Nul));
    }

    #[test]
    fn ids_compare_by_code_point() {
        let sorted = ["Z", "a", "\u{e9}", "\u{ff21}", "\u{1F600}"];
        assert!(sorted.windows(2).all(|w| ProductId::new(w[0]).unwrap() < ProductId::new(w[1]).unwrap()));
    }
}
