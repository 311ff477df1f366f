//! Exchanges that are wrong on purpose, made from those of the suite: in each of them prism has to find something.
//!
//! It takes everything for good that it has no use for: a body whose schema it cannot compile, a parameter whose name it
//! does not find. So that it says nothing is worth something only where it was seen to speak.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::exchange::Exchange;
use super::message::Message;
use super::operations::{Operation, Operations};
use super::parameters;

/// What is wrong in an exchange.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Place {
    /// No operation has its path.
    Path,
    /// The value of this parameter of its query string.
    Parameter(String),
    /// The body of its request.
    Body,
    /// The body of its answer.
    Answer,
}

impl Place {
    /// Whether a violation is of what stands here.
    pub(super) fn is_of(&self, violation: &Value) -> bool {
        let location = &violation["location"];
        let is_in = |message, part| location[0] == message && location[1] == part;
        match self {
            // The location alone is also that of a request without a token.
            Self::Path => {
                *location == json!(["request"]) && violation["message"] == "Selected route not found"
            }
            Self::Parameter(name) => {
                let found = location[2].as_str().map(parameters::decoded);
                is_in("request", "query") && found.is_some_and(|found| found.eq_ignore_ascii_case(name))
            }
            Self::Body => is_in("request", "body"),
            Self::Answer => is_in("response", "body"),
        }
    }
}

/// What can be planted: an answer of each operation and each status, a body of each operation that takes JSON, each
/// parameter of a query string, and a path of none.
///
/// # Errors
/// Names what nothing can be planted in: an operation has to be seen to do what it is asked, with a body of JSON.
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
            missing.push(format!("an answer of {}", operation.id));
        }
        planted.extend(answers);
        for (name, made) in requests(&own, operation) {
            match made {
                Some(made) => planted.push(made),
                None => missing.push(format!("{name} of {}", operation.id)),
            }
        }
    }
    ensure!(missing.is_empty(), "nothing can be planted in {}", missing.join(", "));
    planted.extend(exchanges.iter().find(|exchange| is_done(exchange)).map(nowhere));
    Ok(planted)
}

/// One of each status.
fn answers(own: &[&Exchange]) -> Vec<Exchange> {
    let mut by_status = BTreeMap::new();
    for exchange in own {
        if !by_status.contains_key(&exchange.status)
            && let Some(body) = other_body(&exchange.answer.body)
        {
            let answer = exchange.answer.with_body(body);
            let planted = Some(Place::Answer);
            by_status.insert(exchange.status, Exchange { answer, planted, ..(*exchange).clone() });
        }
    }
    by_status.into_values().collect()
}

/// One for the body and one for each parameter, where it can be made.
fn requests(own: &[&Exchange], operation: &Operation) -> Vec<(String, Option<Exchange>)> {
    let is_good = |exchange: &&&Exchange| is_done(exchange) && exchange.has_good_request;
    let takes_json = operation.kind.as_deref() == Some("application/json");
    let body = takes_json.then(|| {
        let with_body = own.iter().filter(is_good).find_map(|exchange| {
            let request = with_other_body(&exchange.request)?;
            Some(Exchange { request, planted: Some(Place::Body), ..(*exchange).clone() })
        });
        ("the body".to_owned(), with_body)
    });
    let of_parameters = operation.parameters.iter().map(|parameter| {
        let name = &parameter.name;
        let base = own.iter().find(is_good).zip(parameter.refused_value());
        let made = base.map(|(exchange, value)| {
            let query = parameters::with(&exchange.query, name, &value);
            Exchange { query, planted: Some(Place::Parameter(name.clone())), ..(*exchange).clone() }
        });
        (name.clone(), made)
    });
    body.into_iter().chain(of_parameters).collect()
}

fn nowhere(exchange: &Exchange) -> Exchange {
    Exchange { path: "/nowhere".to_owned(), planted: Some(Place::Path), ..exchange.clone() }
}

fn is_done(exchange: &Exchange) -> bool {
    (200..300).contains(&exchange.status)
}

