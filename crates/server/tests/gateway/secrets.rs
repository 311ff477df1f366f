//! Responses whose tag cannot be made, because the database does not give the secret of the tenant.

use std::time::Duration;

use pointbook_http::kernel::HttpLimits;
use pointbook_testkit::Fault;
use tokio::time::Instant;

use crate::server::{HELLO, Server};

#[tokio::test(start_paused = true)]
async fn a_secret_that_does_not_come_is_waited_for_no_longer_than_a_request() {
    let server = Server::with(HttpLimits { request_timeout_ms: 3_000, ..HttpLimits::default() }).await;
    server.database.fail_secret(Some(Fault::Hang));
    let (mut client, started) = (server.client().await, Instant::now());
    client.get(HELLO).await.assert_error(503, "Service Unavailable");
    assert_eq!(started.elapsed(), Duration::from_secs(3));
    server.database.fail_secret(None);
    assert_eq!(client.get(HELLO).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn requests_that_wait_for_a_secret_share_one_failure() {
    let server = Server::start().await;
    server.database.fail_secret(Some(Fault::Late));
    let mut clients = [server.client().await, server.client().await, server.client().await];
    let started = Instant::now();
    for client in &mut clients {
        client.request("GET", HELLO, &[]).await;
    }
    for client in &mut clients {
        client.answer(true).await.assert_error(503, "Service Unavailable");
    }
    assert_eq!(started.elapsed(), Duration::from_secs(1));
    clients[0].get(HELLO).await.assert_error(503, "Service Unavailable");
    assert_eq!(started.elapsed(), Duration::from_secs(2), "who comes later tries again");
}

#[tokio::test]
async fn a_response_without_its_tag_still_says_that_the_connection_ends() {
    let server = Server::start().await;
    server.database.fail_secret(Some(Fault::Unavailable));
    let mut client = server.client().await;
    client.request("GET", HELLO, &["Content-Length: 65537"]).await;
    let answer = client.answer(true).await;
    answer.assert_error(503, "Service Unavailable");
    assert_eq!(answer.header("connection").as_deref(), Some("close"));
    assert_eq!(client.rest().await, "");
}
