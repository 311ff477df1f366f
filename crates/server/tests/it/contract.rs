//! Checks every response of the suite against the OpenAPI document: status, headers, and each member of the body. A member,
//! a null or a status that the document does not describe fails the test that gets it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use http::{Method, StatusCode};
use pointbook_testkit::JsonSchemas;
use serde_json::Value;

use crate::client::Answer;
use crate::harness::{STAGING_PATH, base_path};

/// The OpenAPI document as the server serves it.
static DESCRIPTION: LazyLock<Description> = LazyLock::new(Description::new);

/// Headers that any operation may have, because HTTP or browsers need them.
const OF_ALL: [&str; 4] = ["content-type", "content-length", "date", "connection"];

struct Description {
    schemas: JsonSchemas,
    /// Operations by method and path segments.
    operations: Vec<(Method, Vec<String>, Value)>,
}

/// Fails unless the document describes the response. Skips requests to unknown base URLs.
pub(crate) fn check(method: &Method, uri: &str, has_own_host: bool, sent: &[u8], answer: &Answer) {
    let Some(operation) = DESCRIPTION.operation(method, uri) else { return };
    if may_be_unknown_base_url(has_own_host, answer.status) {
        return;
    }
    let mut problems = DESCRIPTION.problems(operation, answer, *method == Method::HEAD);
    problems.extend(missing_headers(method, answer));
    problems.extend(DESCRIPTION.request_problems(operation, sent, answer));
    let id = operation["operationId"].as_str().unwrap();
    assert!(problems.is_empty(), "{id}, {method} {uri}: {}: {problems:#?}", answer.status);
}

/// The base path of the tenant in a URI; `None` for an unknown base URL.
pub(crate) fn base(uri: &str) -> Option<&'static str> {
    [base_path(), STAGING_PATH].into_iter().find(|base| uri.starts_with(base))
}

/// Whether a response may come from no tenant: another authority may belong to no tenant.
pub(crate) fn may_be_unknown_base_url(has_own_host: bool, status: StatusCode) -> bool {
    has_own_host && status == StatusCode::NOT_FOUND
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
        // When two paths match, the one without a parameter wins.
        operations.sort_by_key(|(_, segments, _)| segments.iter().any(|segment| segment.starts_with('{')));
        Self { schemas: JsonSchemas::new(document), operations }
    }

    fn operation(&self, method: &Method, uri: &str) -> Option<&Value> {
        let path = uri.split('?').next().unwrap_or_default();
        let below = path.strip_prefix(base(path)?)?;
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
            // Other tests compare compressed responses with uncompressed ones.
            Some(content) if !is_head && answer.header("content-encoding").is_none() => {
                let kind = answer.header("content-type").unwrap_or_default();
                if let Some(kind @ "text/csv") = kind.strip_suffix("; charset=utf-8") {
                    problems.extend(self.schemas.problems(&content[kind]["schema"], &answer.text().into()));
                    return problems;
                }
                problems.extend(self.schemas.problems(&content[kind]["schema"], &answer.json()));
                problems.extend(fixed_problems(answer, &content[kind]["example"]));
            }
            _ => {}
        }
        problems
    }

    /// Checks that the document describes the request body, too.
    fn request_problems(&self, operation: &Value, sent: &[u8], answer: &Answer) -> Vec<String> {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        match serde_json::from_slice(sent) {
            Ok(body) if answer.status.is_success() && !schema.is_null() => {
                self.schemas.problems(schema, &without_signed_zeros(body))
            }
            _ => Vec::new(),
        }
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

/// `-0` is an integer, but not for the parser.
fn without_signed_zeros(value: Value) -> Value {
    match value {
        Value::Number(number) if number.as_f64() == Some(0.0) => Value::from(0),
        Value::Array(items) => items.into_iter().map(without_signed_zeros).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, without_signed_zeros(value))).collect()
        }
        other => other,
    }
}

