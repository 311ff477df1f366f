//! Holds every exchange of the suite against the OpenAPI document. A response must have a described status, described headers
//! and a described body. A request that the server accepts must have a described path, query, headers and body. Whatever the
//! document does not describe fails the test that sends or gets it.

mod examples;
mod schemas;
mod wrong_exchanges;

use std::borrow::Cow;
use std::str::{self, FromStr};
use std::sync::LazyLock;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use url::form_urlencoded;

use self::schemas::{DOCUMENT, problems, resolved};
use crate::client::Answer;
use crate::harness::{STAGING_PATH, base_path};

/// The operations. When two paths match, the one without a parameter wins, so it comes first.
static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(operations);

/// Headers that any response may have, because HTTP or browsers need them.
const OF_ALL: [&str; 4] = ["content-type", "content-length", "date", "connection"];

/// The media type of JSON Lines, and other names that the server takes for it. `docs/back-office.md` lists them.
const LINES: &str = "application/x-ndjson";
const OTHER_NAMES_OF_LINES: [&str; 3] =
    ["application/ndjson", "application/jsonl", "application/x-jsonlines"];

type Headers = Vec<(String, String)>;

/// A request and its response.
pub(crate) struct Exchange<'e> {
    pub(crate) method: &'e Method,
    pub(crate) uri: &'e str,
    pub(crate) headers: &'e [(String, String)],
    pub(crate) body: &'e [u8],
    pub(crate) answer: &'e Answer,
}

/// An operation of the document.
struct Operation {
    method: Method,
    /// The parts of its path. A parameter has braces.
    segments: Vec<&'static str>,
    described: &'static Value,
}

/// Fails unless the document describes the exchange. Of requests for no operation, it judges only the errors.
pub(crate) fn check(exchange: &Exchange<'_>) {
    let operation = exchange.operation();
    let mut problems = exchange.error_problems();
    problems.extend(operation.map(|operation| operation.problems(exchange)).into_iter().flatten());
    let Exchange { method, uri, answer, .. } = exchange;
    let id = operation.map(|operation| &operation.described["operationId"]);
    assert!(problems.is_empty(), "{id:?}, {method} {uri}: {}: {problems:#?}", answer.status);
}

/// The same for raw bytes, if they are a request and one whole response.
pub(crate) fn check_raw(request: &[u8], answer: &[u8]) {
    let (Some((asked, headers, body)), Some(answer)) = (message(request), response(answer)) else { return };
    let [method, uri, _] = *asked.split(' ').collect::<Vec<_>>() else { return };
    let Ok(method) = Method::from_str(method) else { return };
    check(&Exchange { method: &method, uri, headers: &headers, body, answer: &answer });
}

/// The first line of a message, its headers, and its body.
fn message(bytes: &[u8]) -> Option<(&str, Headers, &[u8])> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let mut lines = str::from_utf8(&bytes[..end]).ok()?.split("\r\n");
    let first = lines.next()?;
    let header =
        |line: &str| line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    Some((first, lines.map(header).collect::<Option<_>>()?, &bytes[end + 4..]))
}

/// A whole response from its bytes.
pub(crate) fn response(bytes: &[u8]) -> Option<Answer> {
    let (first, lines, body) = message(bytes)?;
    let status = StatusCode::from_bytes(first.strip_prefix("HTTP/1.1 ")?.get(..3)?.as_bytes()).ok()?;
    let mut headers = HeaderMap::new();
    for (name, value) in &lines {
        headers.append(HeaderName::from_str(name).ok()?, HeaderValue::from_str(value).ok()?);
    }
    let answer = Answer { status, headers, body: Bytes::copy_from_slice(body) };
    // The bytes may be of two responses.
    (answer.header("content-length") == Some(&*body.len().to_string())).then_some(answer)
}

impl Exchange<'_> {
    /// Whether the request may be for no tenant: another authority may belong to none.
    fn may_be_of_nobody(&self) -> bool {
        self.answer.status == StatusCode::NOT_FOUND && self.header("host").is_some()
    }

    /// The operation of the document, unless the request may be for no tenant.
    fn operation(&self) -> Option<&'static Operation> {
        let below = self.path().filter(|_| !self.may_be_of_nobody())?;
        let below = below.strip_suffix('/').unwrap_or(below);
        let method = if *self.method == Method::HEAD { &Method::GET } else { self.method };
        let asked: Vec<&str> = below.split('/').collect();
        OPERATIONS.iter().find(|operation| operation.method == *method && operation.fits(&asked))
    }

    /// The problems of an error: its code, and the members of an error that belongs to no operation.
    fn error_problems(&self) -> Vec<String> {
        let answer = self.answer;
        // hyper sends a 431 with a bare status. Pages are for people, so they have no code.
        let is_error =
            answer.status.as_u16() >= 400 && answer.header("content-type") == Some("application/json");
        if !is_error {
            return Vec::new();
        }
        let Some(code) = answer.header("error-code") else {
            return vec!["the header error-code is missing".to_owned()];
        };
        if *self.method == Method::HEAD {
            return Vec::new();
        }
        let (body, mut problems) = (answer.json(), Vec::new());
        if body.get("code").is_some_and(|in_body| in_body != code) {
            problems.push(format!("the code of the body is not {code}"));
        }
        let is_of_nobody = self.operation().is_none() && !self.may_be_of_nobody();
        let is_bare = body.as_object().is_some_and(|body| body.len() == 1 && body["message"].is_string());
        if is_of_nobody && !is_bare {
            problems.push(format!("an error of no operation has more than a message: {body}"));
        }
        problems
    }

    /// The path below the base URL of the tenant, without the query; `None` for an unknown base URL.
    fn path(&self) -> Option<&str> {
        let path = self.uri.split('?').next()?;
        [base_path(), STAGING_PATH].into_iter().find_map(|base| path.strip_prefix(base))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    fn is_accepted(&self) -> bool {
        self.answer.status.as_u16() < 400
    }
}

