//! `POST /v1/manage/products/bulk`: one change of many products.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/products/bulk";

async fn change(server: &TestServer, token: &str, ids: &[&str], change: Value) -> Answer {
    let body = json!({"product_ids": ids, "change": change});
    server.request(Method::POST, PATH, token).json(&body).send().await
}

async fn product(server: &TestServer, token: &str, id: &str) -> Value {
    server.request(Method::GET, &format!("/v1/manage/products/{id}"), token).send().await.json()["data"]
        .clone()
}

/// The id, the result and the code of each row.
fn rows(answer: &Answer) -> Vec<String> {
    let answer = answer.json();
    let rows = answer["data"]["results"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    rows.map(|row| ["id", "result", "code"].map(|name| text(&row[name])).join(" ")).collect()
}

async fn entries(server: &TestServer, token: &str) -> usize {
    let log = server.request(Method::GET, "/v1/manage/audit-log?limit=100", token).send().await.json();
    log["data"].as_array().unwrap().iter().filter(|entry| entry["operation"] == "product.change").count()
}

#[tokio::test]
async fn each_product_has_its_result_and_its_entry() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let before = entries(&server, &token).await;
    let added =
        change(&server, &token, &["plate", "mug", "nothing", "tea"], json!({"stock_difference": -2})).await;
    assert_eq!(added.status, 200, "{}", added.text());
    let expected = [
        "plate changed -",
        "mug refused unlimited_stock",
        "nothing refused unknown_product",
        "tea refused unlimited_stock",
    ];
    assert_eq!(rows(&added), expected);
    let data = &added.json()["data"];
    assert_eq!([&data["changed"], &data["unchanged"], &data["refused"]], [1, 0, 3]);
    assert_eq!(product(&server, &token, "plate").await["stock"], 1);
    assert_eq!(entries(&server, &token).await, before + 1);
    let priced =
        change(&server, &token, &["mug", "plate"], json!({"regular_price": 500, "sale_price": 400})).await;
    assert_eq!(rows(&priced), ["mug changed -", "plate changed -"]);
    assert_eq!(entries(&server, &token).await, before + 3, "one entry for each product");
    let same = change(&server, &token, &["mug"], json!({"sale_price": 400})).await;
    assert_eq!(rows(&same), ["mug unchanged -"]);
    let above = change(&server, &token, &["mug"], json!({"sale_price": 501})).await;
    assert_eq!(rows(&above), ["mug refused sale_price_above_regular"]);
    let few = change(&server, &token, &["plate"], json!({"stock_difference": -2})).await;
    assert_eq!(rows(&few), ["plate refused insufficient_stock"]);
    let hidden = change(&server, &token, &["mug", "plate"], json!({"active": false, "stock": null})).await;
    assert_eq!(rows(&hidden), ["mug changed -", "plate changed -"]);
    let plate = product(&server, &token, "plate").await;
    assert_eq!((&plate["active"], &plate["stock"]), (&json!(false), &Value::Null));
    server.assert_audit_is_clean().await;
}

/// Pieces are added once for a key.
#[tokio::test]
async fn a_repeated_request_has_its_effect_once() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let body = json!({"product_ids": ["plate"], "change": {"stock_difference": 5}});
    let mut answers = Vec::new();
    for _ in 0..2 {
        let call = server.request(Method::POST, PATH, &token).header("idempotency-key", "k1");
        answers.push(call.json(&body).send().await.text().to_owned());
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(product(&server, &token, "plate").await["stock"], 8);
}

#[tokio::test]
async fn a_change_names_products_and_what_they_get() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let many: Vec<String> = (0..=500).map(|number| number.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (ids, changed, field) in [
        (&[][..], json!({"active": true}), "product_ids"),
        (&many, json!({"active": true}), "product_ids"),
        (&["mug", "mug"], json!({"active": true}), "product_ids.1"),
        (&["mug"], json!({}), "change.stock"),
        (&["mug"], json!({"stock": 1, "stock_difference": 1}), "change.stock_difference"),
        (&["mug"], json!({"stock_difference": 0}), "change.stock_difference"),
        (&["mug"], json!({"title": "x", "active": true}), "change.title"),
        (&["mug"], json!({"sale_price": -1}), "change.sale_price"),
    ] {
        let refused = change(&server, &token, ids, changed.clone()).await;
        let errors = refused.json()["errors"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(
            (refused.status.as_u16(), errors),
            (422, vec![field.to_owned()]),
            "{changed}: {}",
            refused.text()
        );
    }
    let all = change(&server, &token, &many[1..], json!({"active": true})).await;
    assert_eq!((all.status.as_u16(), &all.json()["data"]["refused"]), (200, &json!(500)));
}

/// The list of the back office has the same names for its orders as its pages.
#[tokio::test]
async fn the_list_is_sorted_as_it_is_asked() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let listed = async |query: &str| {
        let answer =
            server.request(Method::GET, &format!("/v1/manage/products?{query}"), &token).send().await;
        let answer = answer.json();
        let rows = answer["data"].as_array().unwrap();
        let ids: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
        (ids.join(" "), answer["links"]["next"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(listed("").await.0, "cafe gift inactive mug plate strasse tea tomorrow wine");
    let (cheapest, next) = listed("sort=price&page[size]=2").await;
    assert_eq!(cheapest, "tea cafe");
    assert!(next.contains("sort=price"), "{next}");
    assert!(listed("filter[category]=kitchen&sort=-price").await.0.starts_with("strasse "));
    assert!(listed("sort=stock&page[size]=2").await.0.starts_with("wine plate"), "few pieces come first");
    for bad in ["sort=id", "sort=Price", "sort[]=price"] {
        let refused = server.request(Method::GET, &format!("/v1/manage/products?{bad}"), &token).send().await;
        assert!(refused.status == 422 && refused.text().contains("\"sort\""), "{bad}: {}", refused.text());
    }
}