/// Checks the headers that every response of its kind must have.
fn missing_headers(method: &Method, answer: &Answer) -> Vec<String> {
    let is_read = [Method::GET, Method::HEAD].contains(method);
    let of_status: &[&str] = match answer.status.as_u16() {
        200 | 304 if is_read => &["etag", "vary"],
        401 => &["www-authenticate"],
        405 => &["allow"],
        429 | 503 => &["retry-after"],
        _ => &[],
    };
    // hyper sends a 431 with a bare status.
    let of_all: &[&str] = match answer.status.as_u16() {
        431 => &[],
        _ => &["x-request-id", "cache-control", "x-content-type-options"],
    };
    let missing = of_all.iter().chain(of_status);
    let missing = missing.filter(|name| answer.header(name).is_none());
    missing.map(|name| format!("the header {name} is missing")).collect()
}

/// Checks values that the interface fixes: `success`, and the messages of some errors.
fn fixed_problems(answer: &Answer, example: &Value) -> Vec<String> {
    let (body, mut problems) = (answer.json(), Vec::new());
    if body.get("success").is_some_and(|success| *success != answer.status.is_success()) {
        problems.push("success is not that of the status".to_owned());
    }
    let is_fixed = [401, 404, 422, 500, 503].contains(&answer.status.as_u16());
    if is_fixed && example.get("message").is_some() && body["message"] != example["message"] {
        problems.push(format!("the message is {}", body["message"]));
    }
    problems
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, HeaderValue};

    use super::*;

    /// The difference between a response of `GET /v1/store/categories` and the document.
    fn problems(status: u16, header: (&'static str, &'static str), body: &'static str) -> Vec<String> {
        let (status, body) = (StatusCode::from_u16(status).unwrap(), Bytes::from_static(body.as_bytes()));
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        headers.insert(header.0, HeaderValue::from_static(header.1));
        let uri = format!("{}/v1/store/categories/?filter[category]=a", base_path());
        let operation = DESCRIPTION.operation(&Method::GET, &uri).unwrap();
        DESCRIPTION.problems(operation, &Answer { status, headers, body }, false)
    }

    #[test]
    fn undescribed_responses_are_found() {
        let (tag, good) = (
            ("etag", "\"0123456789abcdef0123456789abcdef\""),
            r#"{"data":[{"id":"a","label":"A","children":[]}]}"#,
        );
        assert_eq!(problems(200, tag, good), Vec::<String>::new());
        for (status, header, body) in [
            (201, tag, good),
            (409, tag, r#"{"message":"No."}"#),
            (200, ("etag", "W/1"), good),
            (200, ("x-colour", "red"), good),
            (200, tag, r#"{"data":null}"#),
            (200, tag, r#"{"data":[{"id":"a","label":null,"children":[]}]}"#),
            (200, tag, r#"{"data":[{"id":7,"label":"A","children":[]}]}"#),
            (200, tag, r#"{"data":[{"id":"a","label":"A"}]}"#),
            (200, tag, r#"{"data":[{"id":"a","label":"A","children":[{}]}]}"#),
            (200, tag, r#"{"data":[],"success":true}"#),
            (401, ("www-authenticate", "Bearer"), r#"{"message":"No."}"#),
            (304, tag, good),
        ] {
            assert!(!problems(status, header, body).is_empty(), "{status} {header:?} {body}");
        }
    }

    #[test]
    fn path_without_parameter_wins() {
        let id = |method: &Method, path: &str| {
            let found = DESCRIPTION.operation(method, &format!("{}{path}", base_path()));
            found.map(|operation| operation["operationId"].as_str().unwrap().to_owned())
        };
        assert_eq!(id(&Method::POST, "/v1/manage/products/import").as_deref(), Some("importProducts"));
        assert_eq!(id(&Method::GET, "/v1/manage/products/import").as_deref(), Some("getManagedProduct"));
        assert_eq!(id(&Method::HEAD, "/v1/store/products/a%2Fb").as_deref(), Some("getProduct"));
        assert_eq!(id(&Method::GET, "/v1/nothing"), None);
        assert_eq!(DESCRIPTION.operation(&Method::GET, "/stranger/api/v1/store/products"), None);
    }
}
