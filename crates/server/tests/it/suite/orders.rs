//! `/v1/store/orders`: the orders of a user.

use pointbook_testkit::build::price;
use serde_json::json;

use crate::harness::{BASE_URL, TestServer};

const PATH: &str = "/v1/store/orders";

async fn with_points(points: i64) -> TestServer {
    let server = TestServer::with_sample().await;
    server.award(points).await;
    server
}

/// The first order of a test, for two cups.
const FIRST: &str = r#"{"id":"id-00000005","number":"NO-00000006","status":"placed","product":{"id":"cafe","sku":"SKU-cafe","title":"Café cup"},"quantity":2,"points":1000,"created_at":"2026-03-01T12:00:00.000000Z","fulfilled_at":null,"cancelled_at":null}"#;

#[tokio::test]
async fn an_order_takes_the_effective_price_of_each_piece_byte_for_byte() {
    let server = with_points(1_500).await;
    let answer = server.order(&json!({"product_id": "cafe", "quantity": 2})).await;
    let expected = format!(r#"{{"success":true,"data":{FIRST},"user_points":500}}"#);
    assert_eq!((answer.status.as_u16(), answer.text()), (201, &*expected));
    assert_eq!(answer.header("idempotency-replayed"), None);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn order_is_shown_to_its_user_byte_for_byte() {
    let server = with_points(1_000).await;
    let id = server.ordered("cafe", 2).await;
    let answer = server.get(&format!("{PATH}/{id}")).await;
    let expected = format!(r#"{{"success":true,"data":{FIRST}}}"#);
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*expected));
}

#[tokio::test]
async fn order_of_another_user_is_not_found() {
    let server = with_points(1_000).await;
    let id = server.ordered("cafe", 2).await;
    let other = server.issue("u2").await;
    let long = "a".repeat(65);
    for unknown in [id.as_str(), "nothing", "%FF", "%00", long.as_str()] {
        let answer = server.call(&format!("{PATH}/{unknown}")).bearer(&other).send().await;
        assert_eq!(
            (answer.status.as_u16(), answer.text()),
            (404, r#"{"message":"Not found.","code":"not_found"}"#),
            "{unknown}"
        );
    }
    assert_eq!(server.call(PATH).bearer(&other).send().await.ids(), [""; 0]);
}

#[tokio::test]
async fn a_list_is_the_documented_envelope_byte_for_byte() {
    let server = with_points(1_000).await;
    server.ordered("cafe", 2).await;
    let url = format!("{BASE_URL}{PATH}?page%5Bnumber%5D=1");
    let expected = format!(
        r#"{{"data":[{FIRST}],"links":{{"first":"{url}","last":"{url}","prev":null,"next":null}},"meta":{{"current_page":1,"from":1,"last_page":1,"path":"{BASE_URL}{PATH}","per_page":15,"to":1,"total":1}}}}"#
    );
    assert_eq!(server.get(PATH).await.text(), expected);
}

#[tokio::test]
async fn bad_parameters_of_a_list_are_named() {
    let server = TestServer::start().await;
    let answer = server.get(&format!("{PATH}?filter[user]=u2&page[size]=0&page[number]=x")).await;
    assert_eq!(
        answer.field_errors(),
        [
            "page.number: The page.number must be an integer.",
            "page.size: The page.size must be at least 1.",
            "filter.user: The selected filter.user is invalid."
        ]
    );
}

#[tokio::test]
async fn every_refusal_names_its_field_and_takes_nothing() {
    let server = with_points(8_999).await;
    server.add_changed_product("dear", |dear| dear.regular_price = price((1 << 53) - 1)).await;
    let unknown = "product_id: The selected product id is invalid.";
    for (body, expected) in [
        (json!({}), &["product_id: The product id field is required."][..]),
        (json!({"product_id": "nothing"}), &[unknown]),
        (json!({"product_id": "inactive"}), &[unknown]),
        (json!({"product_id": "tomorrow"}), &[unknown]),
        (json!({"product_id": "wine"}), &["product_id: The selected product is sold out."]),
        (
            json!({"product_id": "plate", "quantity": 4}),
            &["quantity: The quantity is more than what is in stock."],
        ),
        (
            json!({"product_id": "dear", "quantity": 2}),
            &["quantity: The quantity makes the price exceed 9007199254740991 points."],
        ),
        (json!({"product_id": "gift"}), &["product_id: The points are not enough for this order."]),
        (
            json!({"product_id": "mug", "quantity": 0}),
            &["quantity: The quantity must be between 1 and 1000."],
        ),
        (
            json!({"id": "x", "quantity": 1_001, "product_id": 7}),
            &[
                "product_id: The product id must be a string.",
                "quantity: The quantity must be between 1 and 1000.",
                "id: The id field is not known.",
            ],
        ),
    ] {
        assert_eq!(server.order(&body).await.field_errors(), expected, "{body}");
    }
    assert_eq!((server.balance().await, server.get(PATH).await.ids()), (8_999, vec![]));
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_decided_refusal_is_kept_under_its_key_and_a_bad_body_is_not() {
    let server = with_points(1_000).await;
    let post =
        async |body: serde_json::Value| server.post(PATH, server.token()).key("k-1").json(&body).send().await;
    assert_eq!(post(json!({"product_id": "mug", "quantity": 0})).await.status, 422);
    let refused = post(json!({"product_id": "gift"})).await;
    assert_eq!((refused.status.as_u16(), refused.header("idempotency-replayed")), (422, None));
    server.award(50_000).await;
    let again = post(json!({"product_id": "gift"})).await;
    assert_eq!((again.status.as_u16(), again.text()), (422, refused.text()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}

#[tokio::test]
async fn the_next_request_sees_stock_that_has_become_low_or_sold_out() {
    let server = with_points(100_000).await;
    let low = async || server.get("/v1/store/products?filter[lowStock]=1").await.ids();
    assert_eq!(low().await, ["plate"]);
    server.ordered("strasse", 54).await;
    assert_eq!(low().await, ["plate"]);
    server.ordered("strasse", 1).await;
    assert_eq!(low().await, ["plate", "strasse"]);
    server.ordered("plate", 3).await;
    assert_eq!(low().await, ["strasse"]);
    assert_eq!(server.get("/v1/store/products/plate").await.status, 200);
    let answer = server.order(&json!({"product_id": "plate"})).await;
    assert_eq!(answer.field_errors(), ["product_id: The selected product is sold out."]);
    server.assert_audit_is_clean().await;
}
