//! Invalid values: a response names every invalid field.

use super::write_requests::Shop;

#[tokio::test]
async fn all_errors_are_in_one_response() {
    let shop = Shop::open().await;
    let token = shop.server.issue_super_user().await;
    let body = r#"{"x":1,"bonus_breakdown":[{"type":7,"points":-1.5}],"subtitle":[],"points":"5","type":"dance","title":""}"#;
    let answer =
        shop.server.post("/v1/manage/users/u1/activities", &token).body(body).key("a b").send().await;
    assert_eq!(
        answer.field_errors(),
        [
            "Idempotency-Key: The Idempotency-Key must have 1 to 255 visible characters of ASCII.",
            "type: The selected type is invalid.",
            "source_id: The source id field is required.",
            "points: The points must be an integer.",
            "title: The title field is required.",
            "subtitle: The subtitle must be a string.",
            "bonus_breakdown.0.type: The bonus breakdown.0.type must be a string.",
            "bonus_breakdown.0.points: The bonus breakdown.0.points must be an integer.",
            "bonus_breakdown.0.title: The bonus breakdown.0.title field is required.",
            "x: The x field is not known."
        ]
    );
}

#[tokio::test]
async fn u_0000_is_named_in_ids_and_texts() {
    let shop = Shop::open().await;
    let token = shop.server.issue_super_user().await;
    let nul = "must not contain U+0000.";
    let issue = shop.server.post("/v1/auth/token", &token).body(r#"{"user_id":"a\u0000"}"#).send().await;
    assert_eq!(issue.field_errors(), [format!("user_id: The user id {nul}")]);
    let body = r#"{"type":"co\u0000de","source_id":"\u0000","points":1,"title":"a\u0000b","subtitle":"\u0000",
        "bonus_breakdown":[{"type":"\u0000","points":1,"title":"\u0000"}]}"#;
    let answer = shop.server.post("/v1/manage/users/u1/activities", &token).body(body).send().await;
    assert_eq!(
        answer.field_errors(),
        [
            format!("type: The type {nul}"),
            format!("source_id: The source id {nul}"),
            format!("title: The title {nul}"),
            format!("subtitle: The subtitle {nul}"),
            format!("bonus_breakdown.0.type: The bonus breakdown.0.type {nul}"),
            format!("bonus_breakdown.0.title: The bonus breakdown.0.title {nul}"),
        ]
    );
    let raw = b"{\"user_id\":\"a\0\"}".to_vec();
    assert_eq!(shop.server.post("/v1/auth/token", &token).body(raw).send().await.status, 400);
}

#[tokio::test]
async fn only_a_whole_number_is_an_integer() {
    let shop = Shop::open().await;
    let token = shop.server.issue_super_user().await;
    let record = async |points: &str| {
        let body = format!(r#"{{"type":"code","source_id":"n","points":{points},"title":"t"}}"#);
        shop.server.post("/v1/manage/users/u1/activities", &token).body(body).send().await
    };
    let (whole, bounds) = ("must be an integer.", "must be between -9007199254740991 and 9007199254740991.");
    for (points, rule) in [
        ("1.0", whole),
        ("1e3", whole),
        ("-0.0", whole),
        ("1e20", whole),
        ("1e999", whole),
        ("-1E+999", whole),
        ("0.5", whole),
        ("\"12\"", whole),
        ("true", whole),
        ("[1]", whole),
        ("9007199254740992", bounds),
        ("-9007199254740992", bounds),
        ("9223372036854775808", bounds),
        ("18446744073709551615", bounds),
        ("18446744073709551616", bounds),
        ("-18446744073709551616", bounds),
        (&"9".repeat(400), bounds),
    ] {
        assert_eq!(record(points).await.field_errors(), [format!("points: The points {rule}")], "{points}");
    }
    for bad in ["+1", "01", "1.", ".5", "0x10", "1_000", "Infinity", "1e", "1-1"] {
        assert_eq!(record(bad).await.status, 400, "{bad}");
    }
    assert_eq!(record("9007199254730991").await.status, 201);
    let body = r#"{"type":"code","source_id":"zero","points":-0,"title":"t"}"#;
    let answer = shop.server.post("/v1/manage/users/u1/activities", &token).body(body).send().await;
    assert_eq!(answer.json()["data"]["points"], 0, "{}", answer.text());
}
