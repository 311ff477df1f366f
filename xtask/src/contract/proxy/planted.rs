//! Exchanges that are wrong on purpose, made from those of the suite. Prism must find a violation in each of them.
//!
//! Prism silently accepts input that it cannot check: a body whose schema it cannot compile, a parameter whose name it
//! does not find. So its silence proves something only where it was also seen to report a violation.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::exchange::Exchange;
use super::message::Message;
use super::operations::{Operation, Operations};
use super::parameters;

/// Where an exchange has a violation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Location {
    /// The path, which belongs to no operation.
    Path,
    /// The value of this query parameter.
    Parameter(String),
    /// The body of the request.
    Body,
    /// The body of the response.
    Response,
}

impl Location {
    /// Whether a violation that prism reports is at this location.
    pub(super) fn is_of(&self, violation: &Value) -> bool {
        let location = &violation["location"];
        let is_in = |message, part| location[0] == message && location[1] == part;
        match self {
            // A request without a token has the same location, so the message decides.
            Self::Path => {
                *location == json!(["request"]) && violation["message"] == "Selected route not found"
            }
            Self::Parameter(name) => {
                let found = location[2].as_str().map(parameters::decoded);
                is_in("request", "query") && found.is_some_and(|found| found.eq_ignore_ascii_case(name))
            }
            Self::Body => is_in("request", "body"),
            Self::Response => is_in("response", "body"),
        }
    }
}

/// All planted violations: in a response of each operation and status, in a body of each operation that takes JSON, in
/// each query parameter, and in the path.
///
/// # Errors
/// Names the locations without a suitable exchange. An operation needs a successful one with a JSON body.
pub(super) fn of(exchanges: &[Exchange], operations: &Operations) -> Result<Vec<Exchange>> {
    let mut by_operation: BTreeMap<&str, Vec<&Exchange>> = BTreeMap::new();
    for exchange in exchanges {
        if let Some(operation) = operations.asked_for(&exchange.method, &exchange.path) {
            by_operation.entry(&operation.id).or_default().push(exchange);
        }
    }
    let (mut planted, mut missing) = (Vec::new(), Vec::new());
    for operation in operations.all() {
        let own = by_operation.remove(&*operation.id).unwrap_or_default();
        let answers = answers(&own);
        if !answers.iter().any(is_done) {
            missing.push(format!("a response of {}", operation.id));
        }
        planted.extend(answers);
        for (name, made) in requests(&own, operation) {
            match made {
                Some(made) => planted.push(made),
                None => missing.push(format!("{name} of {}", operation.id)),
            }
        }
    }
    ensure!(missing.is_empty(), "no violation can be planted in {}", missing.join(", "));
    planted.extend(exchanges.iter().find(|exchange| is_done(exchange)).map(nowhere));
    Ok(planted)
}

/// One violation in a response of each status.
fn answers(own: &[&Exchange]) -> Vec<Exchange> {
    let mut by_status = BTreeMap::new();
    for exchange in own {
        if !by_status.contains_key(&exchange.status)
            && let Some(body) = other_body(&exchange.answer.body)
        {
            let answer = exchange.answer.with_body(body);
            let planted = Some(Location::Response);
            by_status.insert(exchange.status, Exchange { answer, planted, ..(*exchange).clone() });
        }
    }
    by_status.into_values().collect()
}

/// One violation in the body and one in each parameter, where an exchange allows it.
fn requests(own: &[&Exchange], operation: &Operation) -> Vec<(String, Option<Exchange>)> {
    let is_good = |exchange: &&&Exchange| is_done(exchange) && exchange.has_good_request;
    let takes_json = operation.kind.as_deref() == Some("application/json");
    let body = takes_json.then(|| {
        let with_body = own.iter().filter(is_good).find_map(|exchange| {
            let request = with_other_body(&exchange.request)?;
            Some(Exchange { request, planted: Some(Location::Body), ..(*exchange).clone() })
        });
        ("the body".to_owned(), with_body)
    });
    let of_parameters = operation.parameters.iter().map(|parameter| {
        let name = &parameter.name;
        let base = own.iter().find(is_good).zip(parameter.refused_value());
        let made = base.map(|(exchange, value)| {
            let query = parameters::with(&exchange.query, name, &value);
            Exchange { query, planted: Some(Location::Parameter(name.clone())), ..(*exchange).clone() }
        });
        (name.clone(), made)
    });
    body.into_iter().chain(of_parameters).collect()
}

fn nowhere(exchange: &Exchange) -> Exchange {
    Exchange { path: "/nowhere".to_owned(), planted: Some(Location::Path), ..exchange.clone() }
}

fn is_done(exchange: &Exchange) -> bool {
    (200..300).contains(&exchange.status)
}

/// Returns `None` for a body that is not JSON. An empty body becomes an array, because an object could be valid.
fn with_other_body(request: &Message) -> Option<Message> {
    let body = if request.body.is_empty() { b"[]" } else { other_body(&request.body)? };
    let mut request = request.with_body(body);
    request.headers.retain(|(name, _)| name != "content-type");
    request.headers.push(("content-type".to_owned(), "application/json".to_owned()));
    Some(request)
}

