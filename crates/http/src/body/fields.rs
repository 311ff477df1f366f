//! The fields of one object, read one by one in their documented order.

use std::collections::BTreeSet;

use pointbook_domain::FieldChange;
use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::json::Json;

use super::WHOLE;
use super::read::{Read, Reader, Value};
use crate::describe::{Field, Schema, optional, required};

/// What stands for every number with a fraction in [`BodyFields::take`], because [`Json`] does not keep its digits.
pub const ANY_FRACTION: f64 = 0.5;

/// The members of an object, and the errors so far. A field that the operation did not read is unknown.
///
/// The same function that reads a body describes it ([`schema_of`]), so it must read every field whatever the others are.
pub struct BodyFields<'b> {
    members: &'b [(String, Json)],
    /// The prefix of every name: empty, or the key of the object and a dot.
    prefix: String,
    known: Vec<&'static str>,
    /// Whether another reader takes all members.
    is_taken: bool,
    errors: FieldErrors,
    /// The fields that were read, when the body is described.
    described: Option<&'b mut Vec<Field>>,
}

/// The schema of the object that this function reads.
pub fn schema_of<T>(read: impl FnOnce(BodyFields<'_>) -> Read<T>) -> Schema {
    let mut fields = Vec::new();
    let described = Some(&mut fields);
    drop(read(BodyFields { described, ..BodyFields::new(&[], FieldErrors::default()) }));
    Schema::closed(fields)
}

impl<'b> BodyFields<'b> {
    /// The fields of an object, with errors of its request that come first.
    pub fn new(members: &'b [(String, Json)], errors: FieldErrors) -> Self {
        Self { members, prefix: String::new(), known: Vec::new(), is_taken: false, errors, described: None }
    }

    pub(super) fn within(members: &'b [(String, Json)], key: &str) -> Self {
        Self { prefix: format!("{key}."), ..Self::new(members, FieldErrors::default()) }
    }

    /// Reads a required field. `None` when it was refused.
    pub fn required<R: Reader>(&mut self, name: &'static str, reader: R) -> Option<R::Item> {
        self.describe(|| required(name, reader.schema()));
        match self.find(name).filter(|value| **value != Json::Null) {
            None if !self.errors.has(&self.key(name)) => {
                self.refuse(name, Rule::REQUIRED);
                None
            }
            found => self.read(name, found?, reader),
        }
    }

    /// Reads an optional field. Null means absent. `None` when it is absent or was refused.
    pub fn optional<R: Reader>(&mut self, name: &'static str, reader: R) -> Option<R::Item> {
        self.describe(|| optional(name, reader.schema().or_null()));
        let found = self.find(name).filter(|value| **value != Json::Null)?;
        self.read(name, found, reader)
    }

    /// Reads a field that null clears. An absent field keeps its value.
    pub fn nullable<R: Reader>(&mut self, name: &'static str, reader: R) -> FieldChange<R::Item> {
        self.describe(|| optional(name, reader.schema().or_null()));
        match self.find(name) {
            None => FieldChange::Keep,
            Some(Json::Null) => FieldChange::Set(None),
            Some(found) => {
                self.read(name, found, reader).map_or(FieldChange::Keep, |new| FieldChange::Set(Some(new)))
            }
        }
    }

    /// Reads a field that may be absent, but not null. `None` when it is absent or was refused.
    pub fn not_null<R: Reader>(&mut self, name: &'static str, reader: R) -> Option<R::Item> {
        self.describe(|| optional(name, reader.schema()));
        let found = self.find(name)?;
        self.read(name, found, reader)
    }

    /// Reads a string of the request outside of its body, under this field name. `None` when it was refused. A member of the
    /// body with that name is still unknown.
    pub fn beside<R: Reader>(&mut self, name: &str, text: String, reader: R) -> Option<R::Item> {
        self.read(name, &Json::Text(text), reader)
    }

    /// Whether the field is present and not null.
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(known, value)| known == name && *value != Json::Null)
    }

    /// Refuses a field by the rule that it breaks.
    pub fn refuse(&mut self, name: &'static str, rule: Rule) {
        let key = self.key(name);
        self.errors.refuse(&key, rule);
    }

    /// Refuses a member of a field whose name the sender chose.
    pub fn refuse_entry(&mut self, name: &str, entry: &str, code: FieldCode, words: &str) {
        let key = self.key(name);
        self.errors.refuse_entry(&key, entry, code, words);
    }

    /// All members as one value, for a reader that names its own faults. A repeated member is refused here.
    pub fn take(&mut self) -> serde_json::Value {
        self.is_taken = true;
        let mut seen = BTreeSet::new();
        for (name, _) in self.members {
            if !seen.insert(name) {
                let key = format!("{}{name}", self.prefix);
                self.errors.refuse(&key, Rule::new(FieldCode::DuplicateField, "field stands twice"));
            }
        }
        let members = self.members.iter().map(|(name, value)| (name.clone(), to_value(value)));
        serde_json::Value::Object(members.collect())
    }

    /// Refuses a member that another reader does not know, by its whole key.
    pub fn refuse_unknown(&mut self, key: &str) {
        self.errors.refuse_unknown("", key);
    }

    /// Refuses a field by its whole key, of which the message makes words.
    pub fn refuse_key(&mut self, key: &str, rule: Rule) {
        self.errors.refuse(key, rule);
    }

    /// The item, when nothing was refused. Call it last, after reading every known field.
    pub fn finish<T>(mut self, item: impl FnOnce() -> Option<T>) -> Result<T, FieldErrors> {
        for (name, _) in self.members {
            if !self.is_taken && !self.known.iter().any(|known| known == name) {
                self.errors.refuse_unknown(&self.prefix, name);
            }
        }
        if self.errors.is_empty()
            && let Some(item) = item()
        {
            return Ok(item);
        }
        if self.errors.is_empty() {
            self.errors.refuse(WHOLE, Rule::new(FieldCode::Required, "is incomplete"));
        }
        Err(self.errors)
    }

    /// The value of a field. `None` when it is absent, or repeated, which is an error.
    fn find(&mut self, name: &'static str) -> Option<&'b Json> {
        self.known.push(name);
        let mut values = self.members.iter().filter(|(known, _)| known == name).map(|(_, value)| value);
        let (value, again) = (values.next(), values.next());
        if again.is_some() {
            self.refuse(name, Rule::new(FieldCode::DuplicateField, "field stands twice"));
            return None;
        }
        value
    }

    fn read<R: Reader>(&mut self, name: &str, json: &Json, reader: R) -> Option<R::Item> {
        let key = self.key(name);
        reader.read(Value { json, key: &key }).map_err(|errors| self.errors.extend(errors)).ok()
    }

    fn describe(&mut self, field: impl FnOnce() -> Field) {
        if let Some(described) = &mut self.described {
            described.push(field());
        }
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}

/// A number with a fraction becomes one that no field takes.
fn to_value(json: &Json) -> serde_json::Value {
    match json {
        Json::Null => serde_json::Value::Null,
        Json::Bool(value) => (*value).into(),
        Json::Integer(number) => (*number).into(),
        Json::Fraction => ANY_FRACTION.into(),
        Json::Text(text) => text.as_str().into(),
        Json::List(items) => items.iter().map(to_value).collect(),
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), to_value(value)));
            serde_json::Value::Object(members.collect())
        }
    }
}
