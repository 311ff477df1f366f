//! What is wrong with parameters and fields, in the words of the interface.

use serde::Serialize;

/// How many messages are told. What a client may send in one body would else make an answer, and the
/// work for it, many times its size.
const MAX_MESSAGES: usize = 1_000;

/// How much of a name that came with the request is said back, in characters.
const MAX_SHOWN_CHARS: usize = 60;

/// Messages by field, in the order in which the fields are documented; at most 1,000 of them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FieldErrors {
    fields: Vec<(String, Vec<String>)>,
    messages: usize,
}

impl FieldErrors {
    pub fn one(key: &str, rule: &str) -> Self {
        let mut errors = Self::default();
        errors.refuse(key, rule);
        errors
    }

    pub fn add(&mut self, field: &str, message: String) {
        if self.messages == MAX_MESSAGES {
            return;
        }
        self.messages += 1;
        match self.fields.iter_mut().find(|(known, _)| known == field) {
            Some((_, messages)) => messages.push(message),
            None => self.fields.push((field.to_owned(), vec![message])),
        }
    }

    /// Adds that a field breaks a rule: `must be an integer`, `field is required`.
    pub fn refuse(&mut self, key: &str, rule: &str) {
        self.add(key, format!("The {} {rule}.", display_name(key)));
    }

    /// Adds that a value, or a name, is none of those offered.
    pub fn refuse_choice(&mut self, key: &str) {
        self.add(key, format!("The selected {} is invalid.", display_name(key)));
    }

    /// Adds that the name of a member below `prefix` is no field. Long names are cut.
    pub fn refuse_unknown(&mut self, prefix: &str, name: &str) {
        let shown: String = name.chars().take(MAX_SHOWN_CHARS).collect();
        self.add(&format!("{prefix}{shown}"), format!("The {prefix}{shown} field is not known."));
    }

    pub fn extend(&mut self, others: Self) {
        self.extend_within("", others);
    }

    /// Adds all of these, as fields below a prefix that ends with a dot.
    pub fn extend_within(&mut self, prefix: &str, others: Self) {
        for (field, messages) in others.fields {
            let field = format!("{prefix}{field}");
            for message in messages {
                self.add(&field, message);
            }
        }
    }

    /// At most this many of its messages, the first.
    #[must_use]
    pub fn first(mut self, max_messages: usize) -> Self {
        let mut room = max_messages;
        for (_, messages) in &mut self.fields {
            messages.truncate(room);
            room -= messages.len();
        }
        self.fields.retain(|(_, messages)| !messages.is_empty());
        self.messages = max_messages - room;
        self
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    pub fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|(known, _)| known == key)
    }

    pub fn entries(&self) -> &[(String, Vec<String>)] {
        &self.fields
    }
}

impl Serialize for FieldErrors {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields.iter().map(|(field, messages)| (field, messages)))
    }
}

/// A key as messages name it: `filter.minPrice` is `filter.min price`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_bounded_and_names_are_cut() {
        let mut errors = FieldErrors::default();
        for place in 0..2_000 {
            errors.refuse_unknown("", &format!("{place:0>100}"));
        }
        assert_eq!(errors.entries().iter().map(|(_, messages)| messages.len()).sum::<usize>(), 1_000);
        assert_eq!(errors.entries()[0].0, "0".repeat(60));
    }

    #[test]
    fn the_first_messages_are_those_of_the_first_fields() {
        let mut errors = FieldErrors::one("a", "is bad");
        errors.refuse("b", "is worse");
        errors.refuse("a", "is ugly");
        let told = |max| serde_json::to_string(&errors.clone().first(max)).unwrap();
        assert_eq!(told(0), "{}");
        assert_eq!(told(1), r#"{"a":["The a is bad."]}"#);
        assert_eq!(told(2), r#"{"a":["The a is bad.","The a is ugly."]}"#);
        assert_eq!(told(3), told(9));
        assert_eq!(errors.clone().first(9), errors);
    }

    #[test]
    fn errors_of_a_part_stand_below_it() {
        let mut errors = FieldErrors::one("mode", "must be a string");
        errors.extend_within("lines.3.", FieldErrors::one("regular_price", "must be an integer"));
        assert_eq!(
            serde_json::to_string(&errors).unwrap(),
            r#"{"mode":["The mode must be a string."],"lines.3.regular_price":["The regular price must be an integer."]}"#
        );
    }
}
