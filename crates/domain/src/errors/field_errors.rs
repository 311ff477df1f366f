//! The errors of parameters and fields, in the wording of the interface.

use serde::Serialize;

use crate::errors::{FieldCode, Rule};

/// The most messages of one response. Without a bound, a small body could cause a response many times its size.
const MAX_MESSAGES: usize = 1_000;

/// The most characters of a name from the request that a message repeats.
const MAX_SHOWN_CHARS: usize = 60;

/// Messages by field, in the documented order of the fields; at most 1,000.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FieldErrors {
    fields: Vec<(String, Vec<Problem>)>,
    messages: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Problem {
    code: FieldCode,
    message: String,
}

/// The codes of all messages, with the same fields in the same order.
#[derive(Debug)]
pub struct FieldCodes<'e>(&'e FieldErrors);

impl FieldErrors {
    pub fn one(key: &str, rule: Rule) -> Self {
        let mut errors = Self::default();
        errors.refuse(key, rule);
        errors
    }

    /// Adds the broken rule of a field.
    pub fn refuse(&mut self, key: &str, rule: Rule) {
        self.add(key, Problem { code: rule.code, message: rule.message(key) });
    }

    /// Adds what a member of a field breaks whose name the sender chose. It cuts long names.
    pub fn refuse_entry(&mut self, key: &str, name: &str, code: FieldCode, words: &str) {
        let shown: String = name.chars().take(MAX_SHOWN_CHARS).collect();
        let field = format!("{key}.{shown}");
        let message = format!("The {field} {words}.");
        self.add(&field, Problem { code, message });
    }

    /// Adds an unknown member below `prefix`. It cuts long names.
    pub fn refuse_unknown(&mut self, prefix: &str, name: &str) {
        let shown: String = name.chars().take(MAX_SHOWN_CHARS).collect();
        let field = format!("{prefix}{shown}");
        let message = format!("The {field} field is not known.");
        self.add(&field, Problem { code: FieldCode::UnknownField, message });
    }

    fn add(&mut self, field: &str, problem: Problem) {
        if self.messages == MAX_MESSAGES {
            return;
        }
        self.messages += 1;
        match self.fields.iter_mut().find(|(known, _)| known == field) {
            Some((_, problems)) => problems.push(problem),
            None => self.fields.push((field.to_owned(), vec![problem])),
        }
    }

    pub fn extend(&mut self, others: Self) {
        self.extend_within("", others);
    }

    /// Adds all of these errors, below a prefix that ends with a dot.
    pub fn extend_within(&mut self, prefix: &str, others: Self) {
        for (field, problems) in others.fields {
            let field = format!("{prefix}{field}");
            for problem in problems {
                self.add(&field, problem);
            }
        }
    }

    /// At most this many of its messages, from the first.
    #[must_use]
    pub fn first(mut self, max_messages: usize) -> Self {
        let mut room = max_messages;
        for (_, problems) in &mut self.fields {
            problems.truncate(room);
            room -= problems.len();
        }
        self.fields.retain(|(_, problems)| !problems.is_empty());
        self.messages = max_messages - room;
        self
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    pub fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|(known, _)| known == key)
    }

    /// Each message with its field, in order.
    pub fn messages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.problems().map(|(field, _, message)| (field, message))
    }

    /// Every problem in the order of [`Self::messages`]: its field, its code and its message.
    pub fn problems(&self) -> impl Iterator<Item = (&str, FieldCode, &str)> {
        self.fields.iter().flat_map(|(field, problems)| {
            problems.iter().map(move |problem| (field.as_str(), problem.code, problem.message.as_str()))
        })
    }

    pub fn codes(&self) -> FieldCodes<'_> {
        FieldCodes(self)
    }
}

impl Serialize for FieldErrors {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields.iter().map(|(field, problems)| (field, Messages(problems))))
    }
}

impl Serialize for FieldCodes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.fields.iter().map(|(field, problems)| (field, Codes(problems))))
    }
}

struct Messages<'p>(&'p [Problem]);

impl Serialize for Messages<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|problem| &problem.message))
    }
}

struct Codes<'p>(&'p [Problem]);

impl Serialize for Codes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|problem| problem.code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(words: &'static str) -> Rule {
        Rule::new(FieldCode::Zero, words)
    }

    #[test]
    fn messages_are_bounded_and_names_are_cut() {
        let mut errors = FieldErrors::default();
        for place in 0..2_000 {
            errors.refuse_unknown("", &format!("{place:0>100}"));
        }
        assert_eq!(errors.messages().count(), 1_000);
        assert_eq!(errors.messages().next().unwrap().0, "0".repeat(60));
    }

    #[test]
    fn the_first_messages_are_those_of_the_first_fields() {
        let mut errors = FieldErrors::one("a", broken("is bad"));
        errors.refuse("b", broken("is worse"));
        errors.refuse("a", broken("is ugly"));
        let told = |max| serde_json::to_string(&errors.clone().first(max)).unwrap();
        assert_eq!(told(0), "{}");
        assert_eq!(told(1), r#"{"a":["The a is bad."]}"#);
        assert_eq!(told(2), r#"{"a":["The a is bad.","The a is ugly."]}"#);
        assert_eq!(told(3), told(9));
        assert_eq!(errors.clone().first(9), errors);
    }

    #[test]
    fn errors_of_a_part_stand_below_it() {
        let mut errors = FieldErrors::one("mode", Rule::STRING);
        errors.extend_within("lines.3.", FieldErrors::one("regular_price", Rule::INTEGER));
        assert_eq!(
            serde_json::to_string(&errors).unwrap(),
            r#"{"mode":["The mode must be a string."],"lines.3.regular_price":["The regular price must be an integer."]}"#
        );
    }

    #[test]
    fn codes_have_the_keys_and_the_order_of_the_messages() {
        let mut errors = FieldErrors::one("product_id", Rule::choice(FieldCode::UnknownProduct));
        errors.refuse("product_id", Rule::sentence(FieldCode::SoldOut, "The selected product is sold out."));
        errors.refuse_unknown("", "colour");
        assert_eq!(
            serde_json::to_string(&errors).unwrap(),
            r#"{"product_id":["The selected product id is invalid.","The selected product is sold out."],"colour":["The colour field is not known."]}"#
        );
        assert_eq!(
            serde_json::to_string(&errors.codes()).unwrap(),
            r#"{"product_id":["unknown_product","sold_out"],"colour":["unknown_field"]}"#
        );
    }
}
