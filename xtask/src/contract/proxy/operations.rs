//! The operations of the OpenAPI document, and which of them a request calls.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::contract::description;

/// The operations of the OpenAPI document.
pub(super) struct Operations(Vec<Operation>);

/// One operation.
pub(super) struct Operation {
    pub(super) id: String,
    method: String,
    segments: Vec<String>,
    /// The media type of its request body.
    pub(super) kind: Option<String>,
    /// The parameters of its query string.
    pub(super) parameters: Vec<Parameter>,
}

/// A parameter of a query string.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    pub(super) name: String,
    schema: Value,
}

impl Operations {
    /// Reads the operations of `openapi.json`.
    pub(super) fn read() -> Result<Self> {
        Self::of(&serde_json::from_slice(&fs::read(description())?)?)
            .context("openapi.json has no operations")
    }

    pub(super) fn of(description: &Value) -> Option<Self> {
        let mut operations = Vec::new();
        for (path, item) in description["paths"].as_object()? {
            let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
            let named = |(method, operation): (&String, &Value)| {
                Operation::of(method, &segments, operation, description)
            };
            operations.extend(item.as_object()?.iter().filter_map(named));
        }
        // A path without a parameter comes first, so it wins where both match.
        operations.sort_by_key(|operation| operation.segments.iter().any(|segment| is_parameter(segment)));
        (!operations.is_empty()).then_some(Self(operations))
    }

    /// The operation of a method and a path below a tenant's base.
    pub(super) fn asked_for(&self, method: &str, path: &str) -> Option<&Operation> {
        let asked: Vec<&str> = path.split('/').collect();
        let fits = |operation: &&Operation| {
            let mut pairs = operation.segments.iter().zip(&asked);
            operation.method == method
                && operation.segments.len() == asked.len()
                && pairs.all(|(own, asked)| own == asked || is_parameter(own) && !asked.is_empty())
        };
        self.0.iter().find(fits)
    }

    pub(super) fn all(&self) -> &[Operation] {
        &self.0
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|operation| &*operation.id)
    }
}

impl Operation {
    fn of(method: &str, segments: &[String], operation: &Value, description: &Value) -> Option<Self> {
        let kinds = operation["requestBody"]["content"].as_object();
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        Some(Self {
            id: operation["operationId"].as_str()?.to_owned(),
            method: method.to_uppercase(),
            segments: segments.to_vec(),
            kind: kinds.and_then(|kinds| kinds.keys().next().cloned()),
            parameters: parameters.filter_map(|said| Parameter::of(said, description)).collect(),
        })
    }

    /// The parameter of its query string with this name.
    pub(super) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl Parameter {
    /// Returns `None` for a parameter outside the query string.
    fn of(said: &Value, description: &Value) -> Option<Self> {
        let reference = said["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
        let said = reference.and_then(|place| description.pointer(place)).unwrap_or(said);
        let name = said["name"].as_str().filter(|_| said["in"] == "query")?;
        Some(Self { name: name.to_owned(), schema: said["schema"].clone() })
    }

    /// Whether its values have this JSON type.
    pub(super) fn is_of(&self, kind: &str) -> bool {
        self.schema["type"] == kind
    }

    /// A value that its schema refuses, where one is known.
    pub(super) fn refused_value(&self) -> Option<String> {
        let is_of_few = self.is_of("integer")
            || self.is_of("boolean")
            || self.schema["enum"].is_array()
            || self.schema["format"] == "date";
        let longest = self.schema["maxLength"].as_u64().and_then(|longest| usize::try_from(longest).ok());
        let too_long = longest.map(|longest| "x".repeat(longest.saturating_add(1)));
        if is_of_few { Some("none-of-these".to_owned()) } else { too_long }
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn path_belongs_to_one_operation_or_none() {
        let operations = Operations::read().unwrap();
        let id = |method, path| operations.asked_for(method, path).map(|operation| &*operation.id);
        assert_eq!(id("GET", "/v1/store/products"), Some("listProducts"));
        assert_eq!(id("GET", "/v1/store/products/a%2Fb"), Some("getProduct"));
        assert_eq!(id("POST", "/v1/manage/products/import"), Some("importProducts"));
        assert_eq!(id("GET", "/v1/manage/products/import"), Some("getManagedProduct"));
        for (method, path) in [
            ("HEAD", "/v1/store/products"),
            ("GET", "/v1/store/products/"),
            ("GET", "/v1/store/products/a/b"),
            ("GET", "/v1/nothing"),
            ("GET", ""),
        ] {
            assert_eq!(id(method, path), None, "{method} {path}");
        }
        assert!(operations.ids().count() > 20);
    }

    #[test]
    fn media_type_of_a_body_is_the_documented_one() {
        let operations = Operations::read().unwrap();
        let kind = |method, path| operations.asked_for(method, path).unwrap().kind.as_deref();
        assert_eq!(kind("POST", "/v1/store/orders"), Some("application/json"));
        assert_eq!(kind("POST", "/v1/manage/products/import"), Some("application/x-ndjson"));
        assert_eq!(kind("GET", "/v1/store/orders"), None);
    }

    #[test]
    fn query_parameters_are_found_by_name() {
        let operations = Operations::read().unwrap();
        let users = operations.asked_for("GET", "/v1/manage/users").unwrap();
        assert!(users.parameter("filter[disabled]").unwrap().is_of("boolean"));
        // One of the parameters that all pages share.
        assert!(users.parameter("page[size]").unwrap().is_of("integer"));
        assert!(users.parameter("filter[search]").unwrap().is_of("string"));
        assert_eq!(users.parameters.len(), 4);
        // Parameters of a header or a path do not count.
        assert_eq!(operations.asked_for("GET", "/v1/store/products/a").unwrap().parameters, []);
    }

    #[test]
    fn refused_value_is_known_for_most_schemas() {
        let value = |schema: Value| Parameter { name: "a".to_owned(), schema }.refused_value();
        let date = json!({"type": "string", "format": "date"});
        for schema in [json!({"type": "integer"}), json!({"type": "boolean"}), json!({"enum": ["a"]}), date] {
            assert_eq!(value(schema).as_deref(), Some("none-of-these"));
        }
        assert_eq!(value(json!({"type": "string", "maxLength": 3})).as_deref(), Some("xxxx"));
        assert_eq!(value(json!({"type": "string"})), None);
    }
}
