//! One value that is there, and the key that errors call it by.

use pointbook_app::json::Json;

use crate::error::FieldErrors;

/// A value of a field or of an item of a list; never a field that is absent.
#[derive(Debug, Clone, Copy)]
pub struct Value<'b> {
    /// The value as it was written.
    pub json: &'b Json,
    /// `points`, `bonus_breakdown.0.points`.
    pub key: &'b str,
}

impl Value<'_> {
    /// The refusal of this value, by the rule that it breaks: `must be an integer`.
    pub fn refused(&self, rule: &str) -> FieldErrors {
        FieldErrors::one(self.key, rule)
    }

    /// The refusal of a value that is none of those offered.
    pub fn refused_choice(&self) -> FieldErrors {
        let mut errors = FieldErrors::default();
        errors.refuse_choice(self.key);
        errors
    }
}
