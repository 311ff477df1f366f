//! A JSON Schema validator for the keywords in the OpenAPI document. It reports an unknown keyword as a problem.
//!
//! It is stricter than the standard in one point: an object may have only the members of its schema. Clients ignore new
//! members, but the developer who adds one must document it.

use std::collections::HashMap;

use regex_lite::Regex;
use serde_json::{Map, Value};

/// The schemas of one document.
#[derive(Debug)]
pub struct JsonSchemas {
    document: Value,
    patterns: HashMap<String, Regex>,
}

/// Keywords for people and generators, which do not restrict values.
const ANNOTATIONS: [&str; 8] = [
    "description",
    "readOnly",
    "default",
    "format",
    "example",
    "examples",
    "contentMediaType",
    "contentSchema",
];

impl JsonSchemas {
    /// The schemas of a document, which contains the targets of all references.
    ///
    /// # Panics
    /// When a pattern is not a valid regular expression.
    pub fn new(document: Value) -> Self {
        let mut patterns = HashMap::new();
        collect_patterns(&document, &mut patterns);
        Self { document, patterns }
    }

    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The target of a `$ref`. Returns the value itself when it is not a reference, and null when the target is missing.
    pub fn resolved<'v>(&'v self, value: &'v Value) -> &'v Value {
        match value.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let pointer = reference.strip_prefix('#').unwrap_or_default();
                self.document.pointer(pointer).unwrap_or(&Value::Null)
            }
            None => value,
        }
    }

    /// The problems of a value, one line each, with the path of the value and the violated rule.
    pub fn problems(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut check = Check { schemas: self, place: String::new(), problems: Vec::new() };
        check.value(schema, value);
        check.problems
    }
}

fn collect_patterns(value: &Value, patterns: &mut HashMap<String, Regex>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(pattern)) = members.get("pattern") {
                let regex = Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
                patterns.insert(pattern.clone(), regex);
            }
            members.values().for_each(|member| collect_patterns(member, patterns));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_patterns(item, patterns)),
        _ => {}
    }
}

/// One walk through a value.
struct Check<'s> {
    schemas: &'s JsonSchemas,
    place: String,
    problems: Vec<String>,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value) {
        let schema = self.schemas.resolved(schema);
        let Some(keywords) = schema.as_object() else {
            return self.broken(format_args!("is described by {schema}"));
        };
        // The empty schema describes every value.
        if keywords.is_empty() {
            return;
        }
        for (keyword, rule) in keywords {
            self.keyword(keyword, rule, value);
        }
        if let Value::Object(members) = value {
            self.members(keywords, members);
        }
    }

    fn keyword(&mut self, keyword: &str, rule: &Value, value: &Value) {
        let holds = match keyword {
            "type" => is_of_type(rule, value),
            "enum" => rule.as_array().is_some_and(|values| values.contains(value)),
            "const" => rule == value,
            "minimum" => value.as_i64().is_none_or(|number| Some(number) >= rule.as_i64()),
            "maximum" => value.as_i64().is_none_or(|number| Some(number) <= rule.as_i64()),
            "minLength" => value.as_str().is_none_or(|text| text.chars().count() >= bound(rule)),
            "maxLength" => value.as_str().is_none_or(|text| text.chars().count() <= bound(rule)),
            "minItems" => value.as_array().is_none_or(|items| items.len() >= bound(rule)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() <= bound(rule)),
            "uniqueItems" => {
                value.as_array().is_none_or(|items| rule != &Value::Bool(true) || has_each_once(items))
            }
            "pattern" => value.as_str().is_none_or(|text| self.matches(rule, text)),
            "items" => return self.items(rule, value),
            "properties" | "required" | "propertyNames" | "additionalProperties" => return,
            _ if ANNOTATIONS.contains(&keyword) => return,
            _ => return self.broken(format_args!("has the unknown keyword {keyword}")),
        };
        if !holds {
            self.broken(format_args!("breaks {keyword} {rule}: {value}"));
        }
    }

    fn items(&mut self, schema: &Value, value: &Value) {
        for (place, item) in value.as_array().into_iter().flatten().enumerate() {
            self.within(&place.to_string(), |check| check.value(schema, item));
        }
    }

    fn members(&mut self, keywords: &Map<String, Value>, members: &Map<String, Value>) {
        let properties = keywords.get("properties").and_then(Value::as_object);
        for needed in keywords.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !needed.as_str().is_some_and(|name| members.contains_key(name)) {
                self.broken(format_args!("lacks {needed}"));
            }
        }
        for (name, member) in members {
            let described = properties.and_then(|properties| properties.get(name));
            let described = described
                .or_else(|| keywords.get("additionalProperties"))
                .filter(|schema| schema.is_object());
            if let Some(schema) = keywords.get("propertyNames") {
                self.within(name, |check| check.value(schema, &Value::String(name.clone())));
            }
            match described {
                Some(schema) => self.within(name, |check| check.value(schema, member)),
                None => self.broken(format_args!("has {name:?}, which is not described")),
            }
        }
    }

    fn matches(&self, pattern: &Value, text: &str) -> bool {
        let regex = pattern.as_str().and_then(|pattern| self.schemas.patterns.get(pattern));
        regex.is_some_and(|regex| regex.is_match(text))
    }

    fn within(&mut self, name: &str, check: impl FnOnce(&mut Self)) {
        let outer = self.place.len();
        self.place.push('/');
        self.place.push_str(name);
        check(self);
        self.place.truncate(outer);
    }

    fn broken(&mut self, what: std::fmt::Arguments<'_>) {
        self.problems.push(format!("{} {what}", if self.place.is_empty() { "/" } else { &self.place }));
    }
}

