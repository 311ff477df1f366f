//! Every error, caused by a real request: status, body and headers.

use std::sync::Arc;

use http::Method;
use pointbook_app::ports::Database;
use pointbook_testkit::{Fault, FaultyDatabase};

use crate::client::{Answer, Call};
use crate::harness::{TestServer, base_path, patient_limits};

fn assert_error(answer: &Answer, status: u16, body: &str) {
    assert_eq!((answer.status.as_u16(), answer.text()), (status, body));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-cache, private"));
    assert!(answer.header("x-request-id").is_some());
}

async fn call(server: &TestServer, method: Method, path: &str) -> Answer {
    Call::new(server.address(), method, format!("{}{path}", base_path())).bearer(server.token()).send().await
}

#[tokio::test]
async fn unknown_base_urls_and_routes_are_404() {
    let server = TestServer::start().await;
    for path in
        ["/", "/v1", "/v1/store", "/v1/store/product", "/v1/store/products/a/b", "/v2/store/products", ""]
    {
        let body = r#"{"message":"Not found.","code":"unknown_route"}"#;
        assert_error(&call(&server, Method::GET, path).await, 404, body);
    }
    for path in ["/nothing", "/shop/v1/store/products", "/stranger/api/v1/store/products"] {
        let answer = Call::new(server.address(), Method::GET, path).send().await;
        assert_error(&answer, 404, r#"{"message":"Not found.","code":"unknown_base_url"}"#);
    }
}

#[tokio::test]
async fn another_method_is_405_and_names_those_that_work() {
    let server = TestServer::start().await;
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        let answer = call(&server, method.clone(), "/v1/store/products").await;
        let body = format!(
            r#"{{"message":"The {method} method is not supported for this route. Supported methods: GET, HEAD.","code":"method_not_allowed"}}"#
        );
        assert_error(&answer, 405, &body);
        assert_eq!(answer.header("allow"), Some("GET, HEAD"));
    }
}

