//! Exchanges that the OpenAPI document does not describe.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use super::{Exchange, OPERATIONS, check_raw};
use crate::client::Answer;
use crate::harness::{STAGING_PATH, base_path};

/// A request and its response, to be changed.
struct Sample {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: String,
    answer: Answer,
}

impl Sample {
    /// One that the document describes, with the examples of the document as bodies.
    fn good(id: &str, path: &str, status: u16, headers: &[(&'static str, &'static str)]) -> Self {
        let operation = OPERATIONS.iter().find(|operation| operation.described["operationId"] == id).unwrap();
        let example = |described: &serde_json::Value| {
            let example = described["content"]["application/json"].get("example");
            example.map(ToString::to_string).unwrap_or_default()
        };
        let body = example(&operation.described["requestBody"]);
        let answer = example(super::resolved(&operation.described["responses"][status.to_string()]));
        let mut sample = Self {
            method: operation.method.clone(),
            path: path.to_owned(),
            headers: vec![("Authorization".to_owned(), "Bearer a".to_owned())],
            body,
            answer: Answer {
                status: StatusCode::from_u16(status).unwrap(),
                headers: HeaderMap::new(),
                body: Bytes::from(answer),
            },
        };
        let of_all = [
            ("content-type", "application/json"),
            ("cache-control", "no-cache, private"),
            ("x-request-id", "a"),
            ("x-content-type-options", "nosniff"),
        ];
        for (name, value) in of_all.iter().chain(headers) {
            sample.respond(name, value);
        }
        sample
    }

    fn respond(&mut self, name: &'static str, value: &'static str) {
        self.answer.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }

    /// Changes a text in the body of the response.
    fn replace(&mut self, old: &str, new: &str) {
        let body = std::str::from_utf8(&self.answer.body).unwrap();
        assert!(body.contains(old), "{body}");
        self.answer.body = body.replacen(old, new, 1).into();
    }

    fn problems(&self) -> Vec<String> {
        let uri = format!("{}{}", base_path(), self.path);
        let Self { method, headers, body, answer, .. } = self;
        let exchange = Exchange { method, uri: &uri, headers, body: body.as_bytes(), answer };
        let mut problems = exchange.error_problems();
        problems
            .extend(exchange.operation().map(|operation| operation.problems(&exchange)).unwrap_or_default());
        problems
    }
}

const TAG: &[(&str, &str)] = &[("etag", "\"0123456789abcdef0123456789abcdef\""), ("vary", "Accept-Encoding")];

fn list() -> Sample {
    Sample::good("listCategories", "/v1/store/categories/", 200, TAG)
}

fn products(query: &str) -> Sample {
    Sample::good("listProducts", &format!("/v1/store/products?{query}"), 200, TAG)
}

fn order() -> Sample {
    Sample::good("placeOrder", "/v1/store/orders", 201, &[])
}

fn product(id: &str) -> Sample {
    Sample::good("getProduct", &format!("/v1/store/products/{id}"), 200, TAG)
}

fn unauthenticated() -> Sample {
    let headers = [("www-authenticate", "Bearer"), ("error-code", "unauthenticated")];
    Sample::good("listCategories", "/v1/store/categories", 401, &headers)
}

fn refused_order() -> Sample {
    Sample::good("placeOrder", "/v1/store/orders?a=b", 422, &[("error-code", "invalid")])
}

fn end() -> Sample {
    Sample::good("endToken", "/v1/auth/token", 200, &[])
}

fn changed(mut sample: Sample, change: impl Fn(&mut Sample)) -> Sample {
    change(&mut sample);
    sample
}

