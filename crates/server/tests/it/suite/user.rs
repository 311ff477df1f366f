//! `GET /v1/user`.

use crate::harness::TestServer;

#[tokio::test]
async fn each_user_sees_themselves() {
    let server = TestServer::start().await;
    server.award(120).await;
    let other = server.issue("a/b ü").await;
    let shown = server.call("/v1/user").bearer(&other).send().await.json()["data"].clone();
    assert_eq!((&shown["id"], &shown["user_points"]), (&"a/b ü".into(), &0.into()));
}