fn bound(rule: &Value) -> usize {
    rule.as_u64().and_then(|bound| usize::try_from(bound).ok()).unwrap_or_default()
}

fn has_each_once(items: &[Value]) -> bool {
    items.iter().enumerate().all(|(place, item)| !items[..place].contains(item))
}

fn is_of_type(rule: &Value, value: &Value) -> bool {
    match rule {
        Value::Array(types) => types.iter().any(|one| is_of_type(one, value)),
        _ => match (rule.as_str(), value) {
            (Some("null"), Value::Null)
            | (Some("boolean"), Value::Bool(_))
            | (Some("string"), Value::String(_))
            | (Some("array"), Value::Array(_))
            | (Some("object"), Value::Object(_)) => true,
            (Some("integer"), Value::Number(number)) => number.is_i64(),
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(schema: &Value, value: &Value) -> Vec<String> {
        let schemas = JsonSchemas::new(json!({ "schemas": { "Tested": schema } }));
        schemas.problems(&json!({ "$ref": "#/schemas/Tested" }), value)
    }

    #[test]
    fn value_has_one_of_its_types() {
        let schema = json!({ "type": ["integer", "null"], "minimum": 0, "maximum": 9 });
        for (value, good) in [
            (json!(0), true),
            (json!(9), true),
            (json!(null), true),
            (json!(10), false),
            (json!(-1), false),
            (json!(1.0), false),
            (json!("1"), false),
            (json!(true), false),
        ] {
            assert_eq!(problems(&schema, &value).is_empty(), good, "{value}");
        }
    }

    #[test]
    fn string_lengths_are_in_characters() {
        let schema = json!({ "type": "string", "minLength": 1, "maxLength": 2, "pattern": "^[a-zé]*$" });
        assert_eq!(problems(&schema, &json!("éa")), Vec::<String>::new());
        assert_eq!(problems(&schema, &json!("")), ["/ breaks minLength 1: \"\""]);
        assert_eq!(problems(&schema, &json!("abc")), ["/ breaks maxLength 2: \"abc\""]);
        assert_eq!(problems(&schema, &json!("A")), ["/ breaks pattern \"^[a-zé]*$\": \"A\""]);
    }

    #[test]
    fn object_has_required_and_no_undocumented_members() {
        let schema = json!({
            "type": "object",
            "properties": { "id": { "type": "string" }, "note": { "const": true } },
            "required": ["id"],
        });
        assert_eq!(problems(&schema, &json!({ "id": "a", "note": true })), Vec::<String>::new());
        assert_eq!(
            problems(&schema, &json!({ "note": false, "colour": 1 })),
            ["/ lacks \"id\"", "/ has \"colour\", which is not described", "/note breaks const true: false"]
        );
    }

    #[test]
    fn map_checks_names_and_values() {
        let schema = json!({
            "type": "object",
            "propertyNames": { "pattern": "^[0-9]+$" },
            "additionalProperties": { "type": "array", "items": { "enum": [1, 2] }, "minItems": 1, "maxItems": 2 },
        });
        assert_eq!(problems(&schema, &json!({ "1": [1, 2] })), Vec::<String>::new());
        let found = problems(&schema, &json!({ "a": [3], "2": [], "3": [1, 1, 1] }));
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found.contains(&"/a/0 breaks enum [1,2]: 3".to_owned()), "{found:?}");
    }

    #[test]
    fn unique_items_do_not_repeat() {
        let schema = json!({ "type": "array", "uniqueItems": true });
        assert_eq!(problems(&schema, &json!([1, "1", [1]])), Vec::<String>::new());
        assert_eq!(problems(&schema, &json!([1, 2, 1])).len(), 1);
    }

    #[test]
    fn unknown_keyword_and_broken_reference_are_problems() {
        assert_eq!(problems(&json!({ "oneOf": [] }), &json!(1)).len(), 1);
        let schemas = JsonSchemas::new(json!({}));
        assert_eq!(schemas.problems(&json!({ "$ref": "#/nowhere" }), &json!(1)), ["/ is described by null"]);
    }
}