fn operations() -> Vec<Operation> {
    let mut operations = Vec::new();
    for (path, methods) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, described) in methods.as_object().unwrap() {
            let method = method.to_uppercase().parse().unwrap();
            operations.push(Operation { method, segments: path.split('/').collect(), described });
        }
    }
    operations.sort_by_key(|operation| operation.segments.iter().any(|segment| segment.starts_with('{')));
    operations
}

impl Operation {
    fn fits(&self, asked: &[&str]) -> bool {
        let fit = |(own, asked): (&&str, &&str)| own == asked || own.starts_with('{');
        asked.len() == self.segments.len() && self.segments.iter().zip(asked).all(fit)
    }

    fn problems(&self, exchange: &Exchange<'_>) -> Vec<String> {
        let mut problems = self.response_problems(exchange);
        problems.extend(missing_headers(exchange));
        if exchange.is_accepted() {
            problems.extend(self.parameter_problems(exchange));
            problems.extend(self.body_problems(exchange));
        }
        problems
    }

    fn response_problems(&self, exchange: &Exchange<'_>) -> Vec<String> {
        let answer = exchange.answer;
        let Some(response) = self.described["responses"].get(answer.status.as_str()) else {
            return vec![format!("the status is not described; its body: {}", answer.text())];
        };
        let response = resolved(response);
        let mut problems = header_problems(&response["headers"], answer);
        match response.get("content") {
            None if !answer.body.is_empty() => problems.push("there is a body".to_owned()),
            // Other tests compare compressed responses with uncompressed ones.
            Some(content)
                if exchange.method != Method::HEAD && answer.header("content-encoding").is_none() =>
            {
                problems.extend(content_problems(content, answer));
            }
            _ => {}
        }
        problems
    }

    /// The problems of the token, and of the parameters in the path, the query and the headers.
    fn parameter_problems(&self, exchange: &Exchange<'_>) -> Vec<String> {
        let mut problems = Vec::new();
        let token = exchange.header("authorization").and_then(|value| value.split_once(' '));
        if !token.is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer")) {
            problems.push("there is no token".to_owned());
        }
        for (place, name, value) in self.given_parameters(exchange) {
            let described =
                self.parameters().find(|described| described["in"] == place && described["name"] == *name);
            let Some(schema) = described.map(|described| &described["schema"]) else {
                problems.push(format!("the {place} parameter {name} is not described"));
                continue;
            };
            let found = schemas::problems(schema, &typed(schema, &value)).into_iter();
            problems.extend(found.map(|problem| format!("the {place} parameter {name}: {problem}")));
        }
        problems
    }

    /// The described parameters.
    fn parameters(&self) -> impl Iterator<Item = &'static Value> {
        self.described["parameters"].as_array().into_iter().flatten().map(resolved)
    }

    /// The parameters of a request: where each is, its name as in the document, and its decoded value.
    fn given_parameters<'e>(
        &self,
        exchange: &'e Exchange<'_>,
    ) -> Vec<(&'static str, Cow<'e, str>, Cow<'e, str>)> {
        let path = exchange.path().unwrap_or_default().split('/');
        let of_path = self.segments.iter().zip(path).filter_map(|(own, value)| {
            let name = own.strip_prefix('{')?.strip_suffix('}')?;
            Some(("path", name.into(), percent_decode_str(value).decode_utf8().unwrap()))
        });
        let query = exchange.uri.split_once('?').map_or("", |(_, query)| query);
        let given = form_urlencoded::parse(query.as_bytes())
            // An empty value counts as absent.
            .filter(|(name, value)| !value.trim().is_empty() && !self.ignores(name));
        let of_query = given.map(|(name, value)| {
            // A list of alternatives may also be repeated, with brackets behind its name.
            let name = name.strip_suffix("[]").map(str::to_owned).map_or(name, Cow::Owned);
            ("query", name, value)
        });
        let of_headers = self.parameters().filter(|described| described["in"] == "header");
        let of_headers = of_headers.filter_map(|described| {
            let name = described["name"].as_str()?;
            Some(("header", name.into(), exchange.header(name)?.into()))
        });
        of_path.chain(of_query).chain(of_headers).collect()
    }

    /// Whether a test sends a parameter because the server ignores it. `docs/api.md` says that it does.
    fn ignores(&self, parameter: &str) -> bool {
        let id = self.described["operationId"].as_str().unwrap();
        matches!((id, parameter), (_, "utm" | "x") | ("getPointHistory", "page[size]"))
    }

    /// The problems of the body of a request. The server ignores that of a GET.
    fn body_problems(&self, exchange: &Exchange<'_>) -> Vec<String> {
        let described = &self.described["requestBody"];
        if exchange.body.is_empty() {
            let is_missing = described["required"] == true;
            return is_missing.then(|| "there is no body".to_owned()).into_iter().collect();
        }
        let Some(contents) = described["content"].as_object() else {
            let problem = (self.method != Method::GET).then(|| "the body is not described".to_owned());
            return problem.into_iter().collect();
        };
        let sent = exchange.header("content-type").map(|kind| kind.split(';').next().unwrap_or(kind).trim());
        // Without a media type, the server takes the body for the first one.
        let kind = sent.map_or_else(|| contents.keys().next().unwrap().clone(), str::to_lowercase);
        let kind = if OTHER_NAMES_OF_LINES.contains(&&*kind) { LINES } else { &kind };
        let Some(content) = contents.get(kind) else {
            return vec![format!("the media type of the body, {kind}, is not described")];
        };
        if kind == LINES {
            return line_problems(&content["schema"]["contentSchema"], exchange);
        }
        if !kind.ends_with("json") {
            return Vec::new();
        }
        match serde_json::from_slice(exchange.body) {
            Ok(body) => problems(&content["schema"], &body),
            Err(error) => vec![format!("the body is not JSON: {error}")],
        }
    }
}

