//! The HTTP protocol of all responses: HEAD, OPTIONS, CORS, caching, request ids, health.

use http::Method;

use crate::client::{Answer, Call};
use crate::harness::{TestServer, base_path};

fn call(server: &TestServer, method: Method, path: &str) -> Call {
    Call::new(server.address(), method, format!("{}{path}", base_path())).bearer(server.token())
}

#[tokio::test]
async fn head_mirrors_get_without_the_body() {
    let server = TestServer::with_sample().await;
    for path in
        ["/v1/store/products", "/v1/store/products/mug", "/v1/store/categories", "/v1/user/point-history"]
    {
        assert_mirrored(&server, server.token(), path, 200).await;
    }
}

#[tokio::test]
async fn head_mirrors_errors_without_the_body() {
    let server = TestServer::with_sample().await;
    for (token, path, status) in [
        ("stranger", "/v1/store/products", 401),
        (server.token(), "/v1/x", 404),
        (server.token(), "/v1/store/products/nothing", 404),
        (server.token(), "/v1/store/products?sort=x&page[size]=0", 422),
    ] {
        assert_mirrored(&server, token, path, status).await;
    }
}

async fn assert_mirrored(server: &TestServer, token: &str, path: &str, status: u16) {
    let call = |method| Call::new(server.address(), method, format!("{}{path}", base_path())).bearer(token);
    let (get, head) = (call(Method::GET).send().await, call(Method::HEAD).send().await);
    assert_eq!((get.status.as_u16(), head.status.as_u16(), head.body.len()), (status, status, 0), "{path}");
    let names = ["content-length", "content-type", "etag", "cache-control", "www-authenticate"];
    for name in names {
        assert_eq!(head.header(name), get.header(name), "{path} {name}");
    }
    assert_eq!(get.header("content-length").unwrap(), get.body.len().to_string());
    assert!(!get.body.is_empty());
}

#[tokio::test]
async fn options_names_the_methods() {
    let server = TestServer::start().await;
    let answer = call(&server, Method::OPTIONS, "/v1/store/products").send().await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (200, Some("GET, HEAD")));
}

#[tokio::test]
async fn a_trailing_slash_is_the_same_route_and_a_body_on_get_is_ignored() {
    let server = TestServer::with_sample().await;
    let plain = server.get("/v1/store/products?sort=price").await;
    let slash = server.get("/v1/store/products/?sort=price").await;
    assert_eq!(slash.text(), plain.text());
    let request = format!(
        "GET {}/v1/store/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{{nonsense",
        base_path(),
        server.token()
    );
    assert!(server.raw(request.as_bytes()).await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn an_etag_answers_304_until_something_changes() {
    let server = TestServer::with_sample().await;
    for path in
        ["/v1/store/products", "/v1/store/products/mug", "/v1/store/categories", "/v1/user/point-history"]
    {
        let first = server.get(path).await;
        assert_eq!(first.header("cache-control"), Some("no-cache, private"));
        let etag = first.header("etag").unwrap().to_owned();
        for condition in [etag.clone(), format!("\"other\", {etag}"), format!("W/{etag}"), "*".to_owned()] {
            let its_own = if condition.starts_with("W/") { &condition } else { &etag }.clone();
            let again = call(&server, Method::GET, path).header("if-none-match", condition).send().await;
            assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
            assert_eq!(again.header("etag"), Some(its_own.as_str()));
        }
        let other = call(&server, Method::GET, path).header("if-none-match", "\"other\"").send().await;
        assert_eq!(other.status, 200, "{path}");
    }
    let etag = server.get("/v1/store/products").await.header("etag").unwrap().to_owned();
    server.add_product("brand-new").await;
    let changed = call(&server, Method::GET, "/v1/store/products").header("if-none-match", etag).send().await;
    assert_eq!(changed.status, 200);
}

async fn preflight(server: &TestServer, origin: &str) -> Answer {
    let path = format!("{}/v1/store/products", base_path());
    let call = Call::new(server.address(), Method::OPTIONS, path).header("origin", origin);
    call.header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization")
        .send()
        .await
}

#[tokio::test]
async fn browsers_of_any_origin_may_read_without_cookies() {
    let server = TestServer::start().await;
    let answer = preflight(&server, "https://web.example").await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert!(answer.header("access-control-allow-headers").unwrap().to_lowercase().contains("authorization"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    let call = server.call("/v1/store/products").header("origin", "https://web.example");
    assert_eq!(call.send().await.header("access-control-allow-origin"), Some("*"), "errors too");
}

#[tokio::test]
async fn a_tenant_can_restrict_origins_or_turn_cors_off() {
    let server = TestServer::start().await;
    server.set("cors", "https://web.example").await;
    let listed = preflight(&server, "https://web.example").await;
    assert_eq!(listed.header("access-control-allow-origin"), Some("https://web.example"));
    assert_eq!(preflight(&server, "https://evil.example").await.header("access-control-allow-origin"), None);
    server.set("cors", "off").await;
    let off = preflight(&server, "https://web.example").await;
    assert_eq!((off.status.as_u16(), off.header("access-control-allow-origin")), (200, None));
}

#[tokio::test]
async fn a_request_id_is_echoed_or_made_up() {
    let server = TestServer::start().await;
    let id = async |given: &str| {
        let answer = server.call("/v1/store/products").header("x-request-id", given).send().await;
        answer.header("x-request-id").unwrap().to_owned()
    };
    assert_eq!(id("trace-7_a.b").await, "trace-7_a.b");
    assert_ne!(id("not allowed").await, "not allowed");
    assert_ne!(id("").await, id("").await);
}

#[tokio::test]
async fn health_and_readiness_are_at_the_root() {
    let server = TestServer::start().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(Call::new(server.address(), Method::GET, path).send().await.status, 200, "{path}");
    }
}
