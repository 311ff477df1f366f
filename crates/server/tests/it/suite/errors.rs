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

fn faulty(fault: Fault) -> impl FnOnce(Arc<dyn Database>) -> Arc<dyn Database> {
    move |database| Arc::new(FaultyDatabase::new(database, fault))
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
