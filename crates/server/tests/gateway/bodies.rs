//! Bodies that come slowly, and bodies that are not read.

use std::time::Duration;

use futures_util::future::select_all;
use pointbook_http::kernel::HttpLimits;
use tokio::time::{Instant, timeout};

use crate::client::{Answer, Client};
use crate::server::{HELLO, Server, WAIT};

const ECHO: &str = "/api/v1/echo";

/// A request for an echo, of whose body nothing comes.
async fn idle(server: &Server) -> Client {
    let mut client = server.client().await;
    client.request("POST", ECHO, &["Content-Length: 100"]).await;
    client
}

async fn echo(server: &Server) -> Answer {
    let mut client = server.client().await;
    client.request("POST", ECHO, &["Content-Length: 3"]).await;
    client.send("abc").await;
    client.answer(true).await
}

/// Sends one request more than may wait for their bodies. When one is refused, all others wait. Returns them, and the refusal.
async fn one_too_many(server: &Server, bound: usize) -> (Vec<Client>, Answer) {
    let mut clients = Vec::new();
    for _ in 0..=bound {
        clients.push(idle(server).await);
    }
    let answers = clients.iter_mut().map(|client| Box::pin(client.answer(true)));
    let (refused, place, _) = select_all(answers).await;
    clients.remove(place);
    (clients, refused)
}

#[tokio::test]
async fn a_request_takes_a_working_permit_only_when_its_body_is_there() {
    let server = Server::with(HttpLimits { max_concurrent_requests: 1, ..HttpLimits::default() }).await;
    let waiting = [idle(&server).await, idle(&server).await, idle(&server).await];
    assert_eq!(server.client().await.get(HELLO).await.status, 200);
    assert_eq!(echo(&server).await.body, "abc");
    let [mut first, ..] = waiting;
    first.send("x".repeat(100)).await;
    assert_eq!(first.answer(true).await.body.len(), 100);
}

#[tokio::test]
async fn bodies_beyond_the_bound_are_503_and_complete_requests_go_on() {
    let limits = HttpLimits { max_arriving_bodies_per_principal: 2, ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let (_waiting, refused) = one_too_many(&server, 2).await;
    refused.assert_error(503, "Service Unavailable");
    assert_eq!(refused.header("retry-after").as_deref(), Some("1"));
    assert_eq!(echo(&server).await.body, "abc");
    let mut other = server.client().await;
    other.send(format!("POST {ECHO} HTTP/1.1\r\nHost: other.example\r\nContent-Length: 3\r\n\r\nab")).await;
    other.send("c").await;
    assert_eq!(other.answer(true).await.body, "abc", "another tenant");
    assert_eq!(server.client().await.get("/readyz").await.body, r#"{"status":"ok"}"#);
}

#[tokio::test]
async fn bodies_take_no_more_memory_than_their_bound() {
    let limits = HttpLimits { max_body_memory_bytes: 4 * 100_000, ..HttpLimits::default() };
    let server = Server::with(limits).await;
    let mut client = server.client().await;
    client.request("POST", ECHO, &["Content-Length: 300000"]).await;
    client.send("x".repeat(300_000)).await;
    let refused = client.answer(true).await;
    refused.assert_error(503, "Service Unavailable");
    assert_eq!(refused.header("connection").as_deref(), Some("close"));
    assert_eq!(echo(&server).await.body, "abc");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_in_time_is_408() {
    for (header, bytes) in [
        ("Content-Length: 100", ""),
        ("Content-Length: 100", "abc"),
        ("Transfer-Encoding: chunked", "3\r\nabc\r\n"),
    ] {
        let server = Server::start().await;
        let mut client = server.client().await;
        let started = Instant::now();
        client.request("POST", ECHO, &[header]).await;
        client.send(bytes).await;
        let answer = client.answer(true).await;
        answer.assert_error(408, "Request Timeout");
        assert_eq!(started.elapsed(), Duration::from_secs(10), "{header}");
        assert_eq!(answer.header("connection").as_deref(), Some("close"), "{header}");
        assert_eq!(client.rest().await, "");
    }
}

#[tokio::test(start_paused = true)]
async fn dripping_does_not_make_the_time_longer() {
    let server = Server::start().await;
    let (mut client, started) = (idle(&server).await, Instant::now());
    for _ in 0..9 {
        assert!(timeout(Duration::from_secs(1), client.answer(true)).await.is_err());
        client.send("x").await;
    }
    assert_eq!(client.answer(true).await.status, 408);
    assert_eq!(started.elapsed(), Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_an_operation_begins_when_the_body_is_there() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let started = Instant::now();
    client.request("POST", WAIT, &["Content-Length: 3"]).await;
    assert!(timeout(Duration::from_secs(9), client.answer(true)).await.is_err());
    client.send("abc").await;
    server.gate.entered().await;
    client.answer(true).await.assert_error(503, "Service Unavailable");
    assert_eq!(started.elapsed(), Duration::from_secs(19));
}

/// Requests whose body is not read, with the status of their responses.
const REFUSED: [(&str, &str, u16); 6] = [
    ("POST", "/api/v1/nothing", 404),
    ("POST", "/nowhere", 404),
    ("DELETE", HELLO, 405),
    ("POST", HELLO, 201),
    ("GET", HELLO, 200),
    ("POST", "/readyz", 405),
];

#[tokio::test]
async fn a_body_that_nobody_read_leaves_the_connection_usable() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for (method, path, status) in REFUSED {
        for length in [1, 1_000, 30_000, 65_536] {
            client.request(method, path, &[&format!("Content-Length: {length}")]).await;
            client.send("x".repeat(length)).await;
            let answer = client.answer(true).await;
            assert_eq!(
                (answer.status, answer.header("connection")),
                (status, None),
                "{method} {path} {length}"
            );
            assert_eq!(client.get(HELLO).await.status, 200, "{method} {path} {length}");
        }
    }
}

#[tokio::test]
async fn a_response_that_cannot_leave_the_connection_usable_says_so() {
    let server = Server::start().await;
    for (method, path, status) in REFUSED {
        for header in [
            "Content-Length: 65537\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Content-Length: 100\r\nExpect: 100-continue\r\n",
        ] {
            let mut client = server.client().await;
            client.send(format!("{method} {path} HTTP/1.1\r\nHost: acme.example\r\n{header}\r\n")).await;
            let answer = client.answer(true).await;
            assert_eq!(answer.status, status, "{method} {path} {header}");
            assert_eq!(answer.header("connection").as_deref(), Some("close"), "{method} {path} {header}");
            assert_eq!(client.rest().await, "");
        }
    }
}

#[tokio::test]
async fn a_client_that_waits_for_100_continue_gets_it_when_its_body_is_read() {
    let server = Server::start().await;
    let mut client = server.client().await;
    client.request("POST", ECHO, &["Content-Length: 3", "Expect: 100-continue"]).await;
    assert_eq!(client.answer(false).await.status, 100);
    client.send("abc").await;
    assert_eq!(client.answer(true).await.body, "abc");
    assert_eq!(client.get(HELLO).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn the_body_of_a_refused_request_is_not_waited_for_longer_than_any_other() {
    let server = Server::start().await;
    let (mut client, started) = (server.client().await, Instant::now());
    client.request("POST", "/api/v1/nothing", &["Content-Length: 100"]).await;
    assert_eq!(client.answer(true).await.status, 404);
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert_eq!(client.rest().await, "");
    assert_eq!(started.elapsed(), Duration::from_secs(10));
}
