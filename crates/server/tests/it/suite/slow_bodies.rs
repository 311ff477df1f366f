//! Clients whose bodies do not arrive use only their own share of the server.

use http::Method;
use pointbook_domain::TokenKind;
use pointbook_http::kernel::HttpLimits;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::client::Call;
use crate::harness::{TestServer, base_path};

const ORDERS: &str = "/v1/store/orders";
const IMPORT: &str = "/v1/manage/activities/import";

/// Limits with which a body may arrive for longer than any test runs.
fn patient() -> HttpLimits {
    HttpLimits { body_read_timeout_ms: 3_600_000, request_timeout_ms: 3_600_000, ..HttpLimits::default() }
}

async fn server(limits: HttpLimits) -> TestServer {
    let server = TestServer::start_with(limits, |database| database).await;
    server.add_product("mug").await;
    server.award(1_000_000).await;
    server.set("rate_limit_writes_per_minute", "0").await;
    server
}

/// Sends the head of a POST, and these bytes of its body.
async fn begin(server: &TestServer, path: &str, token: &str, headers: &str, bytes: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let head = format!(
        "POST {}{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{headers}\r\n\r\n{bytes}",
        base_path()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Waits until this many of the requests without body were refused with 503. Returns the others.
async fn refused(mut streams: JoinSet<(TcpStream, String)>, count: usize) -> JoinSet<(TcpStream, String)> {
    for _ in 0..count {
        let (_, status) = streams.join_next().await.unwrap().unwrap();
        assert_eq!(status, "HTTP/1.1 503");
    }
    streams
}

/// Reads the beginning of a response.
async fn status(mut stream: TcpStream) -> (TcpStream, String) {
    let mut status = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut status).await.unwrap();
    (stream, String::from_utf8_lossy(&status).into_owned())
}

/// Requests `/readyz` without a transcript: its body depends on the seconds since the last refusal.
async fn assert_is_ready(server: &TestServer) {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    assert_eq!(status(stream).await.1, "HTTP/1.1 200");
}

/// The server responds to every kind of request of other users, and to complete requests of the slow user.
async fn assert_all_are_served(server: &TestServer) {
    let other_user = server.issue_with_points("u2", 1_000).await;
    let office = server.issue_super_user().await;
    let other_tenant = server.issue_kind("other", TokenKind::SuperUser, None).await;
    for path in ["/v1/store/products", "/v1/user/point-history", "/v1/user", "/v1/store/orders"] {
        for token in [server.token(), &other_user] {
            let answer = server.call(path).bearer(token).send().await;
            assert_eq!(answer.status, 200, "{path}");
        }
    }
    for token in [server.token(), &other_user] {
        let order = server.post(ORDERS, token).json(&json!({"product_id": "mug"}));
        assert_eq!(order.send().await.status, 201);
    }
    assert_eq!(server.post(IMPORT, &office).ndjson("").send().await.status, 200);
    let path = "/other/api/v1/manage/users/u9";
    let put = Call::new(server.address(), Method::PUT, path).bearer(&other_tenant).json(&json!({}));
    assert_eq!(put.send().await.status, 201, "another tenant writes");
    let read = server.call_at("/other/api/v1/manage/users/u9").bearer(&other_tenant);
    assert_eq!(read.send().await.status, 200, "another tenant reads");
    assert_eq!(server.call("/v1/user").send().await.status, 401);
    for path in ["/healthz", "/readyz/writes", "/openapi.json"] {
        assert_eq!(server.call_at(path).send().await.status, 200, "{path}");
    }
    assert_is_ready(server).await;
}

#[tokio::test]
async fn many_tokens_of_one_tenant_take_nothing_from_other_tenants() {
    let limits = HttpLimits {
        max_concurrent_requests: 8,
        max_arriving_bodies: 40,
        max_arriving_bodies_per_tenant: 20,
        max_arriving_bodies_per_principal: 8,
        ..patient()
    };
    let server = server(limits).await;
    let mut streams = JoinSet::new();
    for user in ["a", "b", "c", "d", "e"] {
        let token = server.issue(user).await;
        for (headers, bytes) in [
            ("Content-Length: 100", ""),
            ("Content-Length: 100", "{\"product_id\":"),
            ("Transfer-Encoding: chunked", ""),
            ("Transfer-Encoding: chunked", "1\r\n{\r\n"),
        ] {
            for _ in 0..2 {
                streams.spawn(status(begin(&server, ORDERS, &token, headers, bytes).await));
            }
        }
    }
    let waiting = refused(streams, 20).await;
    assert_all_are_served(&server).await;
    assert_eq!(waiting.len(), 20);
}

#[tokio::test]
async fn idle_imports_do_not_block_other_imports() {
    let server = server(HttpLimits { max_arriving_bodies_per_principal: 20, ..patient() }).await;
    let mut streams = JoinSet::new();
    for tenant in ["shop", "other"] {
        let token = server.issue_kind(tenant, TokenKind::SuperUser, None).await;
        let base = if tenant == "shop" { base_path() } else { "/other/api" };
        for _ in 0..21 {
            let mut stream = TcpStream::connect(server.address()).await.unwrap();
            let head = format!(
                "POST {base}{IMPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
                 Content-Length: 16777216\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            streams.spawn(status(stream));
        }
    }
    let waiting = refused(streams, 2).await;
    assert_all_are_served(&server).await;
    assert_eq!(waiting.len(), 40);
}

#[tokio::test]
async fn refused_request_need_not_send_its_body() {
    let server = server(patient()).await;
    let customer = server.token();
    for (path, token, expected) in [
        (ORDERS, "stranger", "401"),
        ("/v1/manage/orders/x/cancel", customer, "403"),
        ("/v1/nothing", customer, "404"),
        ("/v1/store/products", customer, "405"),
    ] {
        let stream = begin(&server, path, token, "Content-Length: 100", "").await;
        assert_eq!(status(stream).await.1, format!("HTTP/1.1 {expected}"), "{path}");
    }
}