/// None where its body is no JSON. Where there is none, an object would do, and an array would not.
fn with_other_body(request: &Message) -> Option<Message> {
    let body = if request.body.is_empty() { b"[]" } else { other_body(&request.body)? };
    let mut request = request.with_body(body);
    request.headers.retain(|(name, _)| name != "content-type");
    request.headers.push(("content-type".to_owned(), "application/json".to_owned()));
    Some(request)
}

/// JSON of another type; none where this is no JSON.
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
    fn something_is_planted_wherever_prism_has_to_look() {
        let planted = of(&all(), &operations()).unwrap();
        let told = planted.iter().map(|exchange| {
            let Exchange { method, path, query, status, request, answer, planted, .. } = exchange;
            let [request, answer] = [request, answer].map(|message| String::from_utf8_lossy(&message.body));
            assert!(exchange.answer.is_whole());
            let planted = planted.as_ref().unwrap();
            format!("{method} {path}{query} {request} {status} {answer} {planted:?}")
        });
        let expected = [
            "GET /a?page[size]=2&b=c  200 [] Answer",
            "GET /a  422 {} Answer",
            "GET /a?b=c&page[size]=none-of-these  200 {} Parameter(\"page[size]\")",
            "GET /a?page[size]=2&b=c&title=xxx  200 {} Parameter(\"title\")",
            "PUT /a  200 [] Answer",
            "PUT /a [1] 201 [] Answer",
            "PUT /a [] 200 {} Body",
            "GET /nowhere?page[size]=2&b=c  200 {} Path",
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_nothing_can_be_planted_in_is_named() {
        let refused = |exchanges: &[Exchange]| of(exchanges, &operations()).unwrap_err().to_string();
        assert_eq!(
            refused(&all()[2..4]),
            "nothing can be planted in an answer of getA, page[size] of getA, title of getA, an answer of putA, \
             the body of putA"
        );
        let mut lenient = all();
        for exchange in &mut lenient {
            exchange.has_good_request = exchange.method == "GET";
        }
        assert_eq!(refused(&lenient), "nothing can be planted in the body of putA");
        let item = json!({"get": {"operationId": "getA", "parameters": [{"in": "query", "name": "b"}]}});
        let operations = Operations::of(&json!({"paths": {"/a": item}})).unwrap();
        let error = of(&all(), &operations).unwrap_err().to_string();
        assert_eq!(error, "nothing can be planted in b of getA");
    }

    #[test]
    fn another_body_is_of_another_type_of_json() {
        let other = |body: &str| Some(with_other_body(&exchange("PUT /a", body, 200, "").request)?.body);
        for (body, expected) in [("", Some("[]")), ("{}", Some("[]")), ("[{}]", Some("{}")), ("a=b", None)] {
            assert_eq!(other(body), expected.map(|body| body.as_bytes().to_vec()), "{body}");
        }
    }

    #[test]
    fn a_violation_is_known_by_its_place() {
        let is_of = |place: &Place, location: Value| place.is_of(&json!({"location": location}));
        let parameter = Place::Parameter("page[size]".to_owned());
        assert!(is_of(&parameter, json!(["request", "query", "page%5Bsize%5D"])));
        assert!(is_of(&parameter, json!(["request", "query", "page[size]"])));
        assert!(!is_of(&parameter, json!(["request", "query", "page[number]"])));
        assert!(!is_of(&parameter, json!(["request", "query"])));
        assert!(is_of(&Place::Body, json!(["request", "body", "a"])));
        assert!(is_of(&Place::Answer, json!(["response", "body"])));
        assert!(!is_of(&Place::Answer, json!(["request", "body"])));
        // Of a status that nobody described: it says nothing of the body.
        assert!(!is_of(&Place::Answer, json!(["response"])));
        let routed = |message: &str| Place::Path.is_of(&json!({"location": ["request"], "message": message}));
        assert!(routed("Selected route not found"));
        assert!(!routed("Invalid security scheme used"));
    }
}
