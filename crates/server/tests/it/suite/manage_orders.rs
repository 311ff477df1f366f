//! `/v1/manage/orders`: the orders of all users, for the back office.

use serde_json::json;

use crate::client::Answer;
use crate::harness::{BASE_URL, STAGING_PATH, TestServer};

const PATH: &str = "/v1/manage/orders";

/// A server with points for `u1`, and a token of the back office.
async fn with_points(points: i64) -> (TestServer, String) {
    let server = TestServer::with_sample().await;
    server.award(points).await;
    let token = server.issue_super_user().await;
    (server, token)
}

/// The first order of a test, for two cups, with this status.
fn first(status: &str, fulfilled_at: &str, cancelled_at: &str) -> String {
    format!(
        r#"{{"id":"id-00000005","number":"NO-00000006","status":"{status}","product":{{"id":"cafe","sku":"SKU-cafe","title":"Café cup"}},"quantity":2,"points":1000,"created_at":"2026-03-01T12:00:00.000000Z","fulfilled_at":{fulfilled_at},"cancelled_at":{cancelled_at},"user_id":"u1"}}"#
    )
}

const A_MINUTE_LATER: &str = r#""2026-03-01T12:01:00.000000Z""#;

async fn get(server: &TestServer, token: &str, path: &str) -> Answer {
    server.request(http::Method::GET, path, token).send().await
}

async fn step(server: &TestServer, token: &str, id: &str, step: &str) -> Answer {
    server.post(&format!("{PATH}/{id}/{step}"), token).send().await
}

#[tokio::test]
async fn an_order_is_shown_with_its_user_byte_for_byte() {
    let (server, token) = with_points(1_000).await;
    let id = server.ordered("cafe", 2).await;
    let answer = get(&server, &token, &format!("{PATH}/{id}")).await;
    let expected = format!(r#"{{"success":true,"data":{}}}"#, first("placed", "null", "null"));
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*expected));
}

#[tokio::test]
async fn a_list_is_the_documented_envelope_byte_for_byte() {
    let (server, token) = with_points(1_500).await;
    server.ordered("cafe", 2).await;
    let other = server.ordered("mug", 1).await;
    step(&server, &token, &other, "fulfil").await;
    let answer =
        get(&server, &token, &format!("{PATH}?filter[status]=placed&filter[user]=u1&page[size]=5")).await;
    let (order, url) = (first("placed", "null", "null"), format!("{BASE_URL}{PATH}"));
    let link =
        format!("{url}?filter%5Bstatus%5D=placed&filter%5Buser%5D=u1&page%5Bsize%5D=5&page%5Bnumber%5D=1");
    let expected = format!(
        r#"{{"data":[{order}],"links":{{"first":"{link}","last":"{link}","prev":null,"next":null}},"meta":{{"current_page":1,"from":1,"last_page":1,"path":"{url}","per_page":5,"to":1,"total":1}}}}"#
    );
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*expected));
}

#[tokio::test]
async fn the_orders_of_a_user_come_newest_first_byte_for_byte() {
    let (server, token) = with_points(1_500).await;
    server.ordered("cafe", 2).await;
    server.advance_seconds(60);
    let newest = server.ordered("mug", 1).await;
    let path = "/v1/manage/users/u1/orders";
    assert_eq!(get(&server, &token, path).await.ids(), [newest, "id-00000005".to_owned()]);
    let answer = get(&server, &token, &format!("{path}?page[size]=1&page[number]=2")).await;
    let (order, url) = (first("placed", "null", "null"), format!("{BASE_URL}{path}"));
    let page = |number| format!("{url}?page%5Bsize%5D=1&page%5Bnumber%5D={number}");
    let (one, two) = (page(1), page(2));
    let expected = format!(
        r#"{{"data":[{order}],"links":{{"first":"{one}","last":"{two}","prev":"{one}","next":null}},"meta":{{"current_page":2,"from":2,"last_page":2,"path":"{url}","per_page":1,"to":2,"total":2}}}}"#
    );
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*expected));
}

#[tokio::test]
async fn a_user_without_orders_has_an_empty_page_and_an_unknown_one_is_not_found() {
    let (server, token) = with_points(1_000).await;
    server.ordered("mug", 1).await;
    server.issue("u2").await;
    let of = async |user: &str| get(&server, &token, &format!("/v1/manage/users/{user}/orders")).await;
    assert_eq!(of("u2").await.ids(), [""; 0], "the orders of others are not shown");
    let unknown = of("nobody").await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.text()),
        (404, r#"{"message":"Not found.","code":"not_found"}"#)
    );
    let bad = get(&server, &token, "/v1/manage/users/u1/orders?page[size]=0").await;
    assert_eq!(bad.field_errors(), ["page.size: The page.size must be at least 1."]);
}

#[tokio::test]
async fn bad_parameters_of_a_list_are_named() {
    let (server, token) = with_points(0).await;
    let path = format!("{PATH}?filter[status]=lost&filter[product]=mug&page=1");
    assert_eq!(
        get(&server, &token, &path).await.field_errors(),
        [
            "page: The page must be an array.",
            "filter.status: The selected filter.status is invalid.",
            "filter.product: The selected filter.product is invalid."
        ]
    );
}