#[test]
fn described_exchanges_have_no_problems() {
    let refused = |body: &str| {
        let mut refused = refused_order();
        refused.body = body.to_owned();
        refused
    };
    for sample in [
        list(),
        order(),
        product("a%2Fb"),
        products(
            "page%5Bsize%5D=1&filter[onSale]=1&filter[lowStock]=FALSE&filter[title][]=a&filter[title][]=b&sort=-price&mode=&x=1",
        ),
        Sample::good("listCategories", "/v1/store/categories", 304, TAG),
        unauthenticated(),
        changed(list(), |list| list.body = "{".to_owned()),
        changed(list(), |list| list.respond("x-pointbook-clock", "2026-03-01T12:00:00.000000Z")),
        changed(order(), |order| {
            order.headers.push(("content-type".to_owned(), "Application/JSON; a=b".to_owned()));
        }),
        changed(order(), |order| order.headers.push(("idempotency-key".to_owned(), "a".to_owned()))),
        // Refused requests may be anything.
        refused("{"),
        refused(r#"{"colour":"red"}"#),
    ] {
        assert_eq!(sample.problems(), [""; 0], "{}", sample.path);
    }
}

#[test]
fn undescribed_responses_are_found() {
    for (expected, sample) in [
        ("the status is not described", changed(list(), |list| list.answer.status = StatusCode::CREATED)),
        ("the status is not described", changed(list(), |list| list.answer.status = StatusCode::CONFLICT)),
        ("the header etag is missing", changed(list(), |list| _ = list.answer.headers.remove("etag"))),
        ("the header vary is missing", changed(list(), |list| _ = list.answer.headers.remove("vary"))),
        (
            "the header x-request-id is missing",
            changed(order(), |order| _ = order.answer.headers.remove("x-request-id")),
        ),
        ("the header etag: ", changed(list(), |list| list.respond("etag", "W/1"))),
        ("the header x-colour is not described", changed(list(), |list| list.respond("x-colour", "red"))),
        ("the header x-pointbook-clock: ", changed(list(), |list| list.respond("x-pointbook-clock", "now"))),
        (
            "the media type \"text/plain\" is not",
            changed(list(), |list| list.respond("content-type", "text/plain")),
        ),
        ("there is a body", changed(list(), |list| list.answer.status = StatusCode::NOT_MODIFIED)),
        ("is not of type", changed(list(), |list| list.replace("\"children\":[]", "\"children\":{}"))),
        ("null is not of type", changed(list(), |list| list.replace("\"children\":[]", "\"children\":null"))),
        (
            "Additional properties",
            changed(list(), |list| list.replace("\"children\":[]", "\"children\":[],\"x\":1")),
        ),
        ("\"children\" is a required", changed(list(), |list| list.replace("\"children\":[],", ""))),
        ("Additional properties", changed(list(), |list| list.replace("{", "{\"success\":true,"))),
        (
            "the header error-code is missing",
            changed(unauthenticated(), |one| _ = one.answer.headers.remove("error-code")),
        ),
        (
            "the header error-code: ",
            changed(unauthenticated(), |one| one.respond("error-code", "no_such_code")),
        ),
        (
            "the code of the body is not",
            changed(refused_order(), |order| order.respond("error-code", "not_found")),
        ),
        (
            "Additional properties",
            changed(unauthenticated(), |one| one.replace("}", ",\"code\":\"unauthenticated\"}")),
        ),
        (
            "\"codes\" is a required",
            changed(refused_order(), |order| order.replace("\"codes\"", "\"other\"")),
        ),
        ("has more than a message", changed(refused_order(), |order| order.path = "/v1/nothing".to_owned())),
        (
            "success is not that of",
            changed(order(), |order| order.replace("\"success\":true", "\"success\":false")),
        ),
    ] {
        let problems = sample.problems();
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}: {problems:?}");
    }
}