/// The problems of the lines of an import, unless the server has refused some of them.
fn line_problems(schema: &Value, exchange: &Exchange<'_>) -> Vec<String> {
    if exchange.answer.json()["data"]["rejected"] != 0 {
        return Vec::new();
    }
    let lines = str::from_utf8(exchange.body).unwrap().lines().filter(|line| !line.trim().is_empty());
    lines.flat_map(|line| problems(schema, &serde_json::from_str(line).unwrap())).collect()
}

/// The value of a parameter as JSON. The text of the document says that a flag may also be `1` or `0`.
fn typed(schema: &Value, value: &str) -> Value {
    let parsed = match schema["type"].as_str() {
        Some("integer") => value.parse().ok().map(Value::Number),
        Some("boolean") => match value.to_lowercase().as_str() {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        _ => None,
    };
    parsed.unwrap_or_else(|| value.into())
}

fn header_problems(described: &'static Value, answer: &Answer) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, value) in &answer.headers {
        let (name, value) = (name.as_str(), value.to_str().unwrap());
        if OF_ALL.contains(&name) || name.starts_with("access-control-") || value == "Origin" {
            continue;
        }
        let mut all = described.as_object().into_iter().flatten();
        let Some((_, header)) = all.find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
            problems.push(format!("the header {name} is not described"));
            continue;
        };
        let schema = &resolved(header)["schema"];
        let found = schemas::problems(schema, &typed(schema, value));
        problems.extend(found.into_iter().map(|problem| format!("the header {name}: {problem}")));
    }
    problems
}

/// The problems of the body of a response.
fn content_problems(content: &Value, answer: &Answer) -> Vec<String> {
    let sent = answer.header("content-type").unwrap_or_default();
    let kind = sent.strip_suffix("; charset=utf-8").unwrap_or(sent);
    let Some(content) = content.get(kind) else {
        return vec![format!("the media type {kind:?} is not described")];
    };
    let body = if kind == "application/json" { answer.json() } else { answer.text().into() };
    let mut problems = problems(&content["schema"], &body);
    problems.extend(fixed_problems(answer.status, &body, &content["example"]));
    problems
}

/// Checks the headers that every response of its kind must have.
fn missing_headers(exchange: &Exchange<'_>) -> Vec<String> {
    let is_read = [Method::GET, Method::HEAD].contains(exchange.method);
    let of_status: &[&str] = match exchange.answer.status.as_u16() {
        200 | 304 if is_read => &["etag", "vary"],
        401 => &["www-authenticate"],
        429 | 503 => &["retry-after"],
        _ => &[],
    };
    // hyper sends a 431 with a bare status.
    let of_all: &[&str] = match exchange.answer.status.as_u16() {
        431 => &[],
        _ => &["x-request-id", "cache-control", "x-content-type-options"],
    };
    let missing = of_all.iter().chain(of_status);
    let missing = missing.filter(|name| exchange.answer.header(name).is_none());
    missing.map(|name| format!("the header {name} is missing")).collect()
}

/// Checks values that the interface fixes: `success`, and the messages of some errors.
fn fixed_problems(status: StatusCode, body: &Value, example: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    if body.get("success").is_some_and(|success| *success != status.is_success()) {
        problems.push("success is not that of the status".to_owned());
    }
    let is_fixed = [401, 404, 422, 500, 503].contains(&status.as_u16());
    if is_fixed && example.get("message").is_some() && body["message"] != example["message"] {
        problems.push(format!("the message is {}", body["message"]));
    }
    problems
}
