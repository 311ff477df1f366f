//! What is wrong with a definition.

use std::cell::RefCell;
use std::fmt;

/// The most faults that one parse reports. Without a bound, a small definition could cause a response many times its size.
pub const MAX_FAULTS: usize = 100;

use pointbook_domain::words;

use super::rule::FaultRule;

words! {
    /// The kind of a fault. A code is never renamed or reused. Later versions may add codes.
    pub FaultCode {
        Required = "required",
        UnknownField = "unknown_field",
        NotAString = "not_a_string",
        NotAnInteger = "not_an_integer",
        NotABoolean = "not_a_boolean",
        NotAnArray = "not_an_array",
        NotAnObject = "not_an_object",
        /// Neither a date nor a date-time of the form that the field needs.
        NotADate = "not_a_date",
        NotATimeOfDay = "not_a_time_of_day",
        /// An id, a name or a locale with a wrong form.
        WrongForm = "wrong_form",
        InvalidChoice = "invalid_choice",
        NulCharacter = "nul_character",
        Blank = "blank",
        TooLong = "too_long",
        TooFew = "too_few",
        TooMany = "too_many",
        OutOfRange = "out_of_range",
        DuplicateValue = "duplicate_value",
        /// Two fields that together can never match.
        Contradiction = "contradiction",
    }
}

/// A field that is wrong. It displays as the field and the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// With dots: `conditions.hours.0.from`. Empty for the whole definition.
    pub field: String,
    pub rule: FaultRule,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, rule } = self;
        let field = if field.is_empty() { "the definition" } else { field };
        write!(f, "{field} {rule}")
    }
}

impl std::error::Error for Fault {}

/// The faults found so far, in the order of the fields.
#[derive(Debug, Default)]
pub(super) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(super) fn add(&self, field: &str, rule: FaultRule) {
        let mut faults = self.0.borrow_mut();
        if faults.len() < MAX_FAULTS {
            faults.push(Fault { field: field.to_owned(), rule });
        }
    }

    pub(super) fn into_vec(self) -> Vec<Fault> {
        self.0.into_inner()
    }
}
