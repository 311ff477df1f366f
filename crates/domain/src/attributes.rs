//! The attributes of an activity: a small flat map of strings, such as `sku`, `store` or `channel`.
//!
//! Attributes are not part of the hash of a ledger row.

use std::fmt;

use crate::id::FormError;

/// The most attributes of an activity.
pub const MAX_ATTRIBUTES: usize = 16;
/// The longest name of an attribute, in characters.
pub const MAX_ATTRIBUTE_NAME_CHARS: usize = 32;
/// The longest value of an attribute, in characters.
pub const MAX_ATTRIBUTE_VALUE_CHARS: usize = 200;

const NAME_RULE: FormError = FormError("must have 1 to 32 characters of a-z, 0-9, _ and -");
const VALUE_RULE: FormError = FormError("must have 1 to 200 characters, and no U+0000");

/// At most [`MAX_ATTRIBUTES`] pairs of a name and a value, sorted by name. Each name is there once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Attributes(Vec<(String, String)>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributesError {
    TooMany,
    /// A name with a wrong form.
    Name(String, FormError),
    /// The name of a value with a wrong form.
    Value(String, FormError),
    /// A name that is there twice.
    Duplicate(String),
}

impl Attributes {
    pub const NONE: Self = Self(Vec::new());

    /// Takes pairs of a name and a value, in any order.
    ///
    /// # Errors
    /// [`AttributesError`] for the first broken rule.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, AttributesError> {
        let mut sorted = Vec::new();
        for (name, value) in pairs {
            if sorted.len() == MAX_ATTRIBUTES {
                return Err(AttributesError::TooMany);
            }
            Self::check_name(&name).map_err(|rule| AttributesError::Name(name.clone(), rule))?;
            Self::check_value(&value).map_err(|rule| AttributesError::Value(name.clone(), rule))?;
            sorted.push((name, value));
        }
        sorted.sort();
        let twice = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0);
        match twice {
            Some(pair) => Err(AttributesError::Duplicate(pair[0].0.clone())),
            None => Ok(Self(sorted)),
        }
    }

    /// Takes 1 to [`MAX_ATTRIBUTE_NAME_CHARS`] characters of `a-z`, `0-9`, `_` and `-`.
    ///
    /// # Errors
    /// [`FormError`] with the rule.
    pub fn check_name(name: &str) -> Result<(), FormError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        let fits = (1..=MAX_ATTRIBUTE_NAME_CHARS).contains(&name.len()) && name.bytes().all(allowed);
        fits.then_some(()).ok_or(NAME_RULE)
    }

    /// Takes 1 to [`MAX_ATTRIBUTE_VALUE_CHARS`] characters without U+0000.
    ///
    /// # Errors
    /// [`FormError`] with the rule.
    pub fn check_value(value: &str) -> Result<(), FormError> {
        let has_length = !value.is_empty() && value.chars().count() <= MAX_ATTRIBUTE_VALUE_CHARS;
        (has_length && !value.contains('\0')).then_some(()).ok_or(VALUE_RULE)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        // Names of other lengths differ at once, so for so few names this is faster than a binary search.
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for AttributesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(f, "must not have more than {MAX_ATTRIBUTES} names"),
            Self::Name(name, rule) => write!(f, "has the name {name:?}, which {rule}"),
            Self::Value(name, rule) => write!(f, "has a value of {name:?} that {rule}"),
            Self::Duplicate(name) => write!(f, "has the name {name:?} twice"),
        }
    }
}

impl std::error::Error for AttributesError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(pairs: &[(&str, &str)]) -> Result<Attributes, AttributesError> {
        Attributes::new(pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())))
    }

    #[test]
    fn attributes_are_sorted_by_name() {
        let found = attributes(&[("store", "tokyo"), ("sku", "A1"), ("channel", "app")]).unwrap();
        let names: Vec<_> = found.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["channel", "sku", "store"]);
        assert_eq!((found.get("sku"), found.get("content")), (Some("A1"), None));
        assert_eq!(Ok(found), attributes(&[("sku", "A1"), ("channel", "app"), ("store", "tokyo")]));
    }

    #[test]
    fn an_activity_has_at_most_16_attributes() {
        let pairs = |count: usize| (0..count).map(|number| (format!("n{number}"), "v".to_owned()));
        assert_eq!(Attributes::new(pairs(16)).unwrap().iter().count(), 16);
        assert_eq!(Attributes::new(pairs(17)), Err(AttributesError::TooMany));
        assert!(Attributes::new(pairs(0)).unwrap().is_empty());
    }

    #[test]
    fn a_name_is_a_short_lower_case_word() {
        assert!(attributes(&[("a-b_2", "v"), (&"a".repeat(32), "v")]).is_ok());
        for bad in ["", "Sku", "a b", "é", "a.b", &"a".repeat(33)] {
            let error = AttributesError::Name(bad.to_owned(), NAME_RULE);
            assert_eq!(attributes(&[(bad, "v")]), Err(error));
        }
    }

    #[test]
    fn a_value_has_1_to_200_characters() {
        assert!(attributes(&[("a", "あ".repeat(200).as_str()), ("b", " ")]).is_ok());
        for bad in ["", "a\0b", &"a".repeat(201)] {
            assert_eq!(attributes(&[("a", bad)]), Err(AttributesError::Value("a".to_owned(), VALUE_RULE)));
        }
    }

    #[test]
    fn a_name_is_there_once() {
        let error = attributes(&[("a", "1"), ("b", "2"), ("a", "1")]).unwrap_err();
        assert_eq!(error, AttributesError::Duplicate("a".to_owned()));
        assert_eq!(error.to_string(), "has the name \"a\" twice");
    }
}
