//! Reading fields by the rules of the interface, and collecting what is wrong with them.

use std::ops::RangeInclusive;

use pointbook_describe::Schema;

use super::integer::parse_integer;
use super::members::{Members, NO_MEMBERS, Value, list_index};
use crate::error::FieldErrors;

/// The longest text value, in characters.
const MAX_TEXT_CHARS: usize = 255;

/// The most parts of one list. Each is looked for in every product, so that their number decides
/// how long one request may keep a core busy.
const MAX_LIST_ITEMS: usize = 20;

/// Reads one field after another. A field that is refused reads as absent; the errors come in the
/// order of reading.
#[derive(Default)]
pub(super) struct Fields {
    errors: FieldErrors,
}

impl Fields {
    /// What was read, unless a field was refused.
    pub(super) fn finish<T>(self, read: T) -> Result<T, FieldErrors> {
        if self.errors.is_empty() { Ok(read) } else { Err(self.errors) }
    }

    /// A parameter that only has members.
    pub(super) fn members<'m>(&mut self, value: Option<Value<'m>>, key: &str) -> Members<'m> {
        match value {
            Some(Value::Members(members)) => members,
            Some(Value::Scalar(_)) => {
                self.refuse(key, "must be an array");
                NO_MEMBERS
            }
            None => NO_MEMBERS,
        }
    }

    /// An integer within bounds.
    pub(super) fn integer(
        &mut self,
        value: Option<Value<'_>>,
        key: &str,
        bounds: RangeInclusive<i64>,
    ) -> Option<i64> {
        match value?.text().and_then(parse_integer) {
            None => self.refuse(key, "must be an integer"),
            Some(number) if number < *bounds.start() => {
                self.refuse(key, &format!("must be at least {}", bounds.start()));
            }
            Some(number) if number > *bounds.end() => {
                self.refuse(key, &format!("must not be greater than {}", bounds.end()));
            }
            within => return within,
        }
        None
    }

    /// A flag; absent is false.
    pub(super) fn flag(&mut self, value: Option<Value<'_>>, key: &str) -> bool {
        let Some(value) = value else { return false };
        match value.text() {
            Some(text) if text == "1" || text.eq_ignore_ascii_case("true") => true,
            Some(text) if text == "0" || text.eq_ignore_ascii_case("false") => false,
            _ => {
                self.refuse(key, "field must be true or false");
                false
            }
        }
    }

    pub(super) fn text<'v>(&mut self, value: Option<Value<'v>>, key: &str) -> Option<&'v str> {
        match value?.text() {
            None => self.refuse(key, "must be a string"),
            Some(text) if is_too_long(text) => self.refuse_length(key),
            text => return text,
        }
        None
    }

    /// What is read of the parts of a comma list, or of a list of comma lists: trimmed, without empty ones.
    /// None when no part is left. Parts count together, however they were given.
    pub(super) fn text_list<'v, T>(
        &mut self,
        value: Option<Value<'v>>,
        key: &str,
        read: impl Fn(&'v str) -> Option<T>,
    ) -> Option<Vec<T>> {
        let (mut list, mut count, mut is_any_too_long) = (Vec::new(), 0, false);
        for text in listed_texts(value?) {
            let Some(text) = text else {
                self.refuse(key, "must be a string");
                return None;
            };
            is_any_too_long |= is_too_long(text);
            for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                count += 1;
                list.extend(if count <= MAX_LIST_ITEMS { read(part) } else { None });
            }
        }
        if is_any_too_long {
            self.refuse_length(key);
            return None;
        }
        if count > MAX_LIST_ITEMS {
            self.refuse(key, &format!("must not have more than {MAX_LIST_ITEMS} items"));
            return None;
        }
        (count > 0).then_some(list)
    }

    /// Refuses every member of `filter` that an operation does not have.
    pub(super) fn only_filters(&mut self, filter: Members<'_>, known: &[&str]) {
        let is_known = |name: &[u8]| known.iter().any(|known| known.as_bytes() == name);
        for (name, _) in filter.iter().filter(|(name, _)| !is_known(name)) {
            self.refuse_filter(name);
        }
    }

    /// Refuses a member of `filter` that an operation does not have.
    pub(super) fn refuse_filter(&mut self, name: &[u8]) {
        self.refuse_choice(&format!("filter.{}", String::from_utf8_lossy(name)));
    }

    /// Refuses a value, or a name, that is none of those offered.
    pub(super) fn refuse_choice(&mut self, key: &str) {
        self.errors.refuse_choice(key);
    }

    fn refuse_length(&mut self, key: &str) {
        self.refuse(key, &format!("must not be greater than {MAX_TEXT_CHARS} characters"));
    }

    fn refuse(&mut self, key: &str, rule: &str) {
        self.errors.refuse(key, rule);
    }
}

fn is_too_long(text: &str) -> bool {
    text.len() > MAX_TEXT_CHARS && text.chars().count() > MAX_TEXT_CHARS
}

/// A text alone, or the texts of a list in its order; none for anything deeper, for named members
/// and for what is no UTF-8.
fn listed_texts<'v>(value: Value<'v>) -> impl Iterator<Item = Option<&'v str>> {
    let (alone, members) = match value {
        Value::Scalar(_) => (Some(value.text()), NO_MEMBERS),
        Value::Members(members) => (None, members),
    };
    let text = |(name, value): (&[u8], Value<'v>)| list_index(name).and_then(|_| value.text());
    alone.into_iter().chain(members.iter().map(text))
}

/// What one text looks like.
pub(super) fn text_schema() -> Schema {
    Schema::any_text_to(MAX_TEXT_CHARS)
}
