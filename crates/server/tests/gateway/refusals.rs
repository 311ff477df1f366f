//! What is refused before any route sees it.

use crate::client::Answer;
use crate::router::LONG_BYTES;
use crate::server::{HELLO, Server};

async fn refused(bytes: impl AsRef<[u8]>) -> Answer {
    let server = Server::start().await;
    let mut client = server.client().await;
    client.send(bytes).await;
    let answer = client.answer(true).await;
    assert_eq!(answer.header("connection").as_deref(), Some("close"));
    assert_eq!(client.rest().await, "");
    answer
}

fn head(line: &str, headers: &str) -> String {
    format!("GET {line} HTTP/1.1\r\nHost: acme.example\r\n{headers}\r\n")
}

#[tokio::test]
async fn bytes_that_are_no_request_are_400() {
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"G(T / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
    ] {
        refused(garbage).await.assert_bare(400);
    }
}

#[tokio::test]
async fn a_uri_beyond_the_limit_is_414() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let longest = format!("{HELLO}?{}", "x".repeat(8_192 - HELLO.len() - 1));
    assert_eq!(client.get(&longest).await.status, 200);
    client.get(&format!("{longest}x")).await.assert_error(414, "URI too long.");
}

/// The server refuses a head when it has read its limit, whatever is too long.
#[tokio::test]
async fn a_head_beyond_the_limit_is_431() {
    let long = "x".repeat(40 * 1024);
    let path = format!("{HELLO}?{long}");
    for (path, headers) in
        [(&*path, ""), (HELLO, &*format!("X-Huge: {long}\r\n")), (HELLO, &*"X-Many: x\r\n".repeat(100))]
    {
        let head = head(path, headers);
        let sent = &head.as_bytes()[..head.len().min(32 * 1024)];
        refused(sent).await.assert_bare(431);
        let server = Server::start().await;
        let mut client = server.client().await;
        assert_eq!(client.get(HELLO).await.status, 200);
        client.send(sent).await;
        client.answer(true).await.assert_bare(431);
    }
}

#[tokio::test]
async fn an_import_may_be_longer_and_nothing_else_at_its_path() {
    let server = Server::start().await;
    for (method, bytes, status) in [
        ("POST", 16 * 1024 * 1024, 404),
        ("POST", 16 * 1024 * 1024 + 1, 413),
        ("PUT", 1024 * 1024, 404),
        ("PUT", 1024 * 1024 + 1, 413),
        ("GET", 1024 * 1024 + 1, 413),
    ] {
        let mut client = server.client().await;
        // The operations of this test only have a limit for imports, so that what is let through is 404.
        let answer = client.ask(method, "/api/v1/import", &[&format!("Content-Length: {bytes}")]).await;
        assert_eq!(answer.status, status, "{method} {bytes}");
    }
}

#[tokio::test]
async fn a_refused_client_may_send_to_the_end_and_read_then() {
    let server = Server::start().await;
    let mut client = server.client().await;
    client.send(head(HELLO, &format!("X-Huge: {}\r\n", "x".repeat(LONG_BYTES)))).await;
    client.answer(true).await.assert_bare(431);
    let mut client = server.client().await;
    client.request("POST", "/api/v1/echo", &[&format!("Content-Length: {LONG_BYTES}")]).await;
    client.send("x".repeat(LONG_BYTES)).await;
    client.answer(true).await.assert_error(413, "Payload too large.");
}

#[tokio::test]
async fn a_client_whose_body_nobody_reads_gets_its_answer() {
    let server = Server::start().await;
    for (method, path, headers, status) in [
        ("DELETE", HELLO, "Transfer-Encoding: chunked\r\n", 405),
        ("POST", "/api/v1/nothing", "Transfer-Encoding: chunked\r\n", 404),
        ("GET", HELLO, "Transfer-Encoding: chunked\r\n", 200),
    ] {
        let mut client = server.client().await;
        client.send(format!("{method} {path} HTTP/1.1\r\nHost: acme.example\r\n{headers}\r\n")).await;
        let chunk = format!("{LONG_BYTES:x}\r\n{}\r\n", "x".repeat(LONG_BYTES));
        client.send(format!("{chunk}0\r\n\r\n")).await;
        assert_eq!(client.answer(true).await.status, status, "{method} {path}");
        assert_eq!(client.rest().await, "");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_client_that_stays_is_closed_soon() {
    let mut server = Server::start().await;
    let mut client = server.client().await;
    let started = tokio::time::Instant::now();
    client.send("no request\r\n\r\n").await;
    client.answer(true).await.assert_bare(400);
    assert_eq!(client.rest().await, "");
    server.stop();
    server.ended().await;
    assert_eq!(started.elapsed(), std::time::Duration::from_secs(1));
}
