//! Every reason why a row is rejected.

use pointbook_server::import::Kind;
use pointbook_store::limits::{MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS, MAX_URL_CHARS};
use serde_json::{Map, Value, json};

use crate::harness::Store;

/// An object with some members changed. Null removes a member.
fn changed(object: &Value, changes: &Value) -> String {
    let mut object = object.as_object().unwrap().clone();
    object.extend(changes.as_object().unwrap().clone());
    let present: Map<String, Value> = object.into_iter().filter(|(_, value)| !value.is_null()).collect();
    Value::Object(present).to_string()
}

async fn check(kind: Kind, good: Value, cases: &[(Value, &str)]) {
    let store = Store::open().await;
    assert!(store.import(kind, good.to_string()).await.contains(" 0 rejected"));
    for (changes, reason) in cases {
        let row = changed(&good, changes);
        assert_eq!(store.reason(kind, &row).await, *reason, "{row:.200}");
    }
}

fn product() -> Value {
    json!({"id": "p", "sku": "S", "title": "Mug", "regular_price": 100})
}

fn longer_than(chars: usize) -> String {
    "é".repeat(chars + 1)
}

#[tokio::test]
async fn texts_of_products_have_bounds() {
    let cases = [
        (json!({"id": ""}), "id: must not be empty"),
        (json!({"id": longer_than(255)}), "id: must not be longer than 255 characters"),
        (json!({"id": 7}), "id: must be a string"),
        (json!({"id": "a\tb"}), "id: must not contain control characters"),
        (json!({"sku": "a\u{7f}b"}), "sku: must not contain control characters"),
        (json!({"id": null, "sku": "a\nb"}), "sku: must not contain control characters"),
        (json!({"id": null, "sku": longer_than(255)}), "sku: must not be longer than 255 characters"),
        (json!({"sku": null}), "sku: is required"),
        (json!({"sku": ""}), "sku: must not be empty"),
        (json!({"id": null, "sku": 7}), "sku: must be a string"),
        (json!({"id": null, "sku": ""}), "sku: must not be empty"),
        (json!({"title": null}), "title: is required"),
        (json!({"title": longer_than(MAX_TITLE_CHARS)}), "title: must not be longer than 1000 characters"),
        (json!({"title": "a\0b"}), "title: must not contain U+0000"),
        (json!({"description": "\0"}), "description: must not contain U+0000"),
        (
            json!({"description": longer_than(MAX_DESCRIPTION_CHARS)}),
            "description: must not be longer than 65536 characters",
        ),
        (
            json!({"description": "<ul><li>".repeat(51)}),
            "description: must not nest elements deeper than 100 levels, give one more than 100 attributes, or leave formatting elements open in many blocks",
        ),
        (json!({"description": ["a"]}), "description: must be a string"),
        (
            json!({"thumbnail": longer_than(MAX_URL_CHARS)}),
            "thumbnail: must not be longer than 2048 characters",
        ),
    ];
    check(Kind::Products, product(), &cases).await;
}

#[tokio::test]
async fn prices_and_stock_are_whole_numbers_within_bounds() {
    let price = "must be between 0 and 9007199254740991";
    let cases = [
        (json!({"regular_price": null}), "regular_price: is required"),
        (json!({"regular_price": -1}), &format!("regular_price: {price}")),
        (json!({"regular_price": 9_007_199_254_740_992_i64}), &format!("regular_price: {price}")),
        (json!({"regular_price": u64::MAX}), &format!("regular_price: {price}")),
        (json!({"regular_price": 12.0}), "regular_price: must be a whole number"),
        (json!({"regular_price": "12"}), "regular_price: must be a whole number"),
        (json!({"sale_price": 101}), "sale_price: must not be above regular_price"),
        (json!({"sale_price": true}), "sale_price: must be a whole number"),
        (json!({"stock": -1}), "stock: must be between 0 and 4294967295"),
        (json!({"stock": 4_294_967_296_i64}), "stock: must be between 0 and 4294967295"),
    ];
    check(Kind::Products, product(), &cases).await;
}

#[tokio::test]
async fn lists_and_the_rest_of_products_are_checked_part_by_part() {
    let many = (0..=100).map(|item| item.to_string()).collect::<Vec<_>>();
    let date_time = "published_at: must be a date-time such as 2024-02-29T12:34:56Z or 2024-02-29T13:34:56+01:00, got \"2026-01-01\"";
    let cases = [
        (json!({"gallery": "a"}), "gallery: must be a list"),
        (json!({"gallery": ["https://a", ""]}), "gallery[1]: must not be empty"),
        (
            json!({"thumbnail": "javascript:alert(1)"}),
            "thumbnail: must be an absolute URL that begins with http:// or https://",
        ),
        (
            json!({"gallery": ["https://a", "a.png"]}),
            "gallery[1]: must be an absolute URL that begins with http:// or https://",
        ),
        (json!({"gallery": many}), "gallery: must not have more than 100 items"),
        (
            json!({"gallery": [longer_than(MAX_URL_CHARS)]}),
            "gallery[0]: must not be longer than 2048 characters",
        ),
        (json!({"categories": many}), "categories: must not have more than 100 items"),
        (json!({"categories": [1, ""]}), "categories[0]: must be a string; categories[1]: must not be empty"),
        (json!({"categories": ["a", "b", "a"]}), "categories: \"a\" appears twice"),
        (json!({"popular": "yes"}), "popular: must be true or false"),
        (json!({"active": 1}), "active: must be true or false"),
        (json!({"published_at": "2026-01-01"}), date_time),
        (json!({"prize": 1}), "\"prize\" is not a known field"),
        (json!({"active": 1, "title": null}), "title: is required; active: must be true or false"),
    ];
    check(Kind::Products, product(), &cases).await;
}

