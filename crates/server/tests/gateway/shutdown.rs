//! Ending without breaking what runs.

use std::time::Duration;

use pointbook_http::kernel::HttpLimits;
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::client::Client;
use crate::server::{HELLO, Server, WAIT};

#[tokio::test]
async fn what_runs_is_answered_and_nothing_new_is_taken() {
    let mut server = Server::start().await;
    let (mut running, mut idle) = (server.client().await, server.client().await);
    assert_eq!(idle.get(HELLO).await.status, 200);
    running.request("GET", WAIT, &[]).await;
    server.gate.entered().await;
    server.stop();
    assert_eq!(idle.rest().await, "", "an idle connection is closed");
    assert!(TcpStream::connect(server.address).await.is_err());
    server.gate.open();
    let answer = running.answer(true).await;
    assert_eq!((answer.status, answer.header("connection").as_deref()), (200, Some("close")));
    assert_eq!(running.rest().await, "");
    server.ended().await;
}

#[tokio::test]
async fn who_is_connected_already_is_answered() {
    let mut server = Server::start().await;
    let request = format!("GET {HELLO} HTTP/1.1\r\nHost: acme.example\r\n\r\n");
    let connect = |_| Client::connect_and_send(server.address, &request);
    let clients: Vec<Client> = (0..3).map(connect).collect();
    server.stop();
    for mut client in clients {
        assert_eq!(client.answer(true).await.status, 200);
        assert_eq!(client.rest().await, "");
    }
    server.ended().await;
}

#[tokio::test(start_paused = true)]
async fn what_does_not_finish_is_cut_off() {
    let limits = HttpLimits { drain_timeout_ms: 3_000, request_timeout_ms: 60_000, ..HttpLimits::default() };
    let mut server = Server::with(limits).await;
    let mut running = server.client().await;
    running.request("GET", WAIT, &[]).await;
    server.gate.entered().await;
    let started = Instant::now();
    server.stop();
    server.ended().await;
    assert_eq!(started.elapsed(), Duration::from_secs(3));
    assert_eq!(running.rest().await, "");
}

#[tokio::test(start_paused = true)]
async fn readiness_ends_before_the_listener() {
    let limits = HttpLimits { unready_before_close_ms: 5_000, ..HttpLimits::default() };
    let mut server = Server::with(limits).await;
    let mut client = server.client().await;
    assert_eq!(client.get("/readyz").await.status, 200);
    let started = Instant::now();
    server.stop();
    while client.get("/readyz").await.status == 200 {}
    assert_eq!(client.get("/healthz").await.status, 200);
    assert_eq!(server.client().await.get(HELLO).await.status, 200);
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert_eq!(client.rest().await, "");
    drop(client);
    server.ended().await;
    assert_eq!(started.elapsed(), Duration::from_secs(5));
}
