//! The operations of the description, and which of them a request asks for.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::contract::description;

/// All of them.
pub(super) struct Operations(Vec<Operation>);

/// One of them.
pub(super) struct Operation {
    pub(super) id: String,
    method: String,
    segments: Vec<String>,
    /// The kind of the body that it takes.
    pub(super) kind: Option<String>,
    /// The names of its parameters that are true or false.
    pub(super) flags: Vec<String>,
}

impl Operations {
    /// Those of `openapi.json`.
    pub(super) fn read() -> Result<Self> {
        Self::of(&serde_json::from_slice(&fs::read(description())?)?)
            .context("openapi.json has no operations")
    }

    pub(super) fn of(description: &Value) -> Option<Self> {
        let mut operations = Vec::new();
        for (path, item) in description["paths"].as_object()? {
            let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
            let named = |(method, operation): (&String, &Value)| Operation::of(method, &segments, operation);
            operations.extend(item.as_object()?.iter().filter_map(named));
        }
        // Where both fit, a path without a parameter is meant.
        operations.sort_by_key(|operation| operation.segments.iter().any(|segment| is_parameter(segment)));
        (!operations.is_empty()).then_some(Self(operations))
    }

    /// The one that a method and a path below a tenant's base ask for.
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

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|operation| &*operation.id)
    }
}

impl Operation {
    fn of(method: &str, segments: &[String], operation: &Value) -> Option<Self> {
        let kinds = operation["requestBody"]["content"].as_object();
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let flags = parameters.filter(|parameter| parameter["schema"]["type"] == "boolean");
        Some(Self {
            id: operation["operationId"].as_str()?.to_owned(),
            method: method.to_uppercase(),
            segments: segments.to_vec(),
            kind: kinds.and_then(|kinds| kinds.keys().next().cloned()),
            flags: flags.filter_map(|flag| flag["name"].as_str().map(str::to_owned)).collect(),
        })
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_asks_for_one_operation_or_none() {
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
    fn the_kind_of_a_body_is_the_described_one() {
        let operations = Operations::read().unwrap();
        let kind = |method, path| operations.asked_for(method, path).unwrap().kind.as_deref();
        assert_eq!(kind("POST", "/v1/store/orders"), Some("application/json"));
        assert_eq!(kind("POST", "/v1/manage/products/import"), Some("application/x-ndjson"));
        assert_eq!(kind("GET", "/v1/store/orders"), None);
    }

    #[test]
    fn flags_are_known_by_their_names() {
        let operations = Operations::read().unwrap();
        let users = operations.asked_for("GET", "/v1/manage/users").unwrap();
        assert_eq!(users.flags, ["filter[disabled]"]);
        assert_eq!(operations.asked_for("GET", "/v1/store/products").unwrap().flags.len(), 4);
    }
}