/// JSON of another type. Returns `None` for a body that is not JSON.
fn other_body(body: &[u8]) -> Option<&'static [u8]> {
    let value: Value = serde_json::from_slice(body).ok()?;
    Some(if value.is_array() { b"{}" } else { b"[]" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::proxy::exchange::Entry;

    fn operations() -> Operations {
        let parameters = json!([
            {"$ref": "#/components/parameters/Size"},
            {"in": "query", "name": "title", "schema": {"type": "string", "maxLength": 2}},
        ]);
        let body = json!({"content": {"application/json": {}}});
        let item = json!({
            "get": {"operationId": "getA", "parameters": parameters},
            "put": {"operationId": "putA", "requestBody": body},
        });
        let size = json!({"in": "query", "name": "page[size]", "schema": {"type": "integer"}});
        let components = json!({"parameters": {"Size": size}});
        Operations::of(&json!({"paths": {"/a": item}, "components": components})).unwrap()
    }

    fn exchange(asked: &str, body: &str, status: u16, answer: &str) -> Exchange {
        let request =
            format!("{} HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", asked.replace('/', "/t/"), body.len());
        let answer = format!("HTTP/1.1 {status} ..\r\ncontent-length: {}\r\n\r\n{answer}", answer.len());
        let book = format!("{} {} /t\n{request}{answer}", request.len(), answer.len());
        let asked = Entry::read(&mut book.as_bytes()).unwrap().unwrap().exchange().unwrap();
        assert!(asked.path.starts_with("/a"));
        asked
    }

    fn all() -> Vec<Exchange> {
        vec![
            exchange("GET /a?page[size]=2&b=c", "", 200, "{}"),
            exchange("GET /a", "", 200, "{}"),
            exchange("GET /a", "", 422, "[]"),
            exchange("GET /a", "", 304, ""),
            exchange("PUT /a", "", 200, "{}"),
            exchange("PUT /a", "[1]", 201, "{}"),
        ]
    }

    #[test]
    fn violation_is_planted_at_each_location() {
        let planted = of(&all(), &operations()).unwrap();
        let told = planted.iter().map(|exchange| {
            let Exchange { method, path, query, status, request, answer, planted, .. } = exchange;
            let [request, answer] = [request, answer].map(|message| String::from_utf8_lossy(&message.body));
            assert!(exchange.answer.is_whole());
            let planted = planted.as_ref().unwrap();
            format!("{method} {path}{query} {request} {status} {answer} {planted:?}")
        });
        let expected = [
            "GET /a?page[size]=2&b=c  200 [] Response",
            "GET /a  422 {} Response",
            "GET /a?b=c&page[size]=none-of-these  200 {} Parameter(\"page[size]\")",
            "GET /a?page[size]=2&b=c&title=xxx  200 {} Parameter(\"title\")",
            "PUT /a  200 [] Response",
            "PUT /a [1] 201 [] Response",
            "PUT /a [] 200 {} Body",
            "GET /nowhere?page[size]=2&b=c  200 {} Path",
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn location_without_a_suitable_exchange_is_named() {
        let refused = |exchanges: &[Exchange]| of(exchanges, &operations()).unwrap_err().to_string();
        assert_eq!(
            refused(&all()[2..4]),
            "no violation can be planted in a response of getA, page[size] of getA, title of getA, \
             a response of putA, the body of putA"
        );
        let mut lenient = all();
        for exchange in &mut lenient {
            exchange.has_good_request = exchange.method == "GET";
        }
        assert_eq!(refused(&lenient), "no violation can be planted in the body of putA");
        let item = json!({"get": {"operationId": "getA", "parameters": [{"in": "query", "name": "b"}]}});
        let operations = Operations::of(&json!({"paths": {"/a": item}})).unwrap();
        let error = of(&all(), &operations).unwrap_err().to_string();
        assert_eq!(error, "no violation can be planted in b of getA");
    }

    #[test]
    fn other_body_has_another_json_type() {
        let other = |body: &str| Some(with_other_body(&exchange("PUT /a", body, 200, "").request)?.body);
        for (body, expected) in [("", Some("[]")), ("{}", Some("[]")), ("[{}]", Some("{}")), ("a=b", None)] {
            assert_eq!(other(body), expected.map(|body| body.as_bytes().to_vec()), "{body}");
        }
    }

    #[test]
    fn violation_is_matched_by_location() {
        let is_of = |place: &Location, location: Value| place.is_of(&json!({"location": location}));
        let parameter = Location::Parameter("page[size]".to_owned());
        assert!(is_of(&parameter, json!(["request", "query", "page%5Bsize%5D"])));
        assert!(is_of(&parameter, json!(["request", "query", "page[size]"])));
        assert!(!is_of(&parameter, json!(["request", "query", "page[number]"])));
        assert!(!is_of(&parameter, json!(["request", "query"])));
        assert!(is_of(&Location::Body, json!(["request", "body", "a"])));
        assert!(is_of(&Location::Response, json!(["response", "body"])));
        assert!(!is_of(&Location::Response, json!(["request", "body"])));
        // A violation about an undocumented status says nothing about the body.
        assert!(!is_of(&Location::Response, json!(["response"])));
        let routed =
            |message: &str| Location::Path.is_of(&json!({"location": ["request"], "message": message}));
        assert!(routed("Selected route not found"));
        assert!(!routed("Invalid security scheme used"));
    }
}
