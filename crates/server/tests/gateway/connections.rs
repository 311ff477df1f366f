//! How long and how many connections are kept. Time stands still but for who waits for it.

use std::time::Duration;

use pointbook_http::kernel::{HttpLimits, install_metrics};
use tokio::time::{Instant, timeout};

use crate::client::Client;
use crate::server::{HELLO, Server};

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

#[tokio::test(start_paused = true)]
async fn trickled_headers_are_cut() {
    let server = Server::start().await;
    let mut client = server.client().await;
    assert_eq!(client.get(HELLO).await.status, 200);
    let started = Instant::now();
    for byte in ["G", "E", "T"] {
        client.send(byte).await;
        assert!(timeout(seconds(3), client.rest()).await.is_err());
    }
    assert_eq!(client.rest().await, "");
    assert_eq!(started.elapsed(), seconds(10));
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_is_kept_for_longer() {
    let server = Server::start().await;
    let mut client = server.client().await;
    assert_eq!(client.get(HELLO).await.status, 200);
    assert!(timeout(seconds(60), client.rest()).await.is_err());
    assert_eq!(client.get(HELLO).await.status, 200);
    let started = Instant::now();
    assert_eq!(client.rest().await, "");
    assert_eq!(started.elapsed(), seconds(75));
}

#[tokio::test(start_paused = true)]
async fn a_connection_beyond_the_limit_waits_for_a_place() {
    let server = Server::with(HttpLimits { max_connections: 1, ..HttpLimits::default() }).await;
    let (mut first, mut second) = (server.client().await, server.client().await);
    assert_eq!(first.get(HELLO).await.status, 200);
    second.request("GET", HELLO, &[]).await;
    assert!(timeout(seconds(5), second.rest()).await.is_err());
    drop(first);
    assert_eq!(second.answer(true).await.status, 200);
}

/// Linux has all of 127.0.0.0/8.
#[cfg(target_os = "linux")]
#[tokio::test(start_paused = true)]
async fn an_address_has_at_most_half_of_the_connections() {
    let limits = HttpLimits { max_connections: 4, ..HttpLimits::default() };
    let metrics = install_metrics().unwrap();
    let server = Server::with(limits).await;
    let (mut first, _second) = (server.client().await, server.client().await);
    assert_eq!(first.get(HELLO).await.status, 200);
    for _ in 0..3 {
        assert_eq!(server.client().await.rest().await, "", "it is closed at once");
    }
    assert!(metrics.render().contains("\npointbook_http_connections_refused_total 3\n"));
    let mut other = Client::connect_from([127, 0, 0, 2], server.address).await;
    assert_eq!(other.get(HELLO).await.status, 200);
    let proxied = Server::behind("127.0.0.1", limits, None).await;
    let _clients = [proxied.client().await, proxied.client().await];
    assert_eq!(proxied.client().await.get(HELLO).await.status, 200, "a trusted proxy has many clients");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_cut() {
    let limits = HttpLimits { drain_timeout_ms: 60_000, ..HttpLimits::default() };
    let mut server = Server::with(limits).await;
    let mut client = server.client().await;
    let started = Instant::now();
    for _ in 0..2 {
        client.request("GET", "/api/v1/long", &[]).await;
    }
    assert_eq!(client.answer(false).await.status, 200);
    server.stop();
    server.ended().await;
    assert_eq!(started.elapsed(), seconds(10));
}