#[tokio::test]
async fn cancelling_gives_back_the_points_byte_for_byte() {
    let (server, token) = with_points(1_500).await;
    let id = server.ordered("cafe", 2).await;
    server.advance_seconds(60);
    let answer = step(&server, &token, &id, "cancel").await;
    let order = first("cancelled", "null", A_MINUTE_LATER);
    let expected = format!(r#"{{"success":true,"data":{order},"user_points":1500}}"#);
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*expected));
    assert_eq!(server.balance().await, 1_500);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn the_history_shows_a_refund_beside_the_order_that_it_names() {
    let (server, token) = with_points(1_500).await;
    let id = server.ordered("cafe", 2).await;
    server.advance_seconds(60);
    step(&server, &token, &id, "cancel").await;
    let history = server.get("/v1/user/point-history").await;
    let expected = concat!(
        r#"{"data":{"2026-03-01":[{"type":"order","groupTitle":"Gift store order","groupSubtitle":"1 order, 1 refund","totalPoints":0,"totalBonusPoints":0,"data":["#,
        r#"{"type":"order","points":1000,"bonus_points":0,"title":"Café cup","subtitle":"NO-00000006","created_at":"2026-03-01T12:01:00.000000Z"},"#,
        r#"{"type":"order","points":-1000,"bonus_points":0,"title":"Café cup","subtitle":"NO-00000006","created_at":"2026-03-01T12:00:00.000000Z"}]}],"#,
        r#""2026-02-01":["#,
    );
    assert!(history.text().starts_with(expected), "{}", history.text());
    assert_eq!(history.json()["user_points"], 1_500);
}

#[tokio::test]
async fn cancelling_gives_back_the_pieces_and_the_next_request_sees_them() {
    let (server, token) = with_points(10_000).await;
    server.set("hide_sold_out", "true").await;
    let id = server.ordered("plate", 3).await;
    let listed = async || server.get("/v1/store/products?filter[title]=plate").await.ids();
    assert_eq!(listed().await, [""; 0]);
    step(&server, &token, &id, "cancel").await;
    assert_eq!(listed().await, ["plate"]);
    server.ordered("plate", 3).await;
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn fulfilling_closes_an_order_byte_for_byte() {
    let (server, token) = with_points(1_500).await;
    let id = server.ordered("cafe", 2).await;
    server.advance_seconds(60);
    let answer = step(&server, &token, &id, "fulfil").await;
    let order = first("fulfilled", A_MINUTE_LATER, "null");
    let expected = format!(r#"{{"success":true,"data":{order},"user_points":500}}"#);
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*expected));
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_closed_order_takes_no_further_step_and_gives_nothing_back() {
    let (server, token) = with_points(2_000).await;
    let (cancelled, fulfilled) = (server.ordered("mug", 1).await, server.ordered("mug", 1).await);
    assert_eq!(step(&server, &token, &cancelled, "cancel").await.status, 200);
    assert_eq!(step(&server, &token, &fulfilled, "fulfil").await.status, 200);
    for (id, message) in [
        (&cancelled, r#"{"message":"The order is already cancelled.","code":"order_cancelled"}"#),
        (&fulfilled, r#"{"message":"The order is already fulfilled.","code":"order_fulfilled"}"#),
    ] {
        for next in ["cancel", "fulfil"] {
            let answer = step(&server, &token, id, next).await;
            assert_eq!((answer.status.as_u16(), answer.text()), (409, message), "{next}");
        }
    }
    assert_eq!(server.balance().await, 1_500);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn the_audit_log_keeps_the_reason_of_a_cancellation() {
    let (server, token) = with_points(2_000).await;
    let id = server.ordered("mug", 1).await;
    let path = format!("{PATH}/{id}/cancel");
    for (body, message) in [
        (json!({"reason": " "}), "reason: The reason field is required."),
        (json!({"reason": 5}), "reason: The reason must be a string."),
        (json!({"why": "x"}), "why: The why field is not known."),
    ] {
        let refused = server.post(&path, &token).json(&body).send().await;
        assert_eq!(refused.field_errors(), [message]);
    }
    let done = server.post(&path, &token).json(&json!({"reason": "Damaged"})).send().await;
    assert_eq!(done.status, 200, "{}", done.text());
    let without = server.ordered("mug", 1).await;
    assert_eq!(step(&server, &token, &without, "cancel").await.status, 200);
    for (id, reason) in [(&id, json!("Damaged")), (&without, json!(null))] {
        let entries = get(&server, &token, &format!("/v1/manage/audit-log?object=order:{id}")).await.json();
        assert_eq!(entries["data"][0]["reason"], reason);
    }
}

#[tokio::test]
async fn an_order_whose_points_cannot_be_given_back_stays_as_it_is() {
    let (server, token) = with_points(1_000).await;
    let id = server.ordered("mug", 1).await;
    server.award((1 << 53) - 1 - 500).await;
    let answer = step(&server, &token, &id, "cancel").await;
    assert_eq!(answer.field_errors(), ["points: The points would make the balance exceed its bounds."]);
    assert_eq!(server.balance().await, (1 << 53) - 1);
    let placed = format!("{PATH}?filter[status]=placed");
    assert_eq!(get(&server, &token, &placed).await.ids(), [id]);
}

#[tokio::test]
async fn an_unknown_order_is_not_found_by_any_operation() {
    let (server, token) = with_points(1_000).await;
    let id = server.ordered("mug", 1).await;
    for unknown in ["nothing", "%FF", "%00", &"a".repeat(65)] {
        let path = format!("{PATH}/{unknown}");
        let answers = [
            get(&server, &token, &path).await,
            step(&server, &token, unknown, "cancel").await,
            step(&server, &token, unknown, "fulfil").await,
        ];
        for answer in answers {
            assert_eq!(
                (answer.status.as_u16(), answer.text()),
                (404, r#"{"message":"Not found.","code":"not_found"}"#),
                "{unknown}"
            );
        }
    }
    let staging = server.issue_super_user_in_staging().await;
    let path = format!("{STAGING_PATH}{PATH}/{id}");
    assert_eq!(server.call_at(&path).bearer(&staging).send().await.status, 404);
}
