//! The rules of fields: the code for programs, and the message for people.

use std::borrow::Cow;
use std::fmt::Display;

use crate::errors::FieldCode;

/// A rule that a field breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub(crate) code: FieldCode,
    words: Words,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Words {
    /// Text after the name of the field: "must be an integer".
    AfterName(Cow<'static, str>),
    /// "The selected {field} is invalid."
    Selected,
    /// A whole sentence.
    Sentence(Cow<'static, str>),
}

impl Rule {
    pub const REQUIRED: Self = Self::constant(FieldCode::Required, "field is required");
    pub const STRING: Self = Self::constant(FieldCode::NotAString, "must be a string");
    pub const INTEGER: Self = Self::constant(FieldCode::NotAnInteger, "must be an integer");
    pub const BOOLEAN: Self = Self::constant(FieldCode::NotABoolean, "field must be true or false");
    pub const ARRAY: Self = Self::constant(FieldCode::NotAnArray, "must be an array");
    pub const OBJECT: Self = Self::constant(FieldCode::NotAnObject, "must be an object");
    pub const DATE_TIME: Self = Self::constant(
        FieldCode::NotADate,
        "must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z",
    );
    pub const DAY: Self = Self::constant(FieldCode::NotADate, "must be a date such as 1984-02-29");
    pub const DISTINCT: Self = Self::constant(FieldCode::DuplicateValue, "field has a duplicate value");
    pub const CHOICE: Self = Self::choice(FieldCode::InvalidChoice);
    pub const BALANCE_IN_RANGE: Self =
        Self::constant(FieldCode::BalanceOutOfRange, "would make the balance exceed its bounds");

    const fn constant(code: FieldCode, words: &'static str) -> Self {
        Self { code, words: Words::AfterName(Cow::Borrowed(words)) }
    }

    /// The text after the name of the field, without a period: `must not be 0`.
    pub fn new(code: FieldCode, words: impl Into<Cow<'static, str>>) -> Self {
        Self { code, words: Words::AfterName(words.into()) }
    }

    /// The value is not one of the allowed values.
    pub const fn choice(code: FieldCode) -> Self {
        Self { code, words: Words::Selected }
    }

    /// The text is the whole message, with its period.
    pub fn sentence(code: FieldCode, words: impl Into<Cow<'static, str>>) -> Self {
        Self { code, words: Words::Sentence(words.into()) }
    }

    pub fn at_least(min: impl Display) -> Self {
        Self::new(FieldCode::TooSmall, format!("must be at least {min}"))
    }

    pub fn at_most(max: impl Display) -> Self {
        Self::new(FieldCode::TooLarge, format!("must not be greater than {max}"))
    }

    pub fn at_most_chars(max: usize) -> Self {
        Self::new(FieldCode::TooLong, format!("must not be greater than {max} characters"))
    }

    pub fn at_most_items(max: usize) -> Self {
        Self::new(FieldCode::TooMany, format!("must not have more than {max} items"))
    }

    /// The message for a field of this key.
    pub(crate) fn message(self, key: &str) -> String {
        match self.words {
            Words::AfterName(words) => format!("The {} {words}.", display_name(key)),
            Words::Selected => format!("The selected {} is invalid.", display_name(key)),
            Words::Sentence(sentence) => sentence.into_owned(),
        }
    }
}

/// The name of a key in messages: `filter.minPrice` is `filter.min price`.
fn display_name(key: &str) -> String {
    let mut name = String::with_capacity(key.len() + 4);
    for character in key.chars() {
        match character {
            'A'..='Z' => name.extend([' ', character.to_ascii_lowercase()]),
            '_' => name.push(' '),
            _ => name.push(character),
        }
    }
    name
}
