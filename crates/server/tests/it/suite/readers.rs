//! Reads never wait for writes.

use http::Method;
use serde_json::json;

use crate::harness::TestServer;

#[tokio::test]
async fn reads_do_not_wait_for_writes() {
    let (server, token) = TestServer::with_back_office().await;
    server.add_product("mug").await;
    server.award(5_000).await;
    let order = server.ordered("mug", 1).await;
    let before = everything(&server, &token, &order).await;
    let lock = server.lock().await;
    lock.execute("UPDATE users SET balance = 1; UPDATE orders SET number = 'N'").await;
    let body = json!({"product_id": "mug"});
    let write = server.post("/v1/store/orders", server.token()).json(&body);
    let waiting = tokio::spawn(write.send());
    for _ in 0..3 {
        assert_eq!(everything(&server, &token, &order).await, before);
    }
    assert!(!waiting.is_finished());
    drop(lock);
    assert_eq!(waiting.await.unwrap().status, 201);
    assert_ne!(everything(&server, &token, &order).await, before);
}

/// The responses of every kind of read, for the customer and for the back office.
async fn everything(server: &TestServer, token: &str, order: &str) -> Vec<String> {
    let order = format!("orders/{order}");
    let customer = [
        "user/point-history",
        "user",
        "store/products",
        "store/products/mug",
        "store/categories",
        "store/orders",
    ]
    .map(|path| (server.token(), format!("/v1/{path}")));
    let own = (server.token(), format!("/v1/store/{order}"));
    let manage = ["users", "users/u1", "products", "products/mug", "categories", "orders", &order]
        .map(|path| (token, format!("/v1/manage/{path}")));
    let mut answers = Vec::new();
    for (token, path) in customer.into_iter().chain([own]).chain(manage) {
        let answer = server.request(Method::GET, &path, token).send().await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answers.push(answer.text().to_owned());
    }
    answers
}
