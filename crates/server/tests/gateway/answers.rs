//! Headers and bodies of responses, for every route.

use crate::server::{HELLO, Server};

#[tokio::test]
async fn the_tenant_is_found_by_authority_and_path() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for (host, path, expected) in [
        ("acme.example", "/api", "acme/production"),
        ("ACME.example:443", "/api", "acme/production"),
        ("other.example", "/api", "other/production"),
        ("acme.example", "/off/api", "off/production"),
        ("localhost:8080", "/off/api", "off/production"),
    ] {
        client.send(format!("GET {path}/v1/hello HTTP/1.1\r\nHost: {host}\r\n\r\n")).await;
        let answer = client.answer(true).await;
        assert_eq!(answer.body, format!("{{\"tenant\":\"{expected}\",\"uri\":\"/v1/hello\"}}"));
    }
}

#[tokio::test]
async fn an_address_without_a_tenant_is_404() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for (host, path) in
        [("stranger.example", HELLO), ("acme.example", "/x/api/v1/hello"), ("acme.example", "/")]
    {
        client.send(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")).await;
        client.answer(true).await.assert_error(404, "Not found.");
    }
    client.ask("OPTIONS", "*", &[]).await.assert_error(404, "Not found.");
}

#[tokio::test]
async fn the_route_sees_the_path_below_the_base_as_it_was_sent() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for (sent, seen) in [
        ("/api/v1/hello", "/v1/hello"),
        ("/api/v1/hello/", "/v1/hello"),
        ("/api/v1/hello/?a=%2F&b=/", "/v1/hello?a=%2F&b=/"),
        ("/api/v1/hello?", "/v1/hello?"),
    ] {
        let answer = client.get(sent).await;
        assert_eq!(answer.body, format!("{{\"tenant\":\"acme/production\",\"uri\":\"{seen}\"}}"));
    }
    for nowhere in ["/api", "/api/", "/api?x", "/api/v1/hello//", "/api/v1%2Fhello"] {
        client.get(nowhere).await.assert_error(404, "Not found.");
    }
}

#[tokio::test]
async fn a_head_has_the_headers_of_a_get_and_no_body() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let get = client.get(HELLO).await;
    let head = client.ask("HEAD", HELLO, &[]).await;
    assert_eq!((head.status, &*head.body), (200, ""));
    for name in ["content-length", "content-type", "etag", "cache-control"] {
        assert!(get.header(name).is_some(), "{name}");
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    let missing = client.ask("HEAD", "/api/v1/nothing", &[]).await;
    assert_eq!((missing.status, missing.header("content-length").as_deref()), (404, Some("24")));
    assert_eq!(missing.header("error-code").as_deref(), Some("not_found"));
    assert_eq!(client.get(HELLO).await.status, 200);
}

#[tokio::test]
async fn an_answer_that_the_client_has_is_304() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let fresh = client.get(HELLO).await;
    let tag = fresh.header("etag").unwrap();
    let weak = format!("W/{tag}");
    for (list, tag) in [(tag.clone(), &tag), (format!("\"x\", {weak}"), &weak), ("*".to_owned(), &tag)] {
        for method in ["GET", "HEAD"] {
            let known = client.ask(method, HELLO, &[&format!("If-None-Match: {list}")]).await;
            assert_eq!((known.status, &*known.body), (304, ""), "{list}");
            assert_eq!(known.header("etag").as_ref(), Some(tag));
            assert_eq!(known.header("cache-control").as_deref(), Some("no-cache, private"));
            assert_eq!(known.header("content-type"), None);
            assert_eq!(known.header("content-length"), None);
        }
    }
    let other = client.ask("GET", HELLO, &["If-None-Match: \"x\""]).await;
    assert_eq!((other.status, other.body), (200, fresh.body));
}

#[tokio::test]
async fn only_a_read_that_went_well_has_a_tag() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let missing = client.ask("GET", "/api/v1/nothing", &["If-None-Match: *"]).await;
    assert_eq!((missing.status, missing.header("etag")), (404, None));
    let created = client.ask("POST", HELLO, &["If-None-Match: *"]).await;
    assert_eq!((created.status, created.header("etag")), (201, None));
}

#[tokio::test]
async fn the_request_id_is_the_clients_or_a_new_one() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let own = client.ask("GET", HELLO, &["X-Request-Id: mine-1"]).await;
    assert_eq!(own.header("x-request-id").as_deref(), Some("mine-1"));
    let bad = client.ask("GET", "/nowhere", &["X-Request-Id: not mine"]).await;
    assert_eq!(bad.header("x-request-id").as_deref(), Some("test-0"));
    assert_eq!(client.get(HELLO).await.header("x-request-id").as_deref(), Some("test-1"));
}

#[tokio::test]
async fn a_client_that_ended_its_side_gets_its_answer() {
    let server = Server::start().await;
    let mut client = server.client().await;
    client.request("GET", "/api/v1/wait", &[]).await;
    client.finish().await;
    server.gate.entered().await;
    server.gate.open();
    assert_eq!(client.answer(true).await.status, 200);
}
