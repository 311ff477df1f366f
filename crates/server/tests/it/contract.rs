//! That every answer of the suite is one that the description of the interface has: its status, its headers, and
//! each member of its body. A new member, a null or a status that nobody described fails the test that meets it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use http::Method;
use pointbook_testkit::JsonSchemas;
use serde_json::Value;

use crate::client::Answer;
use crate::harness::{STAGING_PATH, base_path};

/// The description, as it is served.
static DESCRIPTION: LazyLock<Description> = LazyLock::new(Description::new);

/// The headers that HTTP itself or a browser wants, whatever the operation is.
const OF_ALL: [&str; 4] = ["content-type", "content-length", "date", "connection"];

struct Description {
    schemas: JsonSchemas,
    /// Operations by method and segments of their path.
    operations: Vec<(Method, Vec<String>, Value)>,
}

/// Fails unless the answer is described. What is asked of no tenant's address is not.
pub(crate) fn check(method: &Method, uri: &str, has_own_host: bool, answer: &Answer) {
    let Some(operation) = DESCRIPTION.operation(method, uri) else { return };
    // Another authority may be nobody's.
    if has_own_host && answer.status == 404 {
        return;
    }
    let problems = DESCRIPTION.problems(operation, answer, *method == Method::HEAD);
    let id = operation["operationId"].as_str().unwrap();
    assert!(problems.is_empty(), "{id}, {method} {uri}: {}: {problems:#?}", answer.status);
}

impl Description {
    fn new() -> Self {
        let document: Value = serde_json::from_slice(&pointbook_http::openapi::document()).unwrap();
        let mut operations = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
            for (method, operation) in methods.as_object().unwrap() {
                let method = method.to_uppercase().parse().unwrap();
                operations.push((method, segments.clone(), operation.clone()));
            }
        }
        // Where both fit, a path without a parameter is meant.
        operations.sort_by_key(|(_, segments, _)| segments.iter().any(|segment| segment.starts_with('{')));
        Self { schemas: JsonSchemas::new(document), operations }
    }

    fn operation(&self, method: &Method, uri: &str) -> Option<&Value> {
        let path = uri.split('?').next().unwrap_or_default();
        let below = [base_path(), STAGING_PATH].into_iter().find_map(|base| path.strip_prefix(base))?;
        let below = below.strip_suffix('/').unwrap_or(below);
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let fits = |segments: &[String]| {
            let asked: Vec<&str> = below.split('/').collect();
            let fit = |(own, asked): (&String, &&str)| own == asked || own.starts_with('{');
            asked.len() == segments.len() && segments.iter().zip(&asked).all(fit)
        };
        let found = self.operations.iter().find(|(known, segments, _)| known == method && fits(segments));
        found.map(|(_, _, operation)| operation)
    }

    fn problems(&self, operation: &Value, answer: &Answer, is_head: bool) -> Vec<String> {
        let status = answer.status.as_u16().to_string();
        let Some(response) = operation["responses"].get(&status) else {
            return vec![format!("the status is not described; its body: {}", answer.text())];
        };
        let response = self.schemas.resolved(response);
        let mut problems = self.header_problems(&response["headers"], answer);
        match response.get("content") {
            None if !answer.body.is_empty() => problems.push("there is a body".to_owned()),
            Some(content) if !is_head => {
                let kind = answer.header("content-type").unwrap_or_default();
                problems.extend(self.schemas.problems(&content[kind]["schema"], &answer.json()));
            }
            _ => {}
        }
        problems
    }

    fn header_problems(&self, described: &Value, answer: &Answer) -> Vec<String> {
        let described: BTreeMap<String, &Value> = described
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, header)| (name.to_lowercase(), self.schemas.resolved(header)))
            .collect();
        let mut problems = Vec::new();
        for (name, value) in &answer.headers {
            let (name, value) = (name.as_str(), value.to_str().unwrap());
            if OF_ALL.contains(&name) || name.starts_with("access-control-") || value == "Origin" {
                continue;
            }
            let Some(header) = described.get(name) else {
                problems.push(format!("the header {name} is not described"));
                continue;
            };
            let is_number = header["schema"]["type"] == "integer";
            let value = if is_number { value.parse().unwrap() } else { Value::from(value) };
            problems.extend(self.schemas.problems(&header["schema"], &value));
        }
        problems
    }
}
