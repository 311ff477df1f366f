//! Changes by another process, and what is kept in memory.

use crate::harness::TestServer;

#[tokio::test]
async fn a_catalogue_write_by_another_process_is_seen_after_a_refresh() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 7);
    server.add_product_elsewhere("from-elsewhere").await;
    server.service().refresh().await.unwrap();
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 8);
    assert_eq!(server.get("/v1/store/products/from-elsewhere").await.status, 200);
}

#[tokio::test]
async fn a_product_appears_when_its_publication_comes() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.get("/v1/store/products/tomorrow").await.status, 404);
    server.advance_seconds(86_400);
    server.service().refresh().await.unwrap();
    assert_eq!(server.get("/v1/store/products/tomorrow").await.status, 200);
    assert_eq!(server.get("/v1/store/products").await.ids()[0], "tomorrow");
}

#[tokio::test]
async fn a_tenant_added_by_another_process_is_served_after_a_refresh() {
    let server = TestServer::start().await;
    assert_eq!(server.call_at("/late/api/v1/store/products").send().await.status, 404);
    server.add_tenant_elsewhere("late").await;
    server.service().refresh().await.unwrap();
    assert_eq!(server.call_at("/late/api/v1/store/products").send().await.status, 401);
}

#[tokio::test]
async fn the_least_recently_used_catalogue_leaves_and_comes_back() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 7);
    let token = server.issue_in_staging("u1").await;
    server.advance_seconds(1);
    let staging = format!("{}/v1/store/products", crate::harness::STAGING_PATH);
    assert_eq!(server.call_at(&staging).bearer(&token).send().await.status, 200);
    server.service().refresh().await.unwrap();
    assert_eq!(server.loaded_catalogues(), ["shop/staging"], "the budget of these tests holds one snapshot");
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 7);
}
