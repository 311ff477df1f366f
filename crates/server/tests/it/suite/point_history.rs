//! `GET /v1/user/point-history`.

use serde_json::json;

use crate::harness::{Act, TestServer};

#[tokio::test]
async fn a_page_is_the_documented_response_byte_for_byte() {
    let server = TestServer::start().await;
    server
        .record(&[
            Act::new("code", 10, "2026-02-27T23:59:59.999999Z").titles("QR code scan", "Coffee"),
            Act::new("video", 5, "2026-02-28T08:00:00Z").titles("Video watched", "How tea is made"),
            Act::new("code", 20, "2026-02-28T09:00:00Z").titles("QR code scan", "Tea").bonus(
                "birthday",
                50,
                "Happy birthday",
            ),
            Act::new("order", -30, "2026-02-28T07:00:00.5Z").titles("Gift store order", "Order 1001"),
        ])
        .await;
    let answer = server.get("/v1/user/point-history").await;
    assert_eq!(answer.status, 200);
    let expected = concat!(
        r#"{"data":{"2026-02-28":["#,
        r#"{"type":"code","groupTitle":"QR code scan","groupSubtitle":"Tea","totalPoints":20,"totalBonusPoints":50,"data":["#,
        r#"{"type":"code","points":20,"bonus_points":50,"title":"QR code scan","subtitle":"Tea","created_at":"2026-02-28T09:00:00.000000Z","#,
        r#""bonus_breakdown":[{"type":"birthday","points":50,"title":"Happy birthday"}]}]},"#,
        r#"{"type":"video","groupTitle":"Video watched","groupSubtitle":"How tea is made","totalPoints":5,"totalBonusPoints":0,"data":["#,
        r#"{"type":"video","points":5,"bonus_points":0,"title":"Video watched","subtitle":"How tea is made","created_at":"2026-02-28T08:00:00.000000Z"}]},"#,
        r#"{"type":"order","groupTitle":"Gift store order","groupSubtitle":"Order 1001","totalPoints":-30,"totalBonusPoints":0,"data":["#,
        r#"{"type":"order","points":-30,"bonus_points":0,"title":"Gift store order","subtitle":"Order 1001","created_at":"2026-02-28T07:00:00.500000Z"}]}],"#,
        r#""2026-02-27":["#,
        r#"{"type":"code","groupTitle":"QR code scan","groupSubtitle":"Coffee","totalPoints":10,"totalBonusPoints":0,"data":["#,
        r#"{"type":"code","points":10,"bonus_points":0,"title":"QR code scan","subtitle":"Coffee","created_at":"2026-02-27T23:59:59.999999Z"}]}]},"#,
        r#""meta":{"current_page":1,"per_page":15,"last_page":1,"total":2},"user_points":55}"#,
    );
    assert_eq!(answer.text(), expected);
}

#[tokio::test]
async fn a_user_without_transactions_has_an_empty_object() {
    let server = TestServer::start().await;
    let answer = server.get("/v1/user/point-history").await;
    let expected =
        r#"{"data":{},"meta":{"current_page":1,"per_page":15,"last_page":1,"total":0},"user_points":0}"#;
    assert_eq!(answer.text(), expected);
}

fn one_a_day(days: u32) -> Vec<Act> {
    (0..days).map(|day| Act::new("code", 1, &format!("2026-01-{:02}T10:00:00Z", day + 1))).collect()
}

#[tokio::test]
async fn page_size_follows_the_tenant_and_cannot_be_chosen() {
    let server = TestServer::start().await;
    server.record(&one_a_day(9)).await;
    let asked = server.get("/v1/user/point-history?page[size]=2").await.json();
    assert_eq!(asked["meta"]["per_page"], 15);
    server.set("history_days_per_page", "4").await;
    let set = server.get("/v1/user/point-history").await.json();
    assert_eq!(set["meta"], json!({"current_page": 1, "per_page": 4, "last_page": 3, "total": 9}));
}

#[tokio::test]
async fn a_bad_page_number_is_named() {
    let server = TestServer::start().await;
    let answer = server.get("/v1/user/point-history?page[number]=-1").await;
    assert_eq!(answer.field_errors(), ["page.number: The page.number must be at least 1."]);
}
