//! The changes that commands note.

use data_encoding::HEXLOWER;
use pointbook_domain::NewAuditEntry;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::audit_log::actor::{Actor, Author};

/// A change of one object.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeNote {
    /// A noun and a verb, such as `product.change`.
    operation: &'static str,
    /// A noun and an id, such as `product:mug`.
    object: String,
    before: Option<Map<String, Value>>,
    after: Option<Map<String, Value>>,
    reason: Option<String>,
}

/// The notes of the command that decides now. `None` when the audit log leaves the command out.
#[derive(Debug, Default)]
pub struct Notes(Option<Vec<ChangeNote>>);

impl Notes {
    /// Collects notes from now on, or not.
    pub fn begin(is_audited: bool) -> Self {
        Self(is_audited.then(Vec::new))
    }

    /// Adds a note. Makes it only when the audit log has the command.
    pub fn add(&mut self, note: impl FnOnce() -> ChangeNote) {
        if let Self(Some(notes)) = self {
            notes.push(note());
        }
    }

    /// The entries of the notes, as changes of this author.
    pub fn into_entries(self, author: &Author) -> impl Iterator<Item = NewAuditEntry> {
        self.0.into_iter().flatten().map(|note| note.into_entry(author))
    }
}

/// Fields of members whose values stay out of the log. An entry only says that they were set.
const PRIVATE: [&str; 1] = ["birth_date"];

impl ChangeNote {
    /// The change of an object from some fields to others. It keeps the fields that differ. Without fields before, the object is
    /// new; without fields after, it was removed.
    pub fn new(
        operation: &'static str,
        object: impl Into<String>,
        before: Option<Map<String, Value>>,
        after: Option<Map<String, Value>>,
    ) -> Self {
        let (before, after) = match (before, after) {
            (Some(before), Some(after)) => (Some(part(&before, &after)), Some(part(&after, &before))),
            (before, after) => (before.map(without_nulls), after.map(without_nulls)),
        };
        let (before, after) = (before.map(hide_private), after.map(hide_private));
        Self { operation, object: object.into(), before, after, reason: None }
    }

    /// An event with facts about it.
    pub fn of_event(operation: &'static str, object: impl Into<String>, facts: Value) -> Self {
        let Value::Object(facts) = facts else { return Self::new(operation, object, None, None) };
        Self::new(operation, object, None, Some(facts))
    }

    #[must_use]
    pub fn because(self, reason: &str) -> Self {
        Self { reason: Some(reason.to_owned()), ..self }
    }

    pub fn into_entry(self, author: &Author) -> NewAuditEntry {
        let Self { operation, object, before, after, reason } = self;
        let Author { actor, origin, at } = author;
        let label = match actor {
            Actor::Key { label, .. } => label.as_ref().map(|label| label.as_str().to_owned()),
            Actor::Operator { email, .. } => Some(email.to_string()),
            Actor::CommandLine => origin.system_user.as_deref().map(str::to_owned),
            Actor::Customer(_) | Actor::Job(_) => None,
        };
        NewAuditEntry {
            at: *at,
            actor: actor.to_string(),
            actor_label: label,
            operation: operation.to_owned(),
            object,
            before: before.map(bounded),
            after: after.map(bounded),
            reason,
            request_id: origin.request_id.as_deref().map(str::to_owned),
            address: origin.address.map(|address| address.to_string()),
        }
    }
}

/// The most bytes of the fields before or after a change. Entries stay for a year, so what is larger is told as a digest.
pub const MAX_FIELDS_BYTES: usize = 16 * 1024;

fn bounded(fields: Map<String, Value>) -> String {
    let count = fields.len();
    let text = Value::Object(fields).to_string();
    if text.len() > MAX_FIELDS_BYTES {
        Value::Object(digest_fields("fields", count, &text)).to_string()
    } else {
        text
    }
}

/// Stands for the text of something large: how many parts it has, its bytes and their SHA-256.
pub fn digest_fields(parts: &str, count: usize, text: &str) -> Map<String, Value> {
    let sha256 = HEXLOWER.encode(&Sha256::digest(text));
    let fields = [(parts, count.into()), ("bytes", text.len().into()), ("sha256", sha256.into())];
    fields.map(|(name, value): (&str, Value)| (name.to_owned(), value)).into_iter().collect()
}

/// The fields whose values differ from those of `other`.
fn part(fields: &Map<String, Value>, other: &Map<String, Value>) -> Map<String, Value> {
    let is_other = |(name, value): &(&String, &Value)| other.get(*name).unwrap_or(&Value::Null) != *value;
    fields.iter().filter(is_other).map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn without_nulls(fields: Map<String, Value>) -> Map<String, Value> {
    fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

fn hide_private(mut fields: Map<String, Value>) -> Map<String, Value> {
    for name in PRIVATE {
        if let Some(value) = fields.get_mut(name).filter(|value| !value.is_null()) {
            *value = "set".into();
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::audit_log::actor::Origin;

    fn fields(value: &Value) -> Option<Map<String, Value>> {
        value.as_object().cloned()
    }

    fn entry(before: &Value, after: &Value) -> (Option<String>, Option<String>) {
        let author = Author {
            actor: Actor::CommandLine,
            origin: Origin { system_user: Some("ops".into()), ..Origin::default() },
            at: Timestamp::from_micros(1).unwrap(),
        };
        let note = ChangeNote::new("user.change", "user:u1", fields(before), fields(after));
        let entry = note.into_entry(&author);
        assert_eq!((entry.actor.as_str(), entry.actor_label.as_deref()), ("command-line", Some("ops")));
        (entry.before, entry.after)
    }

    #[test]
    fn an_entry_has_the_fields_that_differ() {
        let (before, after) =
            entry(&json!({"a": 1, "b": 2, "c": null, "d": 4}), &json!({"a": 1, "b": 3, "c": 5, "d": null}));
        assert_eq!(before.unwrap(), r#"{"b":2,"c":null,"d":4}"#);
        assert_eq!(after.unwrap(), r#"{"b":3,"c":5,"d":null}"#);
    }

    #[test]
    fn a_new_object_has_its_fields_that_are_set() {
        assert_eq!(entry(&Value::Null, &json!({"a": 1, "b": null})), (None, Some(r#"{"a":1}"#.to_owned())));
        assert_eq!(entry(&json!({"a": 1, "b": null}), &Value::Null), (Some(r#"{"a":1}"#.to_owned()), None));
    }

    #[test]
    fn large_fields_are_told_as_a_digest() {
        let long = "x".repeat(MAX_FIELDS_BYTES);
        let (before, after) = entry(&json!({"a": "small"}), &json!({"a": long}));
        assert_eq!(before.unwrap(), r#"{"a":"small"}"#);
        let text = format!(r#"{{"a":"{long}"}}"#);
        let sha256 = HEXLOWER.encode(&Sha256::digest(&text));
        assert_eq!(after.unwrap(), json!({"fields": 1, "bytes": text.len(), "sha256": sha256}).to_string());
    }

    #[test]
    fn a_birth_date_is_not_in_the_log() {
        let (before, after) =
            entry(&json!({"birth_date": "1990-01-01"}), &json!({"birth_date": "1991-02-02"}));
        assert_eq!(before.unwrap(), r#"{"birth_date":"set"}"#);
        assert_eq!(after.unwrap(), r#"{"birth_date":"set"}"#);
        let (_, removed) = entry(&json!({"birth_date": "1990-01-01"}), &json!({"birth_date": null}));
        assert_eq!(removed.unwrap(), r#"{"birth_date":null}"#);
    }
}
