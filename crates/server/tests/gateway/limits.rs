//! Handlers that are too many, too slow or broken.

use std::time::Duration;

use pointbook_http::kernel::{HttpLimits, install_metrics};
use tokio::time::Instant;

use crate::server::{HELLO, Server, WAIT};

#[tokio::test]
async fn beyond_the_limit_of_requests_there_is_503() {
    let server = Server::with(HttpLimits { max_concurrent_requests: 1, ..HttpLimits::default() }).await;
    let (mut first, mut second) = (server.client().await, server.client().await);
    first.request("GET", WAIT, &[]).await;
    server.gate.entered().await;
    let refused = second.get(HELLO).await;
    refused.assert_error(503, "Service Unavailable");
    assert_eq!(refused.header("retry-after").as_deref(), Some("1"));
    assert_eq!(refused.header("access-control-allow-origin").as_deref(), Some("*"));
    server.gate.open();
    assert_eq!(first.answer(true).await.status, 200);
    assert_eq!(second.get(HELLO).await.status, 200);
}

#[tokio::test]
async fn overload_refuses_neither_preflights_nor_probes() {
    let server = Server::with(HttpLimits { max_concurrent_requests: 0, ..HttpLimits::default() }).await;
    let mut client = server.client().await;
    let preflight = ["Origin: https://shop.example", "Access-Control-Request-Method: GET"];
    assert_eq!(client.ask("OPTIONS", HELLO, &preflight).await.status, 204);
    assert_eq!(client.get("/healthz").await.status, 200);
    assert_eq!(client.get(HELLO).await.status, 503);
    let otherwise_413 = client.ask("POST", "/nowhere", &["Content-Length: 9999999"]).await;
    otherwise_413.assert_error(503, "Service Unavailable");
}

#[tokio::test(start_paused = true)]
async fn a_handler_out_of_time_is_503_and_the_connection_goes_on() {
    let handle = install_metrics().unwrap();
    let server = Server::start().await;
    let mut client = server.client().await;
    let started = Instant::now();
    let answer = client.get(WAIT).await;
    answer.assert_error(503, "Service Unavailable");
    assert_eq!(answer.header("retry-after").as_deref(), Some("1"));
    assert_eq!(started.elapsed(), Duration::from_secs(10));
    assert_eq!(client.get(HELLO).await.status, 200);
    let series = "pointbook_http_requests_total{route=\"test.wait\",method=\"GET\",status=\"503\"}";
    assert!(handle.render().contains(series));
}

#[tokio::test]
async fn a_request_that_failed_gives_its_place_back() {
    let server = Server::with(HttpLimits { max_concurrent_requests: 1, ..HttpLimits::default() }).await;
    let mut client = server.client().await;
    assert_eq!(client.get("/api/v1/panic").await.status, 500);
    assert_eq!(client.get("/nowhere").await.status, 404);
    assert_eq!(client.get(HELLO).await.status, 200);
}