#[tokio::test]
async fn a_long_uri_is_414_and_long_headers_are_431() {
    let server = TestServer::start().await;
    let long = format!("/v1/store/products?x={}", "a".repeat(8_192));
    let answer = call(&server, Method::GET, &long).await;
    assert_eq!(
        (answer.status.as_u16(), answer.text()),
        (414, r#"{"message":"URI too long.","code":"uri_too_long"}"#)
    );
    let answer = server.call("/v1/store/products").header("x-long", "a".repeat(40_000)).send().await;
    assert_eq!((answer.status.as_u16(), answer.text()), (431, ""));
}

#[tokio::test]
async fn a_body_that_is_declared_too_long_is_413() {
    let server = TestServer::start().await;
    for path in [&*format!("{}/v1/store/products", base_path()), "/nowhere"] {
        let request = format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n");
        let answer = server.raw(request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        assert!(
            answer.ends_with(r#"{"message":"Payload too large.","code":"payload_too_large"}"#),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn invalid_http_is_400_without_a_body() {
    let server = TestServer::start().await;
    for garbage in ["\x16\x03\x01nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        let answer = server.raw(garbage.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{garbage:?}: {answer}");
        assert!(answer.to_lowercase().contains("content-length: 0\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n"), "{answer}");
    }
}

fn faulty(fault: Fault) -> impl FnOnce(Arc<dyn Database>) -> Arc<dyn Database> {
    move |database| Arc::new(FaultyDatabase::new(database, fault))
}

async fn with_fault(fault: Fault) -> TestServer {
    TestServer::start_on(faulty(fault)).await
}

#[tokio::test]
async fn a_panic_is_a_500_for_one_request_and_nothing_of_the_cause() {
    let server = with_fault(Fault::Panic).await;
    assert_error(
        &server.get("/v1/user/point-history").await,
        500,
        r#"{"message":"Server Error.","code":"server_error"}"#,
    );
    assert_eq!(server.get("/v1/store/products").await.status, 200);
}

#[tokio::test]
async fn a_failing_store_is_a_500_and_nothing_of_the_cause() {
    let server = with_fault(Fault::Fail).await;
    assert_error(
        &server.get("/v1/user/point-history").await,
        500,
        r#"{"message":"Server Error.","code":"server_error"}"#,
    );
}

#[tokio::test]
async fn unavailable_store_is_503() {
    let server = with_fault(Fault::Unavailable).await;
    let answer = server.get("/v1/user/point-history").await;
    assert_error(&answer, 503, r#"{"message":"Service Unavailable","code":"unavailable"}"#);
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn a_request_out_of_time_is_a_503() {
    let server = with_fault(Fault::Hang).await;
    let answer = server.get("/v1/user/point-history").await;
    assert_error(&answer, 503, r#"{"message":"Service Unavailable","code":"unavailable"}"#);
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn an_overload_is_a_503() {
    let server = TestServer::start_with(patient_limits(), faulty(Fault::Hang)).await;
    server.take_all_permits().await;
    let answer = server.get("/v1/store/products").await;
    assert_error(&answer, 503, r#"{"message":"Service Unavailable","code":"unavailable"}"#);
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn a_used_up_rate_limit_is_a_429_before_parameters_are_read() {
    let server = TestServer::start().await;
    server.set("rate_limit_reads_per_minute", "2").await;
    let first = server.get("/v1/store/products").await;
    assert_eq!((first.status.as_u16(), first.header("x-ratelimit-limit")), (200, None));
    assert_eq!(server.get("/v1/store/products").await.status, 200);
    let answer = server.get("/v1/store/products?page[number]=x").await;
    assert_error(&answer, 429, r#"{"message":"Too Many Attempts.","code":"rate_limited"}"#);
    assert!(answer.header("retry-after").unwrap().parse::<u32>().unwrap() > 0);
    assert_eq!(
        (answer.header("x-ratelimit-limit"), answer.header("x-ratelimit-remaining")),
        (Some("2"), Some("0"))
    );
    // The clock stands still at 2026-03-01T12:00:00Z, so the next minute begins a whole minute later.
    assert_eq!(answer.header("x-ratelimit-reset"), Some("1772366460"));
    let other = server.issue("another-user").await;
    assert_eq!(server.call("/v1/store/products").bearer(&other).send().await.status, 200);
    server.advance_seconds(60);
    assert_eq!(server.get("/v1/store/products").await.status, 200);
}

#[tokio::test]
async fn host_header_must_be_present_once_and_valid() {
    let server = TestServer::start().await;
    let ask = async |target: &str, version: &str, hosts: &str| {
        let request = format!(
            "GET {target} HTTP/{version}\r\n{hosts}Connection: close\r\nAuthorization: Bearer {}\r\n\r\n",
            server.token()
        );
        let answer = server.raw(request.as_bytes()).await;
        (answer.split(' ').nth(1).unwrap().to_owned(), answer)
    };
    let user = format!("{}/v1/user", base_path());
    let absolute = format!("http://shop.example{user}");
    for target in [&*user, &absolute, "/readyz", "/openapi.json"] {
        for hosts in [
            "",
            "Host: a\r\nHost: a\r\n",
            "Host: a\r\nHost: b\r\n",
            "Host: a b\r\n",
            "Host: a/b\r\n",
            "Host: u@a\r\n",
        ] {
            let (status, answer) = ask(target, "1.1", hosts).await;
            assert_eq!(status, "400", "{target} {hosts}");
            assert!(answer.ends_with(r#""detail":"The Host header is missing or invalid."}"#), "{answer}");
        }
        assert_eq!(ask(target, "1.1", "Host: shop.example:443\r\n").await.0, "200", "{target}");
        assert_eq!(ask(target, "1.0", "").await.0, "200", "HTTP/1.0 may leave it out: {target}");
        assert_eq!(ask(target, "1.0", "Host: a\r\nHost: a\r\n").await.0, "400", "{target}");
    }
    assert_eq!(ask(&absolute, "1.1", "Host: other.example\r\n").await.0, "200", "an absolute URI wins");
}