#[test]
fn undescribed_requests_are_found_when_they_are_accepted() {
    let body = |body: &str| changed(order(), |order| order.body = body.to_owned());
    let header = |name: &str, value: &str| {
        changed(order(), |order| order.headers.push((name.to_owned(), value.to_owned())))
    };
    let long = "x".repeat(256);
    for (expected, sample) in [
        ("the query parameter colour is not described", products("colour=red")),
        ("the query parameter page[size]: \"x\" is not of type", products("page[size]=x")),
        ("the query parameter page[size]: 0 is less", products("page[size]=0")),
        ("the query parameter page[number]: 2147483648 is greater", products("page[number]=2147483648")),
        ("the query parameter filter[onSale]: \"yes\"", products("filter%5BonSale%5D=yes")),
        ("the query parameter sort: \"sku\"", products("sort=sku")),
        ("the query parameter filter[title]: ", products(&format!("filter[title]={long}"))),
        ("the path parameter productId: ", product(&long)),
        ("the path parameter productId: ", product("a%00")),
        ("the header parameter Idempotency-Key: ", header("idempotency-key", "a b")),
        ("there is no token", changed(list(), |list| list.headers.clear())),
        ("the media type of the body, text/plain, is", header("content-type", "text/plain")),
        ("there is no body", body("")),
        ("the body is not JSON", body("{")),
        ("is not of type", body(r#"{"product_id":7}"#)),
        ("null is not of type", body(r#"{"product_id":null}"#)),
        ("Additional properties", body(r#"{"product_id":"mug","colour":"red"}"#)),
        ("\"product_id\" is a required", body("{}")),
        ("is less than the minimum", body(r#"{"product_id":"mug","quantity":0}"#)),
        ("the body is not described", changed(end(), |end| end.body = "{}".to_owned())),
    ] {
        let problems = sample.problems();
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}: {problems:?}");
    }
}

#[test]
fn lines_of_an_import_are_found() {
    let import = |line: &str, rejected: &str| {
        let mut import = Sample::good("importUsers", "/v1/manage/users/import", 200, &[]);
        import.body = format!("{{\"user_id\":\"a\"}}\n\n{line}\n");
        import.headers.push(("content-type".to_owned(), "application/jsonl".to_owned()));
        import.replace("\"rejected\":0", &format!("\"rejected\":{rejected}"));
        import.problems()
    };
    assert_eq!(import(r#"{"user_id":"b"}"#, "0"), [""; 0]);
    assert_eq!(import(r#"{"user_id":7}"#, "0").len(), 1);
    assert_eq!(import(r#"{"user_id":7}"#, "1"), [""; 0], "the server refused some of the lines");
}

const RAW: &[u8] = b"GET /shop/api/v1/store/products HTTP/1.1\r\nHost: x\r\n\r\n";

#[test]
#[should_panic(expected = "the header x-request-id is missing")]
fn raw_exchanges_are_judged() {
    check_raw(RAW, b"HTTP/1.1 500 No\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
}

#[test]
fn raw_bytes_without_a_whole_response_are_not_judged() {
    let cut: &[u8] = b"HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\n{}";
    for (request, answer) in [(RAW, cut), (RAW, b""), (b"GET", cut), (b"\xff\r\n\r\n", b"\xff\r\n\r\n")] {
        check_raw(request, answer);
    }
    check_raw(RAW, b"HTTP/1.1 431 No\r\nContent-Length: 0\r\n\r\n");
}

#[test]
fn path_without_parameter_wins() {
    let answer = list().answer;
    let id = |method: Method, uri: &str| {
        let exchange = Exchange { method: &method, uri, headers: &[], body: b"", answer: &answer };
        exchange.operation().map(|operation| operation.described["operationId"].as_str().unwrap())
    };
    let base = base_path();
    assert_eq!(id(Method::POST, &format!("{base}/v1/manage/products/import?a")), Some("importProducts"));
    assert_eq!(id(Method::GET, &format!("{base}/v1/manage/products/import/")), Some("getManagedProduct"));
    assert_eq!(id(Method::HEAD, &format!("{STAGING_PATH}/v1/store/products/a%2Fb")), Some("getProduct"));
    assert_eq!(id(Method::GET, &format!("{base}/v1/nothing")), None);
    assert_eq!(id(Method::GET, "/stranger/api/v1/store/products"), None);
}
