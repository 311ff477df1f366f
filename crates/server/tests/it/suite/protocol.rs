//! What the gateway tests (`crates/server/tests/gateway`) cannot see, because it needs real routes and tokens.

use crate::harness::TestServer;

const PATHS: [&str; 4] =
    ["/v1/store/products", "/v1/store/products/mug", "/v1/store/categories", "/v1/user/point-history"];

#[tokio::test]
async fn an_etag_answers_304_until_something_changes() {
    let server = TestServer::with_sample().await;
    for path in PATHS {
        let etag = server.get(path).await.header("etag").unwrap().to_owned();
        let again = server.call(path).bearer(server.token()).header("if-none-match", etag).send().await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
    }
    let etag = server.get("/v1/store/products").await.header("etag").unwrap().to_owned();
    // The links are another part of the page.
    assert_ne!(server.get("/v1/store/products?x=1").await.header("etag").unwrap(), etag);
    server.add_product("brand-new").await;
    let call = server.call("/v1/store/products").bearer(server.token()).header("if-none-match", etag);
    assert_eq!(call.send().await.status, 200);
}

#[tokio::test]
async fn a_used_up_rate_limit_is_a_429_before_parameters_are_read() {
    let server = TestServer::start().await;
    server.set("rate_limit_reads_per_minute", "2").await;
    let first = server.get("/v1/store/products").await;
    assert_eq!((first.status.as_u16(), first.header("x-ratelimit-limit")), (200, None));
    assert_eq!(server.get("/v1/store/products").await.status, 200);
    assert_eq!(server.get("/v1/store/products?page[number]=x").await.status, 429);
    let other = server.issue("another-user").await;
    assert_eq!(server.call("/v1/store/products").bearer(&other).send().await.status, 200);
    server.advance_seconds(60);
    assert_eq!(server.get("/v1/store/products").await.status, 200);
}

/// Clients must be able to revalidate behind a load balancer.
#[tokio::test]
async fn all_instances_give_the_same_tag() {
    let server = TestServer::with_sample().await;
    let second = server.second_instance().await;
    for path in PATHS {
        let (one, other) = (server.get(path).await, second.get(path).await);
        assert_eq!(one.header("etag"), other.header("etag"), "{path}");
        assert_eq!(one.header("etag").unwrap().len(), 34, "{path}");
    }
}
