//! Requests that end after their write began. The work after a commit still happens.

use std::sync::Arc;

use http::Method;
use pointbook_testkit::{FaultyDatabase, WriteFault};
use serde_json::json;

use crate::client::Call;
use crate::harness::TestServer;

/// A server with short timeouts, a token of the back office, and the database.
async fn open() -> (TestServer, String, Arc<FaultyDatabase>) {
    let mut faulty = None;
    let server = TestServer::start_on(|database| {
        let database = Arc::new(FaultyDatabase::healthy(database));
        faulty = Some(database.clone());
        database
    })
    .await;
    let office = server.issue_super_user().await;
    (server, office, faulty.unwrap())
}

/// Sends a request whose write is executed, and whose response never comes.
async fn cut(faulty: &FaultyDatabase, call: Call) {
    faulty.fail_next_write(Some(WriteFault::AnswerHangs));
    assert_eq!(call.send().await.status, 503);
    assert!(!faulty.awaits_write());
}

#[tokio::test]
async fn revocation_applies_after_a_cut_request() {
    let (server, office, faulty) = open().await;
    let manage = |method, path| server.request(method, path, &office);
    let own = server.issue("u2").await;
    let cases = [
        (
            server.issue("u3").await,
            manage(Method::PUT, "/v1/manage/users/u3").json(&json!({"disabled": true})),
        ),
        (server.issue("u4").await, manage(Method::DELETE, "/v1/manage/users/u4/tokens")),
        (own.clone(), server.request(Method::DELETE, "/v1/auth/token", &own)),
    ];
    for (token, call) in cases {
        // The first request caches the token.
        assert_eq!(server.call("/v1/user").bearer(&token).send().await.status, 200);
        cut(&faulty, call).await;
        assert_eq!(server.call("/v1/user").bearer(&token).send().await.status, 401);
    }
}

#[tokio::test]
async fn changed_catalogue_is_visible_after_a_cut_request() {
    let (server, office, faulty) = open().await;
    server.add_changed_product("mug", |mug| mug.stock = Some(6)).await;
    server.award(1_000_000).await;
    let low = async || server.get("/v1/store/products?filter[lowStock]=1").await.ids();
    let listed = async || server.get("/v1/store/products").await.ids().len();
    assert_eq!((low().await, listed().await), (vec![], 1));
    let order = server.post("/v1/store/orders", server.token()).json(&json!({"product_id": "mug"}));
    cut(&faulty, order).await;
    assert_eq!(low().await, ["mug"]);
    let cup = json!({"sku": "cup", "title": "Cup", "regular_price": 1});
    cut(&faulty, server.request(Method::PUT, "/v1/manage/products/cup", &office).json(&cup)).await;
    assert_eq!(listed().await, 2);
    cut(&faulty, server.request(Method::DELETE, "/v1/manage/products/cup", &office)).await;
    assert_eq!(listed().await, 1);
}
