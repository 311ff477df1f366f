//! `POST /v1/store/orders/{orderId}/cancel`: a customer cancels an own order.

use crate::client::Answer;
use crate::harness::TestServer;

/// A server that lets customers cancel, with points for `u1`.
async fn with_points(points: i64) -> TestServer {
    let server = TestServer::with_sample().await;
    server.set("members_cancel_orders", "true").await;
    server.award(points).await;
    server
}

fn path(id: &str) -> String {
    format!("/v1/store/orders/{id}/cancel")
}

async fn cancel(server: &TestServer, id: &str) -> Answer {
    server.post(&path(id), server.token()).send().await
}

fn code(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_customer_gets_the_points_back_once_byte_for_byte() {
    let server = with_points(1_500).await;
    let id = server.ordered("cafe", 2).await;
    server.advance_seconds(60);
    let answer = cancel(&server, &id).await;
    let expected = r#"{"success":true,"data":{"id":"id-00000005","number":"NO-00000006","status":"cancelled","product":{"id":"cafe","sku":"SKU-cafe","title":"Café cup"},"quantity":2,"points":1000,"created_at":"2026-03-01T12:00:00.000000Z","fulfilled_at":null,"cancelled_at":"2026-03-01T12:01:00.000000Z"},"user_points":1500}"#;
    assert_eq!((answer.status.as_u16(), answer.text()), (200, expected));
    let again = cancel(&server, &id).await;
    let refused = r#"{"message":"The order is already cancelled.","code":"order_cancelled"}"#;
    assert_eq!((again.status.as_u16(), again.text()), (409, refused));
    assert_eq!(server.balance().await, 1_500);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn an_order_of_another_user_is_not_found_and_stays() {
    let server = with_points(1_000).await;
    let id = server.ordered("cafe", 2).await;
    let other = server.issue("u2").await;
    for unknown in [id.as_str(), "nothing", "%FF"] {
        let answer = server.post(&path(unknown), &other).send().await;
        assert_eq!(code(&answer), (404, "not_found".to_owned()), "{unknown}");
    }
    let order = server.get(&format!("/v1/store/orders/{id}")).await;
    assert_eq!(order.json()["data"]["status"], "placed");
}

#[tokio::test]
async fn without_the_setting_the_order_stays_and_a_closed_one_says_so() {
    let server = with_points(10_000).await;
    let [placed, cancelled] = [server.ordered("mug", 1).await, server.ordered("mug", 1).await];
    assert_eq!(cancel(&server, &cancelled).await.status, 200);
    server.set("members_cancel_orders", "false").await;
    let balance = server.balance().await;
    let refused = cancel(&server, &placed).await;
    let expected = r#"{"message":"Customers cannot cancel orders: the setting members_cancel_orders is off.","code":"cancelling_is_off"}"#;
    assert_eq!((refused.status.as_u16(), refused.text()), (409, expected));
    assert_eq!(code(&cancel(&server, &cancelled).await), (409, "order_cancelled".to_owned()));
    assert_eq!(server.balance().await, balance);
    server.assert_audit_is_clean().await;
}

/// The setting may be another one when the request is repeated.
#[tokio::test]
async fn a_key_keeps_the_cancellation_and_no_refusal_of_the_setting() {
    let server = with_points(1_000).await;
    let id = server.ordered("cafe", 2).await;
    let keyed = || server.post(&path(&id), server.token()).key("k").send();
    server.set("members_cancel_orders", "false").await;
    assert_eq!(code(&keyed().await), (409, "cancelling_is_off".to_owned()));
    server.set("members_cancel_orders", "true").await;
    let first = keyed().await;
    assert_eq!((first.status.as_u16(), first.header("idempotency-replayed")), (200, None));
    server.set("members_cancel_orders", "false").await;
    let again = keyed().await;
    assert_eq!((again.text(), again.header("idempotency-replayed")), (first.text(), Some("true")));
    assert_eq!(server.balance().await, 1_000);
    server.assert_audit_is_clean().await;
}
