//! `GET /v1/store/products/{productId}`.

use serde_json::json;

use crate::harness::TestServer;

#[tokio::test]
async fn a_product_is_shown_with_success() {
    let server = TestServer::with_sample().await;
    let answer = server.get("/v1/store/products/cafe").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.json(),
        json!({"success": true, "data": {"id": "cafe", "sku": "SKU-cafe", "title": "Café cup", "description": "<p>Good.</p>",
            "regular_price": 700, "sale_price": 500, "thumbnail": "https://images.example/cafe.jpg",
            "gallery": ["https://images.example/cafe-1.jpg"]}})
    );
    assert!(answer.text().starts_with(r#"{"success":true,"data":{"id":"cafe","title":"Café cup","sku":"#));
}

#[tokio::test]
async fn missing_fields_are_empty_and_never_null() {
    let server = TestServer::with_sample().await;
    let product = server.get("/v1/store/products/gift").await.json()["data"].clone();
    assert_eq!((&product["thumbnail"], &product["gallery"]), (&json!(""), &json!([])));
}

#[tokio::test]
async fn an_id_may_hold_any_character() {
    let server = TestServer::start().await;
    server.add_product("a/b c%ü").await;
    for path in ["a%2Fb%20c%25%C3%BC", "a%2fb%20c%25%c3%bc/"] {
        let answer = server.get(&format!("/v1/store/products/{path}")).await;
        assert_eq!(answer.json()["data"]["id"], "a/b c%ü", "{path}");
    }
}

#[tokio::test]
async fn unknown_malformed_and_over_long_ids_are_all_not_found() {
    let server = TestServer::with_sample().await;
    let long = "a".repeat(256);
    for id in ["nothing", "%zz", "%FF", "%00", "mug%2F", long.as_str()] {
        let answer = server.get(&format!("/v1/store/products/{id}")).await;
        assert_eq!(answer.status, 404, "{id}");
        assert_eq!(answer.text(), r#"{"success":false,"message":"Product not found"}"#, "{id}");
    }
}