#[tokio::test]
async fn user_rows_are_checked_field_by_field() {
    let cases = [
        (json!({"user_id": null}), "user_id: is required"),
        (json!({"user_id": "a\tb"}), "user_id: must not contain control characters"),
        (
            json!({"birth_date": "1984-02-30"}),
            "birth_date: must be a date such as 1984-02-29 (YYYY-MM-DD), got \"1984-02-30\"",
        ),
        (json!({"birth_date": "2026-02-01"}), "birth_date: must not be in the future"),
        (json!({"locale": "en_US"}), "locale: a locale is a language tag such as en, de-AT or zh-Hant"),
        (json!({"balance": 5}), "\"balance\" is not a known field"),
    ];
    let good = json!({"user_id": "ann", "birth_date": "2026-01-31", "locale": "de-AT"});
    check(Kind::Users, good, &cases).await;
}

#[tokio::test]
async fn activity_rows_are_checked_field_by_field() {
    let amount = "must be between -9007199254740991 and 9007199254740991";
    let bonus = |changes: Value| {
        let good = json!({"type": "birthday", "points": 5, "title": "Happy birthday"});
        json!({"bonus_breakdown": [serde_json::from_str::<Value>(&changed(&good, &changes)).unwrap()]})
    };
    let date_time = "created_at: must be a date-time such as 2024-02-29T12:34:56Z or 2024-02-29T13:34:56+01:00, got \"2026-01-01\"";
    let cases = [
        (json!({"user_id": null}), "user_id: is required"),
        (json!({"user_id": "a\tb"}), "user_id: must not contain control characters"),
        (json!({"type": null}), "type: is required"),
        (json!({"type": "Code"}), "type: must have 1 to 32 characters of a-z, 0-9, _ and -"),
        (json!({"type": "walk"}), "type: the tenant has no activity type \"walk\""),
        (json!({"source_id": ""}), "source_id: must not be empty"),
        (json!({"points": null}), "points: is required"),
        (json!({"points": 9_007_199_254_740_992_i64}), &format!("points: {amount}")),
        (json!({"title": ""}), "title: must not be empty"),
        (json!({"subtitle": "x".repeat(1_001)}), "subtitle: must not be longer than 1000 characters"),
        (json!({"created_at": null}), "created_at: is required"),
        (json!({"created_at": "2026-01-01"}), date_time),
        (json!({"created_at": "2026-01-31T12:05:00.000001Z"}), "created_at: must not be in the future"),
        (json!({"bonus_breakdown": "[]"}), "bonus_breakdown: must be a list"),
        (json!({"bonus_breakdown": [5]}), "bonus_breakdown[0]: must be an object with type, points, title"),
        (bonus(json!({"points": -1})), "bonus_breakdown: must not have negative points"),
        (bonus(json!({"points": 1.5})), "bonus_breakdown[0].points: must be a whole number"),
        (
            bonus(json!({"type": null, "title": null})),
            "bonus_breakdown[0].type: is required; bonus_breakdown[0].title: is required",
        ),
        (bonus(json!({"why": 1})), "bonus_breakdown[0]: \"why\" is not a known field"),
        (
            json!({"points": 9_007_199_254_740_991_i64, "bonus_breakdown": [{"type": "b", "points": 1, "title": ""}]}),
            &format!("points: with its bonuses {amount}"),
        ),
    ];
    let good = json!({
        "user_id": "ann", "type": "code", "source_id": "c-1", "points": 10, "title": "QR code scan",
        "subtitle": "Mug", "created_at": "2026-01-31T12:05:00Z", "bonus_breakdown": [],
    });
    check(Kind::Activities, good, &cases).await;
}

fn activity() -> Value {
    json!({
        "user_id": "ann", "type": "code", "source_id": "c-1", "points": 10, "title": "QR code scan",
        "created_at": "2026-01-31T12:05:00Z",
    })
}

#[tokio::test]
async fn attributes_of_activities_are_strings_without_nul() {
    let nul = "attributes: the value of \"size\" must not contain U+0000";
    let cases = [
        (json!({"attributes": []}), "attributes: must be an object with strings"),
        (json!({"attributes": {"size": "L\0"}}), nul),
    ];
    check(Kind::Activities, activity(), &cases).await;
}

#[tokio::test]
async fn time_without_a_zone_has_its_own_reason() {
    let rule = "created_at: must say its zone: add Z for UTC, or an offset, as in 2026-01-01T00:00:00Z or 2026-01-01T00:00:00+01:00";
    check(Kind::Activities, activity(), &[(json!({"created_at": "2026-01-01T00:00:00"}), rule)]).await;
}

#[tokio::test]
async fn rows_that_are_not_objects_are_rejected() {
    let store = Store::open().await;
    let reason = store.reason(Kind::Users, "{\"user_id\": \"ann\"").await;
    assert!(reason.starts_with("the row is not valid JSON: EOF"), "{reason}");
    store.import(Kind::Users, "{\"user_id\": \"ann\"}\n[1]\n\"bob\"\n").await;
    let reasons: Vec<_> = store.rejects().into_iter().map(|(line, reason, _)| (line, reason)).collect();
    let rule = "must be an object with user_id, birth_date, locale";
    assert_eq!(reasons, [(2, rule.to_owned()), (3, rule.to_owned())]);
}
