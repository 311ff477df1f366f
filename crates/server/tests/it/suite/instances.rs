//! Two instances on one database. A change through one is valid for the other at once, or when its
//! cache is too old.

use http::Method;
use serde_json::json;

use crate::harness::TestServer;

/// How long an instance accepts a token before it checks the database again.
const CACHE_AGE_SECONDS: u32 = 10;

/// Two instances, and a token of the back office.
async fn pair() -> (TestServer, TestServer, String) {
    let (one, office) = TestServer::with_back_office().await;
    let other = one.second_instance().await;
    (one, other, office)
}

#[tokio::test]
async fn a_catalogue_change_through_one_is_served_by_the_other_after_a_second() {
    let (one, other, office) = pair().await;
    let put = async |title: &str| {
        let body = json!({"sku": "cup", "title": title, "regular_price": 10});
        let put = one.request(Method::PUT, "/v1/manage/products/cup", &office).json(&body);
        assert!(put.send().await.status.is_success());
    };
    let titles = async || {
        let list = other.get("/v1/store/products").await.json();
        list["data"].as_array().unwrap().iter().map(|cup| cup["title"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(titles().await, [""; 0]);
    for title in ["Cup", "A blue cup"] {
        put(title).await;
        other.advance_seconds(1);
        assert_eq!(titles().await, [title]);
    }
    one.request(Method::DELETE, "/v1/manage/products/cup", &office).send().await;
    other.advance_seconds(1);
    assert_eq!(titles().await, [""; 0]);
    assert_eq!(other.get("/v1/store/products/cup").await.status, 404);
}

#[tokio::test]
async fn stock_that_one_sells_is_sold_out_in_the_other_after_a_second() {
    let (one, other, _) = pair().await;
    one.add_changed_product("rare", |product| product.stock = Some(1)).await;
    one.set("hide_sold_out", "true").await;
    one.award(1_000).await;
    other.sync_with_database().await;
    assert_eq!(other.get("/v1/store/products").await.ids(), ["rare"]);
    one.ordered("rare", 1).await;
    other.advance_seconds(1);
    assert_eq!(other.get("/v1/store/products").await.ids(), [""; 0]);
}

#[tokio::test]
async fn revoked_token_is_refused_by_the_other_instance_within_cache_age() {
    let (one, other, office) = pair().await;
    let own = one.issue("u2").await;
    let cases = [
        (own.clone(), one.request(Method::DELETE, "/v1/auth/token", &own)),
        (one.issue("u3").await, one.request(Method::DELETE, "/v1/manage/users/u3/tokens", &office)),
        (
            one.issue("u4").await,
            one.request(Method::PUT, "/v1/manage/users/u4", &office).json(&json!({"disabled": true})),
        ),
    ];
    for (token, end) in cases {
        let status = async |server: &TestServer| server.call("/v1/user").bearer(&token).send().await.status;
        assert_eq!(status(&other).await, 200);
        assert_eq!(end.send().await.status, 200);
        assert_eq!(status(&one).await, 401);
        other.advance_seconds(CACHE_AGE_SECONDS);
        assert_eq!(status(&other).await, 401);
    }
}

#[tokio::test]
async fn issued_token_works_on_the_other_instance_at_once() {
    let (one, other, office) = pair().await;
    let answer = one.post("/v1/auth/token", &office).json(&json!({"user_id": "new"})).send().await;
    let token = answer.json()["data"]["token"].as_str().unwrap().to_owned();
    assert_eq!(other.call("/v1/user").bearer(&token).send().await.json()["data"]["id"], "new");
}

#[tokio::test]
async fn write_is_visible_on_the_other_instance_at_once() {
    let (one, other, office) = pair().await;
    one.add_changed_product("mug", |product| product.stock = Some(3)).await;
    let scan = json!({"type": "code", "source_id": "c-1", "points": 700, "title": "Scan"});
    let scan = one.post("/v1/manage/users/u1/activities", &office).json(&scan);
    assert_eq!(scan.send().await.status, 201);
    assert_eq!(other.balance().await, 700);
    let order = other.ordered("mug", 1).await;
    assert_eq!(one.balance().await, 200);
    let cancel = one.post(&format!("/v1/manage/orders/{order}/cancel"), &office);
    assert_eq!(cancel.send().await.status, 200);
    assert_eq!(other.get(&format!("/v1/store/orders/{order}")).await.json()["data"]["status"], "cancelled");
    for path in ["/v1/user", "/v1/user/point-history", "/v1/store/orders"] {
        assert_eq!(one.get(path).await.text(), other.get(path).await.text());
    }
    one.assert_audit_is_clean().await;
}

#[tokio::test]
async fn replay_on_the_other_instance_gives_the_same_bytes() {
    let (one, other, office) = pair().await;
    let order = |server: &TestServer| {
        server.post("/v1/store/orders", server.token()).json(&json!({"product_id": "mug"})).key("k").send()
    };
    one.add_changed_product("mug", |product| product.stock = Some(3)).await;
    one.award(1_000).await;
    let first = order(&one).await;
    let again = order(&other).await;
    assert_eq!((first.status.as_u16(), first.header("idempotency-replayed")), (201, None));
    assert_eq!((again.status, again.text()), (first.status, first.text()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let token = |server: &TestServer| {
        server.post("/v1/auth/token", &office).json(&json!({"user_id": "u1"})).key("k").send()
    };
    assert_eq!(token(&one).await.text(), token(&other).await.text());
    assert_eq!(one.balance().await, 500);
}

#[tokio::test]
async fn changed_setting_applies_to_the_other_instance_after_one_refresh() {
    let (one, other, _) = pair().await;
    one.set("rate_limit_reads_per_minute", "2").await;
    other.service().refresh().await.unwrap();
    for _ in 0..2 {
        assert_eq!(other.get("/v1/user").await.status, 200);
    }
    assert_eq!(other.get("/v1/user").await.header("x-ratelimit-limit"), Some("2"));
}
